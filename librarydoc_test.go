package inkling_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every piece of code in docs/LIBRARY.md stands, line by line, in an example
// that is run.
func TestLibraryPageIsRun(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("docs", "LIBRARY.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	all, pieces := dedented(string(code)), 0
	for at, piece := range strings.Split(string(page), "```") {
		if at%2 == 0 {
			continue
		}
		piece, ok := strings.CutPrefix(piece, "go\n")
		if !ok {
			t.Errorf("a piece of code is not marked as go: %.40q", piece)
			continue
		}
		pieces++
		if !strings.Contains(all, dedented(piece)) {
			t.Errorf("no example has these lines:\n%s", piece)
		}
	}
	if pieces < 10 {
		t.Errorf("only %d pieces of code were found", pieces)
	}
}

// dedented returns the lines of text that hold anything, without what they
// begin and end with.
func dedented(text string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
