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
	results, err := ReadResults(os.DirFS("../../results"))
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
		kept, err := os.ReadFile(filepath.Join("..", "..", "results", r.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil || !bytes.Equal(b.Bytes(), kept) {
			t.Errorf("%s: written again it differs, %v", r.ID, err)
		}
		for _, p := range r.Parts {
			for _, name := range p.Charts {
				if _, err := os.Stat(filepath.Join("..", "..", "results", "charts", name)); err != nil {
					t.Error(err)
				}
			}
		}
	}
	page, err := os.ReadFile("../../evidence/VERDICTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteVerdicts(&b, results); err != nil || !bytes.Equal(b.Bytes(), page) {
		t.Errorf("evidence/VERDICTS.md is not what the results give, %v: run go run -C papers ./cmd/reproduce pages", err)
	}
	pages, err := filepath.Glob("../../evidence/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	parts := 0
	for _, path := range pages {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parts += len(pagePart.FindAll(page, -1))
		if made, err := FillPage(string(page), results); err != nil || made != string(page) {
			t.Errorf("%s is not what the results give, %v: run go run -C papers ./cmd/reproduce pages", path, err)
		}
	}
	if parts < 10 {
		t.Errorf("only %d parts of pages are made from results", parts)
	}
}

func TestFillPage(t *testing.T) {
	r := &Result{ID: "csp-toy", Title: "a toy", Build: "commit 1", Seed: 1, Claims: []Claim{{Text: "(ours) it | cuts", Verdict: Reproduced, Numbers: "2 of 2"}, {Text: "b", Verdict: Not}},
		Parts: []ResultPart{{Title: "Cuts", Head: []string{"a"}, Rows: [][]string{{"1"}}}}}
	got, err := FillPage("Ours.\n<!-- claims csp-toy -->\nold\n<!-- end -->\nMore.\n<!-- result csp-toy -->\n<!-- end -->\n", []*Result{r})
	want := "Ours.\n<!-- claims csp-toy -->\nOf 2 claims 1 are reproduced, 0 partly, 1 not (`csp-toy`; few repeats; [VERDICTS.md](VERDICTS.md) has each).\n<!-- end -->\nMore.\n" +
		"<!-- result csp-toy -->\n## csp-toy: a toy\n\nMeasured by commit 1, seed 1, few repeats.\n\n| claim | verdict | numbers |\n|---|---|---|\n| it \\| cuts | reproduced | 2 of 2 |\n| b | not |  |\n" +
		"\n### Cuts\n\n| a |\n|---:|\n| 1 |\n\n<!-- end -->\n"
	if err != nil || got != want {
		t.Errorf("%v, got\n%q, want\n%q", err, got, want)
	}
	for _, bad := range []string{"<!-- result nobody -->\n<!-- end -->", "<!-- result csp-toy -->\n"} {
		if _, err := FillPage(bad, []*Result{r}); err == nil {
			t.Errorf("%q is taken", bad)
		}
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
