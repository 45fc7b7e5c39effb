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

// TestDocComments holds doc comments to the names of what they describe.
func TestDocComments(t *testing.T) {
	watch(t)
	fset := token.NewFileSet()
	for _, p := range list(t) {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			path := strings.TrimPrefix(p.Name()+"/"+name, Module+"/")
			file, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range StaleDocComments(fset, file) {
				t.Errorf("%s; a doc comment begins with the name that it describes", b)
			}
		}
	}
}

func TestStaleDocCommentsAreFound(t *testing.T) {
	for _, c := range []struct{ code, says string }{
		{"// ToDense returns a.\nfunc ToDense() {}", ""},
		{"// Table writes a out.\nfunc ToDense() {}", `the comment of ToDense begins "Table writes"`},
		{"// match pairs nodes.\nfunc (g *graph) matchEdges() {}", `matchEdges begins "match pairs"`},
		{"// A Missing is an error.\ntype MissingError struct{}", `MissingError begins "A Missing is"`},
		{"// A MissingError is an error.\ntype MissingError struct{}", ""},
		{"type (\n\t// Seen is a view.\n\tviewCut int\n)", `viewCut begins "Seen is"`},
		{"type t struct {\n\t// Plain are clusters.\n\tClusters []int\n}", `Clusters begins "Plain are"`},
		{"// most is a limit.\nconst limit = 3", `limit begins "most is"`},
		{"// most is a limit.\nconst (\n\ta = 3\n\tb = 4\n)", ""},
		{"// Two groups remain.\nfunc split() {}", ""},
		{"// The groups are numbered.\nfunc split() {}", ""},
		{"func split() {\n\t// this is a remark\n}", ""},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "planted.go", "package p\n\n"+c.code, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := StaleDocComments(fset, file)
		switch {
		case c.says == "" && len(got) > 0:
			t.Errorf("%s\nis refused: %v", c.code, got)
		case c.says != "" && (len(got) != 1 || !strings.Contains(got[0].String(), c.says)):
			t.Errorf("%s\nfound %v, wanted one that says %s", c.code, got, c.says)
		}
	}
}
