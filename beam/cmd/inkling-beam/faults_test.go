package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/beam/internal/sample"
)

// command runs a command line and returns its exit code and what it wrote.
func command(args ...string) (code int, stdout, stderr string) {
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return code, o.String(), e.String()
}

// smallShards writes a sample in 3 shards.
func smallShards(t *testing.T, rows int) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	paths, err := sample.Sample{Rows: rows, Cols: 4, Classes: 3, Seed: 1}.WriteShards(dir, 3)
	if err != nil {
		t.Fatal(err)
	}
	return dir, paths
}

// Shards that are wrong from the beginning are refused by name, before any fit.
func TestWrongShards(t *testing.T) {
	other := func(t *testing.T, path string, s sample.Sample) {
		to := t.TempDir()
		paths, err := s.WriteShards(to, 1)
		if err == nil {
			err = os.Rename(paths[0], path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, paths []string)
		says  string
	}{
		{"missing", func(t *testing.T, p []string) { os.Remove(p[1]) }, "part-00001.npy: there is no such file"},
		{"cut short", func(t *testing.T, p []string) { os.Truncate(p[2], 1000) }, "part-00002.npy: the file is cut short: 1000 bytes"},
		{"columns", func(t *testing.T, p []string) { other(t, p[1], sample.Sample{Rows: 100, Cols: 5, Classes: 2}) }, "part-00001.npy: 5 columns, but"},
		{"precision", func(t *testing.T, p []string) {
			other(t, p[1], sample.Sample{Rows: 100, Cols: 4, Classes: 2, Double: true})
		}, "part-00001.npy: the numbers are float64"},
		{"longer", func(t *testing.T, p []string) {
			f, err := os.OpenFile(p[0], os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("more")
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}, "part-00000.npy: there is more data"},
		{"not a number", func(t *testing.T, p []string) { // in row 7, column 2; numbers of 4 bytes follow a line
			b, err := os.ReadFile(p[1])
			if err == nil {
				binary.LittleEndian.PutUint32(b[bytes.IndexByte(b, '\n')+1+4*(7*4+2):], math.Float32bits(float32(math.NaN())))
				err = os.WriteFile(p[1], b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, "part-00001.npy: row 7, column 2: NaN is not a finite number (both count from 0); leave out or fill in such rows first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, paths := smallShards(t, 3000)
			c.spoil(t, paths)
			out := filepath.Join(dir, "out")
			code, _, stderr := command(append([]string{"cluster", "-k", "3", "-o", out}, paths...)...)
			if code != exitInput || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// A shard that goes, is cut short or changes during the fit ends it with its name, and
// nothing is written.
func TestShardsThatChangeDuringTheFit(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(path string) error
		says  string
	}{
		{"removed", os.Remove, "part-00001.npy: there is no such file"},
		{"cut short", func(p string) error { return os.Truncate(p, 5000) }, "part-00001.npy: the file was cut short during the fit"},
		{"rewritten", func(p string) error { return os.Chtimes(p, time.Now(), time.Now().Add(time.Hour)) }, "part-00001.npy: the file was changed during the fit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, paths := smallShards(t, 30_000)
			work := filepath.Join(dir, "work")
			if err := os.Mkdir(work, 0o755); err != nil {
				t.Fatal(err)
			}
			spoiled := make(chan error, 1)
			go func() { // as soon as the third pass begins
				for range 3000 {
					if found, _ := filepath.Glob(filepath.Join(work, "*", "pass-000003.job")); len(found) > 0 {
						spoiled <- c.spoil(paths[1])
						return
					}
					time.Sleep(5 * time.Millisecond)
				}
				spoiled <- fmt.Errorf("there was no third pass")
			}()
			out := filepath.Join(dir, "out")
			code, _, stderr := command(append([]string{"cluster", "-k", "7", "--restarts", "1", "--tol", "0", "-o", out, "--save", out + ".model", "--work", work, "--unit-rows", "2048", "--unit-delay", "100ms"}, paths...)...)
			if err := <-spoiled; err != nil {
				t.Fatal(err)
			}
			if code != exitInput || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			for _, path := range []string{out, out + ".model"} {
				if _, err := os.Stat(path); err == nil {
					t.Errorf("%s was written", path)
				}
			}
			if left, _ := os.ReadDir(work); len(left) > 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
}

const asInklingBeam = "INKLING_BEAM_TEST_MAIN"

// process returns a command that runs inkling-beam in a process of its own, with a limit
// on the length of files in kilobytes if that is not 0.
func process(t *testing.T, limit int, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self, args...)
	if limit > 0 {
		cmd = exec.Command("bash", append([]string{"-c", fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, limit), self}, args...)...)
	}
	stderr = new(bytes.Buffer)
	cmd.Env, cmd.Stderr = append(os.Environ(), asInklingBeam+"=1"), stderr
	return cmd, stderr
}

// A disk that is full, here a limit on the length of files, ends the fit with a message,
// and nothing is half written.
func TestFullDisk(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		name  string
		limit int // kilobytes
	}{
		{"parts of a pass", 5},
		{"labels as output", 60},
	} {
		dir, paths := smallShards(t, 30_000)
		work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
		if err := os.Mkdir(work, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd, stderr := process(t, c.limit, append([]string{"cluster", "-k", "3", "--restarts", "1", "-q", "-o", out, "--work", work}, paths...)...)
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(stderr.String(), "could not write") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: %v, %s", c.name, err, stderr)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*out*")); len(left) > 0 {
			t.Errorf("%s: %v was written", c.name, left)
		}
		if left, _ := os.ReadDir(work); len(left) > 0 {
			t.Errorf("%s: %v was left", c.name, left)
		}
	}
}

// Ctrl-C during a pass ends the fit with the best so far.
func TestInterrupt(t *testing.T) {
	dir, paths := smallShards(t, 30_000)
	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := process(t, 0, append([]string{"cluster", "-k", "9", "--restarts", "1", "--tol", "0", "-o", out, "--work", work, "--unit-rows", "2048", "--unit-delay", "100ms"}, paths...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 {
		if found, _ := filepath.Glob(filepath.Join(work, "*", "pass-000004.job")); len(found) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(stderr.String(), "this is the best so far") {
		t.Errorf("%v, %s", err, stderr)
	}
	if _, err := os.Stat(filepath.Join(out, "manifest.json")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(work); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
}

// What does not run on Beam is refused, with what does.
func TestRefusals(t *testing.T) {
	_, paths := smallShards(t, 3000)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--method", "spectral", "-k", "3"}, exitUsage, "spectral does not run on Beam; these do: kmeans, "},
		{[]string{"--method", "cop-kmeans", "--assignment", "greedy", "-k", "3"}, exitUsage, "only search"},
		{[]string{"--effort", "normal", "-k", "3"}, exitUsage, "only low"},
		{[]string{"--method", "hmrf-kmeans", "--distortion", "kl", "-k", "3"}, exitUsage, "only euclidean and cosine"},
		{[]string{"--method", "mpc-kmeans", "--metric", "per-cluster-diagonal", "-k", "3"}, exitUsage, "use diagonal or full"},
		{[]string{"--links", "no.csv", "-k", "3"}, exitUsage, "name a method"},
		{[]string{"--links", "no.csv", "--method", "pc-kmeans", "-k", "3"}, exitInput, "no.csv"},
		{[]string{"-k", "3", "--unit-rows", "1000"}, exitUsage, "a multiple of 1024"},
		{[]string{"-k", "3", "--runner", "spark"}, exitUsage, "prism or flink"},
		{[]string{"-k", "30000"}, exitUsage, "3000"},
		{[]string{"--no-such-flag"}, exitUsage, "no-such-flag"},
		{nil, exitUsage, "k is missing"},
	} {
		code, _, stderr := command(append(append([]string{"cluster"}, c.args...), paths...)...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: exit code %d, %s", c.args, code, stderr)
		}
	}
	if code, _, stderr := command("cluster", "-k", "3"); code != exitUsage {
		t.Errorf("without DATA: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := command("cluster", "-k", "3", paths[0], paths[0]); code != exitInput || !strings.Contains(stderr, "named twice") {
		t.Errorf("a shard twice: exit code %d, %s", code, stderr)
	}
}

// When the time is over the best so far is written, and says so.
func TestTimeout(t *testing.T) {
	_, paths := smallShards(t, 30_000)
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := command(append([]string{"cluster", "-k", "9", "--restarts", "1", "--tol", "0", "--timeout", "1500ms", "--unit-rows", "2048", "--unit-delay", "200ms", "--json", "-o", out}, paths...)...)
	var said struct{ Status string }
	if err := json.Unmarshal([]byte(stdout), &said); err != nil || code != exitOK || said.Status != "timeout" {
		t.Errorf("exit code %d, status %q, %s", code, said.Status, stderr)
	}
	if _, err := os.Stat(filepath.Join(out, "manifest.json")); err != nil {
		t.Error(err)
	}
}
