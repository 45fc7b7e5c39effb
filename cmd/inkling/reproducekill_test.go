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
	incomplete := 0
	page, kills := killed(t, rng, 1_000_000, func() *exec.Cmd { return start(dir) }, size, func() {
		if _, err := os.Stat(filepath.Join(dir, "page.md")); err == nil {
			t.Error("there is a page before all is done")
		}
		if log := logs[rng.IntN(2)]; rng.IntN(2) == 0 && tear(t, log, rng) {
			incomplete++
		}
	})
	if !bytes.Equal(page, printed) {
		t.Errorf("after %d kills it printed\n%s\nwant\n%s", kills, page, printed)
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
	t.Logf("%d kills, %d incomplete lines", kills, incomplete)
}
