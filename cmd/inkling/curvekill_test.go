package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A curve that is killed at any moment and started again, until it is through,
// prints the table of an undisturbed run.
func TestKilledCurveGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills the program many times: not in short mode")
	}
	dir := t.TempDir()
	log, table := filepath.Join(dir, "fits.jsonl"), filepath.Join(dir, "cells.csv")
	curve := func(more ...string) *exec.Cmd {
		return exec.Command("inkling", append([]string{"curve", "example:iris.csv", "--truth", "example:iris-truth.csv", "-q",
			"--methods", "kmeans,seeded-kmeans,constrained-kmeans", "--seeds", "0,0.2,0.5", "--folds", "5", "--repeats", "2", "--workers", "2"}, more...)...)
	}
	want, err := curve("-o", table).Output()
	if err != nil {
		t.Fatal(err)
	}
	cells, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	const fits = 3 * 3 * 5 * 2
	for round := range 2 { // two experiments, each killed until it is through
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		incomplete := 0
		got, kills := killed(t, rng, 8000, func() *exec.Cmd { return curve("--log", log, "-o", table) }, func() int64 { return sizeOf(log) }, func() {
			if rng.IntN(2) == 0 && tear(t, log, rng) {
				incomplete++
			}
		})
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d, after %d kills:\n%s\nwant\n%s", round, kills, got, want)
		}
		b, err := os.ReadFile(log)
		if err != nil || bytes.Count(b, []byte("\n")) != fits {
			t.Fatalf("the log has %d lines, %v, want %d", bytes.Count(b, []byte("\n")), err, fits)
		}
		if got, err := os.ReadFile(table); err != nil || !bytes.Equal(got, cells) {
			t.Fatalf("the CSV file is another, %v", err)
		}
		t.Logf("round %d: %d kills, %d incomplete lines", round, kills, incomplete)
	}
}

// killed starts a program again and again until it is through, and returns what
// it printed then. At most eight times it is killed, at any moment after it has
// written up to most bytes to its log; then after is called.
func killed(t *testing.T, rng *rand.Rand, most int64, start func() *exec.Cmd, written func() int64, after func()) (printed []byte, kills int) {
	t.Helper()
	for {
		var got, said bytes.Buffer
		cmd := start()
		cmd.Stdout, cmd.Stderr = &got, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		target := written() + rng.Int64N(most)
		for kills == 8 || written() < target {
			select {
			case err := <-done:
				if err != nil {
					t.Fatalf("after %d kills: %v: %s", kills, err, said.String())
				}
				return got.Bytes(), kills
			case <-time.After(time.Millisecond):
			}
		}
		time.Sleep(time.Duration(rng.IntN(3000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		<-done
		kills++
		after()
	}
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// tear cuts the log within its last line, as a machine that loses power can.
func tear(t *testing.T, path string, rng *rand.Rand) bool {
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 {
		return false
	}
	last := len(b) - bytes.LastIndexByte(b[:len(b)-1], '\n') - 1
	if err := os.Truncate(path, int64(len(b)-1-rng.IntN(last))); err != nil {
		t.Fatal(err)
	}
	return true
}

// Ctrl-C ends a curve with what is done, and the log allows it to resume.
func TestInterruptedCurveResumes(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("interrupts the program: not in short mode, and not where that cannot be")
	}
	log := filepath.Join(t.TempDir(), "fits.jsonl")
	curve := func(more ...string) *exec.Cmd {
		return exec.Command("inkling", append([]string{"curve", "example:iris.csv", "--truth", "example:iris-truth.csv",
			"--methods", "kmeans,cop-kmeans", "--pairs", "0,20", "--folds", "5", "--repeats", "1"}, more...)...)
	}
	want, err := curve().Output()
	if err != nil {
		t.Fatal(err)
	}
	var got, said bytes.Buffer
	cmd := curve("--log", log)
	cmd.Stdout, cmd.Stderr = &got, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		if b, _ := os.ReadFile(log); bytes.Count(b, []byte("\n")) >= 5 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Signal(os.Interrupt)
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 0 {
		t.Skip("it ended before it could be interrupted")
	} else if code != exitInterrupted {
		t.Fatalf("it exited with %d, %v: %s", code, err, said.String())
	}
	if !strings.HasPrefix(got.String(), "CUT SHORT") || !strings.Contains(said.String(), "the same command resumes from") {
		t.Errorf("it said\n%s\nand\n%s", got.String(), said.String())
	}
	if again, err := curve("--log", log).Output(); err != nil || !bytes.Equal(again, want) {
		t.Errorf("%v:\n%s\nwant\n%s", err, again, want)
	}
}
