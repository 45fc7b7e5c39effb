package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command that the README shows runs as it stands, on files such as it
// speaks of.
func TestReadmeCommandsRun(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := customers(t)
	ran := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(line, "go run ./cmd/")
		if !strings.HasPrefix(line, "inkling ") || strings.Contains(line, "`") {
			continue
		}
		ran++
		words := strings.Fields(line)
		if testing.Short() && words[1] == "curve" {
			continue // hundreds of fits
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands were found", ran)
	}
}

// What the README shows of its first command is what that prints, but for the time.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(text), "```\n", 5)
	if len(parts) < 5 {
		t.Fatal("README.md must begin with a block of the first command and a block of what it prints")
	}
	words := strings.Fields(strings.TrimPrefix(parts[1], "go run ./cmd/"))
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = t.TempDir()
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	seconds := regexp.MustCompile(`[0-9.]+ s\n`)
	untimed := func(s string) string { return seconds.ReplaceAllString(s, "TIME\n") }
	if want := untimed(parts[3]); untimed(string(got)) != want {
		t.Errorf("README.md shows\n%s\nbut this is printed:\n%s", want, got)
	}
}

// customers writes a table of customers, some of known segment, a few pairs,
// new customers, and the truth about all.
func customers(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	segments := []string{"new", "loyal", "lapsed", "big", "small", "odd"}
	table, truth := "customer,segment,spend,visits\n", "id,label\n"
	fresh := "customer,spend,visits\n"
	for i := range 60 {
		k, known := i%6, ""
		if i < 30 {
			known = segments[k]
		}
		spend, visits := 100*k+i%7, 5*((k+3)%6)+i%3
		table += fmt.Sprintf("c%d,%s,%d,%d\n", i, known, spend, visits)
		truth += fmt.Sprintf("c%d,%s\n", i, segments[k])
		fresh += fmt.Sprintf("n%d,%d,%d\n", i, spend+1, visits)
	}
	for name, text := range map[string]string{
		"customers.csv": table, "truth.csv": truth, "new-customers.csv": fresh,
		"pairs.csv": "a,b,kind\nc0,c6,must\nc0,c1,cannot\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
