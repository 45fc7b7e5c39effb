package layers

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pendingWords lists documents and packages, a package with all below it, that
// still contain an avoided phrase or a private name of avoidedphrases.go. One that
// contains none any more must be taken off: the list only gets shorter.
var pendingWords = []string{}

// wordsApart are files that have to contain what the lists forbid: the lists.
var wordsApart = []string{"internal/layers/avoidedphrases.go"}

// breachesOfWords returns the breaches of every document and of every Go file,
// tests aside, by path from the root of the module.
func breachesOfWords(t *testing.T) map[string][]TextBreach {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string][]TextBreach{}
	fset := token.NewFileSet()
	for _, p := range list(t) {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			path := strings.TrimPrefix(p.Name()+"/"+name, Module+"/")
			if strings.HasSuffix(name, "_test.go") || slices.Contains(wordsApart, path) {
				continue
			}
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			found[path] = append(PhrasesOf(fset, file), NamesOf(fset, name, file)...)
		}
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, filepath.Join(root, "papers", "evidence", "README.md"))
	for _, file := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.ToSlash(path)
		found[path] = nil
		for i, line := range strings.Split(string(text), "\n") {
			for _, what := range AvoidedPhrases(line) {
				found[path] = append(found[path], TextBreach{token.Position{Filename: path, Line: i + 1}, "says " + what})
			}
		}
	}
	return found
}

// TestWords holds what users and readers read to the lists of avoidedphrases.go. With -v
// it prints what is left to do in pending packages.
func TestWords(t *testing.T) {
	watch(t)
	found := breachesOfWords(t)
	left := map[string]int{}
	covering := func(path string) string {
		for _, p := range pendingWords {
			if path == p || strings.HasPrefix(path, p+"/") {
				return p
			}
		}
		return ""
	}
	paths := make([]string, 0, len(found))
	for path := range found {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		entry := covering(path)
		left[entry] += len(found[path])
		for _, b := range found[path] {
			if entry != "" {
				t.Logf("pending: %s", b)
			} else {
				t.Errorf("%s; see internal/layers/avoidedphrases.go", b)
			}
		}
	}
	for _, entry := range pendingWords {
		if left[entry] == 0 {
			t.Errorf("%s contains no avoided phrase and no private name any more: take it off pendingWords in internal/layers/avoidedphrases_test.go", entry)
		}
	}
}

func TestAvoidedPhrases(t *testing.T) {
	for text, want := range map[string]int{
		"there is no file %q":                         0,
		"it is no longer needed":                      0,
		"tell the two groups apart":                   0,
		"use --labels to give labels":                 0,
		"no labels or links given; runs unsupervised": 0,
		"the heading of a pressure gauge":             0,
		"batches is \"x\", which is no int":           1,
		"Tell the version":                            1,
		"Not honoured, the dearest first":             2,
		"100 pieces of\nknowledge":                    1,
		"graph-cut has nothing to heed":               2,
		"what was known":                              1,
	} {
		if got := AvoidedPhrases(text); len(got) != want {
			t.Errorf("%q: found %q, wanted %d", text, got, want)
		}
	}
}

func TestPhrasesAndNamesOfAFile(t *testing.T) {
	const code = `package p
import _ "told"
type Options struct {
	A int ` + "`json:\"told\" help:\"compute anew\"`" + `
	told int
}
var tollGate, honest = "it is said", "fine"
func (o Options) crowdCost() {}
func background() { bill := 1; _ = bill }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "checkverb.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range append(PhrasesOf(fset, file), NamesOf(fset, "checkverb.go", file)...) {
		got = append(got, b.String())
	}
	want := []string{
		`checkverb.go:4: says "anew" (write: again)`,
		`checkverb.go:7: says "it is said" (write: say who says it)`,
		`checkverb.go:1: the file name contains "verb" (as a name: command)`,
		`checkverb.go:7: the name tollGate contains "toll" (write: penalty)`,
		`checkverb.go:8: the name crowdCost contains "crowd" (write: largeComponent)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, want := range map[string]string{"table.go": "", "tab.go": "tab", "cloud.go": "", "backgrounds.go": "", "hmrfmood.go": "mood", "crowds_amd64.go": "crowd", "rectangle.go": ""} {
		if got := privateFileName(name); got != want {
			t.Errorf("%s: found %q, wanted %q", name, got, want)
		}
	}
}
