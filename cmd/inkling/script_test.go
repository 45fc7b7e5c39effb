package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/inklinghq/inkling/cmd/inkling/internal/interrupt"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

func TestMain(m *testing.M) {
	// Under the race detector a program sleeps for a second before it ends, in
	// case goroutines are left that race. The tests start some four hundred.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=20 "+os.Getenv("GORACE")); err != nil {
		panic(err)
	}
	if filepath.Base(os.Args[0]) != "inkling" {
		interrupt.Leave()
		// The programs live for a moment, with little in memory: a fifth of their time would go into collecting it.
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(400)
			if err := os.Setenv("GOGC", "400"); err != nil {
				panic(err)
			}
		}
	}
	testscript.Main(m, map[string]func(){"inkling": main})
}

// TestScripts runs testdata/*.txtar: the command line as people use it. A
// script says what it shows in its first line; what the race detector, which is
// run with -short, would make long or see twice is marked [!short].
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", os.Getenv("GORACE")) // a script starts with its own environment
			e.Setenv("GOGC", os.Getenv("GOGC"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":  exitCommand,
			"files": filesCommand,
			"size":  sizeCommand,
		},
	})
}

// Every example of every help page runs, in the order in which it stands there.
func TestHelpExamplesRun(t *testing.T) {
	root := (&app{stdout: &outlet{to: io.Discard}}).root()
	for _, cmd := range append(root.Commands(), root) {
		t.Run(cmd.Name(), func(t *testing.T) {
			if testing.Short() && slices.Contains([]string{"segment", "curve", "report"}, cmd.Name()) {
				t.Skip("takes long, and the scripts run the command too: not in short mode")
			}
			if cmd.Name() != "web" { // which listens where others do
				t.Parallel()
			}
			if cmd.Example == "" && cmd.Name() != "help" && !cmd.DisableFlagParsing {
				t.Error("there is no example")
			}
			dir := t.TempDir()
			for line := range strings.Lines(cmd.Example) {
				words := strings.Fields(line)
				if cmd.Name() == "web" { // serves until somebody ends it
					words = append(words, "--timeout", "500ms")
				}
				run := exec.Command(words[0], words[1:]...)
				run.Dir = dir
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, out)
				}
			}
		})
	}
}

// exitCommand runs "exit CODE inkling ARGS": the program must leave by CODE,
// and never by a fault. What it says can be asked with stderr and stdout.
func exitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s left by %d, wanted %d", strings.Join(args[1:], " "), got, want)
	}
	if said := ts.ReadFile("stderr"); strings.Contains(said, "goroutine ") || strings.Contains(said, "panic") {
		ts.Fatalf("it panicked")
	}
}

// filesCommand runs "files DIR NAME…": DIR holds exactly these files.
func filesCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: files DIR NAME…")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(args[1:], " ") {
		ts.Fatalf("%s holds %v, wanted %v", args[0], got, args[1:])
	}
}

// sizeCommand runs "size FILE BYTES CONTENT": it makes a file of that size by
// repeating CONTENT.
func sizeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: size FILE BYTES CONTENT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := bytes.Repeat([]byte(args[2]), n/len(args[2])+1)[:n]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// Ctrl-C while a file is being written leaves the file whole, and nothing else.
func TestInterruptLeavesNoRest(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("interrupts the program: not in short mode, and not where that cannot be")
	}
	dir := t.TempDir()
	in, out := filepath.Join(t.TempDir(), "in.csv"), filepath.Join(dir, "out.csv")
	rows := "x\n" + strings.Repeat("0\n1\n", 50_000)
	if err := os.WriteFile(in, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	hits := 0
	for range 5 {
		var said bytes.Buffer
		cmd := exec.Command("inkling", "cluster", in, "-k", "2", "-q", "--max-iter", "1", "--restarts", "1", "-o", out)
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		for writing := false; ; {
			if names, _ := filepath.Glob(filepath.Join(dir, ".out.csv*")); len(names) > 0 && !writing {
				writing = true
				_ = cmd.Process.Signal(os.Interrupt)
			}
			select {
			case <-done:
			case <-time.After(100 * time.Microsecond):
				continue
			}
			break
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Fatalf("the folder holds %v, %v, want out.csv alone", entries, err)
		}
		if b, err := os.ReadFile(out); err != nil || bytes.Count(b, []byte("\n")) != 100_001 {
			t.Fatalf("the output has %d lines, %v", bytes.Count(b, []byte("\n")), err)
		}
		if code := cmd.ProcessState.ExitCode(); code == exitInterrupted {
			hits++
		} else if code != 0 {
			t.Fatalf("it left by %d: %s", code, said.String())
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	if hits == 0 {
		t.Skip("it wrote too fast to be interrupted")
	}
}

// A run killed at any moment leaves the old output or the new one, whole.
func TestKillLeavesOldOrNewFile(t *testing.T) {
	if testing.Short() {
		t.Skip("kills the program many times: not in short mode")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, "%d,%d\n", i%7919, i%104729)
	}
	if err := os.WriteFile(in, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cluster := func(seed int) *exec.Cmd {
		return exec.Command("inkling", "cluster", in, "-k", "5", "-q", "--restarts", "1", "--max-iter", "2", "--seed", strconv.Itoa(seed), "-o", out)
	}
	contents := map[string]string{} // what out can hold
	for seed := range 2 {
		if err := cluster(seed).Run(); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		contents[string(whole)] = fmt.Sprintf("the labels of seed %d", seed)
	}
	start := time.Now()
	if err := cluster(0).Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	step, kills := 2, 20 // every other moment
	if longtest.Full() {
		step, kills = 1, 200
	}
	for round := range kills {
		cmd := cluster(round % 2)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(step*round%40+1) / 36)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("after kill %d: %v", round, err)
		}
		if contents[string(got)] == "" {
			t.Fatalf("after kill %d the output is %d bytes that no run writes", round, len(got))
		}
	}
}
