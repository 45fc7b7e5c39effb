package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Any of the signals that ask a program to end makes it write the best clustering so
// far; a closed terminal is one of them.
func TestSignalsKeepTheBestSoFar(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the program: not in short mode")
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		dir := t.TempDir()
		out, trace := filepath.Join(dir, "out.csv"), filepath.Join(dir, "said")
		said, err := os.Create(trace)
		if err != nil {
			t.Fatal(err)
		}
		// With so many restarts it does not end by itself.
		cmd := exec.Command("inkling", "cluster", "example:iris.csv", "-k", "3", "--method", "kmeans", "--effort", "low", "--restarts", "1000000000", "-o", out)
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForWork(t, cmd.Process.Pid)
		_ = cmd.Process.Signal(signal)
		late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
		said.Close()
		text, _ := os.ReadFile(trace)
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%v: exit code %d\n%s", signal, code, text)
		}
		if b, err := os.ReadFile(out); err != nil || strings.Count(string(b), "\n") != 151 {
			t.Errorf("%v: the output has %d lines, %v\n%s", signal, strings.Count(string(b), "\n"), err, text)
		}
	}
}

// waitForWork waits until a process has used half a second of a core: by then it fits.
func waitForWork(t *testing.T, pid int) {
	t.Helper()
	for used := 0; used < 50; time.Sleep(5 * time.Millisecond) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(b), ") ")
		fields := strings.Fields(after) // from the third on: state, …, utime, stime in hundredths of a second
		if len(fields) < 13 || fields[0] == "Z" {
			t.Fatalf("it ended by itself: %s", b)
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		used = user + system
	}
}

// A signal is caught from the first moments on, before the packages that take time to set
// up, and not only when the command runs.
func TestSignalsAreCaughtEarly(t *testing.T) {
	cmd := exec.Command("inkling", "cluster", "example:iris.csv", "-k", "3", "--method", "kmeans", "--effort", "low", "--restarts", "1000000000")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, at := bufio.NewScanner(said), 0
	for n := 0; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "init github.com/inklinghq/inkling/cmd/inkling/internal/interrupt ") {
			at = n
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
		if at == 0 && strings.HasPrefix(lines.Text(), "init net/http ") {
			t.Error("net/http is set up before signals are caught")
		}
		if at == 0 && !strings.HasPrefix(lines.Text(), "init ") { // it would go on for ever
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); at == 0 || code != exitInterrupted {
		t.Errorf("signals are caught after %d packages, exit code %d", at, code)
	}
}

// A reader of stdout that leaves ends the program by SIGPIPE, like any other; the files
// are written by then.
func TestFilesAreWrittenBeforeStdout(t *testing.T) {
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	save, page := filepath.Join(dir, "m.ink"), filepath.Join(dir, "r.html")
	cmd := exec.Command("inkling", "cluster", "example:iris.csv", "-k", "3", "--save", save, "--report", page)
	cmd.Stdout = w
	err = cmd.Run()
	w.Close()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGPIPE {
		t.Errorf("ended by %v, %v", status, err)
	}
	for _, path := range []string{save, page} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// Names cannot control the terminal that the result is printed on. Into a file and a pipe
// they go as they are.
func TestNamesOnATerminalAreEscaped(t *testing.T) {
	table := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(table, []byte("name,x\n\"a\x1b[31m\",0\n\"b\u202eevil\",1\n\"c\u200bz\",9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	k := startTalk(t, []string{"NO_COLOR=1"}, "cluster", table, "--id", "name", "-k", "2", "-q")
	k.waitFor(`c\\u200bz,\d`)
	k.end()
	for _, raw := range []string{"\x1b[31m", "\u202e", "\u200b"} {
		if strings.Contains(k.screen.String(), raw) {
			t.Errorf("%q reaches the terminal: %q", raw, k.screen.String())
		}
	}
	for _, escaped := range []string{`a\x1b[31m,`, `b\u202eevil,`} {
		if !strings.Contains(k.screen.String(), escaped) {
			t.Errorf("there is no %s on the screen: %q", escaped, k.screen.String())
		}
	}
}
