package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command of the guide runs as it stands, in the order of the page, in one
// folder that is empty at first. A block of commands ends with 0, or with the code
// that the page names after it.
func TestGuideCommandsRun(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "GUIDE.md"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to run the commands with")
	}
	dir := t.TempDir()
	blocks := indentedBlocks(string(text))
	for _, block := range blocks {
		if testing.Short() && (strings.Contains(block, "inkling curve") || strings.Contains(block, "inkling ask") || strings.Contains(block, "inkling session") || strings.Contains(block, "example:blobs.csv")) {
			continue // hundreds of fits, or what follows from them
		}
		want := 0
		if strings.Contains(block, "inkling check") && strings.Contains(block, "bad.csv") {
			want = 4 // contradictory
		}
		cmd := exec.Command("sh", "-e", "-c", block)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		got := 0
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s\nends with %d instead of %d:\n%s", block, got, want, out)
		}
	}
	if len(blocks) < 15 {
		t.Errorf("only %d blocks of commands were found", len(blocks))
	}
}

// indentedBlocks returns the runs of lines that are indented by four spaces and
// are not part of a list or of fenced output.
func indentedBlocks(text string) (blocks []string) {
	fenced, block := false, ""
	for line := range strings.Lines(text + "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if command, ok := strings.CutPrefix(line, "    "); ok && !fenced {
			block += command
			continue
		}
		if block != "" {
			blocks = append(blocks, block)
		}
		block = ""
	}
	return blocks
}
