package main

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cooked returns the page and all charts of a run, by name.
func cooked(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "log" {
				return fs.SkipDir
			}
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

// Recipes that are killed at any moment and started again, until they are
// through, leave the page and the charts of an undisturbed run: one recipe of
// fits and one of trials.
func TestKilledReproduceGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills the program many times: not in short mode")
	}
	start := func(dir string) *exec.Cmd {
		cmd := exec.Command("inkling", "reproduce", "mpck-iris", "csp-uci-iris", "--quick", "-q", "--workers", "2", "--data", "none", "-o", "page.md")
		cmd.Dir = dir
		return cmd
	}
	calm, dir := t.TempDir(), t.TempDir()
	printed, err := start(calm).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := cooked(t, calm)
	if len(want) < 3 || !strings.Contains(want["page.md"], "csp-uci-iris") {
		t.Fatalf("the undisturbed run left %d files", len(want))
	}
	logs := []string{filepath.Join(dir, "page", "log", "fits.jsonl"), filepath.Join(dir, "page", "log", "trials.jsonl")}
	size := func() int64 { return sizeOf(logs[0]) + 100*sizeOf(logs[1]) } // trials are few and long
	rng := rand.New(rand.NewPCG(1, 1))
	kills, torn := 0, 0
	for through := false; !through; {
		var got, said bytes.Buffer
		cmd := start(dir)
		cmd.Stdout, cmd.Stderr = &got, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		target := size() + rng.Int64N(1_000_000)
		for !through && (kills == 8 || size() < target) {
			select {
			case err := <-done:
				if through = true; err != nil {
					t.Fatalf("after %d kills: %v: %s", kills, err, said.String())
				}
			case <-time.After(time.Millisecond):
			}
		}
		if through {
			if !bytes.Equal(got.Bytes(), printed) {
				t.Errorf("after %d kills it printed\n%s\nwant\n%s", kills, got.String(), printed)
			}
			break
		}
		time.Sleep(time.Duration(rng.IntN(3000)) * time.Microsecond)
		if _, err := os.Stat(filepath.Join(dir, "page.md")); err == nil {
			t.Error("there is a page before all is done")
		}
		_ = cmd.Process.Kill()
		<-done
		kills++
		if log := logs[rng.IntN(2)]; rng.IntN(2) == 0 && tear(t, log, rng) {
			torn++
		}
	}
	got := cooked(t, dir)
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s is another after %d kills", name, kills)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for i, log := range logs {
		b, err := os.ReadFile(log)
		all, e := os.ReadFile(filepath.Join(calm, "page", "log", filepath.Base(log)))
		if err != nil || e != nil || bytes.Count(b, []byte("\n")) != bytes.Count(all, []byte("\n")) {
			t.Errorf("log %d has %d lines, %v, want those of an undisturbed run, %d", i, bytes.Count(b, []byte("\n")), err, bytes.Count(all, []byte("\n")))
		}
	}
	t.Logf("%d kills, %d torn lines", kills, torn)
}
