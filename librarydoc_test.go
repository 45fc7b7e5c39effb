package inkling_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every piece of Go in docs/LIBRARY.md and in the README stands, line by line, in
// an example that is run.
func TestLibraryPageIsRun(t *testing.T) {
	code, err := os.ReadFile("library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	all := dedented(string(code))
	for page, least := range map[string]int{filepath.Join("docs", "LIBRARY.md"): 10, "README.md": 1} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		pieces := 0
		for at, piece := range strings.Split(string(text), "```") {
			piece, isGo := strings.CutPrefix(piece, "go\n")
			if at%2 == 0 || !isGo {
				if at%2 == 1 && least > 1 {
					t.Errorf("%s: a piece of code is not marked as go: %.40q", page, piece)
				}
				continue
			}
			pieces++
			if !strings.Contains(all, dedented(piece)) {
				t.Errorf("%s: no example has these lines:\n%s", page, piece)
			}
		}
		if pieces < least {
			t.Errorf("%s: only %d pieces of code were found", page, pieces)
		}
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
