package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCurrent writes every part again and compares it with the one in the
// repository, but for the first line, which holds the command.
func TestCurrent(t *testing.T) {
	dir := t.TempDir()
	for part := range parts {
		asm, stubs := part+"_amd64.s", part+"_amd64.go"
		cmd := exec.Command("go", "run", ".", "-part", part, "-pkg", "simd",
			"-out", filepath.Join(dir, asm), "-stubs", filepath.Join(dir, stubs))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, name := range []string{asm, stubs} {
			got, want := body(t, filepath.Join(dir, name)), body(t, filepath.Join("..", name))
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes: run go generate here", name)
			}
		}
	}
}

func body(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return rest
}
