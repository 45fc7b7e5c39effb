package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outputs returns all files of a folder but the logs, by name.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "log":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A stopper cancels a run when it has printed so many lines.
type stopper struct {
	bytes.Buffer
	lines int
	stop  func()
}

func (s *stopper) Write(b []byte) (int, error) {
	if s.lines--; s.lines == 0 {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// A run that is stopped at every step, with the last line of its log torn, and
// started again leaves the files of an undisturbed one.
func TestStoppedRunResumes(t *testing.T) {
	calm, dir := t.TempDir(), t.TempDir()
	args := func(dir string) []string {
		return []string{"csp-toy", "csp-range", "-data", "none", "-workers", "2", "-o", dir}
	}
	var want, said bytes.Buffer
	if code := run(t.Context(), args(calm), &want, &said); code != 0 {
		t.Fatalf("exit %d: %s", code, said.String())
	}
	var got bytes.Buffer
	stops := 0
	for step := 1; ; step++ {
		ctx, stop := context.WithCancel(t.Context())
		s := &stopper{lines: step, stop: stop}
		got.Reset()
		code := run(ctx, args(dir), &got, s)
		stop()
		if code == 0 {
			break
		}
		if code != exitInterrupted || !strings.Contains(s.String(), "the same command resumes") {
			t.Fatalf("stopped in step %d: exit %d: %s", step, code, s.String())
		}
		stops++
		log := filepath.Join(dir, "log", "trials.jsonl")
		if info, err := os.Stat(log); err == nil && info.Size() > 2 {
			if err := os.Truncate(log, info.Size()-2); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got.String() != want.String() || stops == 0 {
		t.Errorf("after %d stops it printed\n%s\nwant\n%s", stops, got.String(), want.String())
	}
	a, b := outputs(t, calm), outputs(t, dir)
	if len(a) < 3 || len(a) != len(b) {
		t.Errorf("%d files, want %d", len(b), len(a))
	}
	for name, content := range a {
		if b[name] != content {
			t.Errorf("%s is another after %d stops", name, stops)
		}
	}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", 0, "csp-toy"},
		{"show csp-toy -o ../../results", 0, "| the paper says | verdict | numbers |"},
		{"show csp-toy -o none", 1, "has no result of csp-toy"},
		{"csp-toe", exitUsage, "did you mean csp-toy?"},
		{"csp-toy -quick -full", exitUsage, "exclude each other"},
		{"csp-toy -workers -1", exitUsage, "-workers must be at least 1, got -1"},
		{"-nothing", exitUsage, "-nothing"},
		{"seeding-20news -data none -o OUT", exitData, "missing"},
	} {
		var b bytes.Buffer
		code := run(t.Context(), strings.Fields(strings.ReplaceAll(c.args, "OUT", t.TempDir())), &b, &b)
		if code != c.code || !strings.Contains(b.String(), c.want) {
			t.Errorf("reproduce %s: exit %d, want %d with %q:\n%s", c.args, code, c.code, c.want, b.String())
		}
	}
}
