package reproduce

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// The results that are kept are those of every recipe, in the form that a run
// writes, with all their charts; the page of verdicts is made from them.
func TestKeptResults(t *testing.T) {
	results, err := ReadResults(os.DirFS("../results"))
	if err != nil {
		t.Fatal(err)
	}
	recipes := Recipes()
	if len(results) != len(recipes) {
		t.Fatalf("%d results are kept, there are %d recipes", len(results), len(recipes))
	}
	for i, r := range results {
		if r.ID != recipes[i].ID || r.Paper != recipes[i].Paper || r.Title != recipes[i].Title {
			t.Errorf("%s is kept as %q, %q, want %s, %q, %q", r.ID, r.Paper, r.Title, recipes[i].ID, recipes[i].Paper, recipes[i].Title)
		}
		kept, err := os.ReadFile(filepath.Join("..", "results", r.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil || !bytes.Equal(b.Bytes(), kept) {
			t.Errorf("%s: written again it differs, %v", r.ID, err)
		}
		for _, p := range r.Parts {
			for _, name := range p.Charts {
				if _, err := os.Stat(filepath.Join("..", "results", "charts", name)); err != nil {
					t.Error(err)
				}
			}
		}
	}
	page, err := os.ReadFile("../evidence/VERDICTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteVerdicts(&b, results); err != nil || !bytes.Equal(b.Bytes(), page) {
		t.Errorf("evidence/VERDICTS.md is not what the results give, %v: run go run -C papers ./cmd/reproduce pages", err)
	}
}

func TestReadResultsRefusesOthers(t *testing.T) {
	for name, content := range map[string]string{
		"csp-toy.json": `{"schema": "inkling.paper-result/1", "id": "csp-moons"}`, // another recipe
		"nobody.json":  `{"schema": "inkling.paper-result/1", "id": "nobody"}`,
		"csp-uci.json": `{"schema": "inkling.paper-result/2", "id": "csp-uci"}`,
		"csp-sun.json": `{`,
	} {
		if _, err := ReadResults(fstest.MapFS{name: {Data: []byte(content)}}); err == nil {
			t.Errorf("%s with %s is taken", name, content)
		}
	}
}
