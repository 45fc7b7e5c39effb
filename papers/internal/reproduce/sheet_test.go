package reproduce

import (
	"image"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		held, all int
		want      Verdict
	}{{3, 3, Reproduced}, {2, 3, Partly}, {0, 3, Not}, {0, 0, Not}} {
		if got := Of(c.held, c.all); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.held, c.all, got, c.want)
		}
	}
}

func written(t *testing.T, s *Sheet, timed bool) string {
	t.Helper()
	r := s.Result(&Lab{Seed: 1, Program: "a build"})
	r.Claims = slices.DeleteFunc(slices.Clone(r.Claims), func(c Claim) bool { return c.Timed != timed })
	r.Parts = slices.DeleteFunc(r.Parts, func(p ResultPart) bool { return p.Timed != timed })
	var b strings.Builder
	if err := r.Page(&b, "folder"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A sheet by hand, of which one part and one claim are about times.
func TestSheetIsWritten(t *testing.T) {
	s := &Sheet{
		Recipe: Recipe{ID: "a-b", Paper: "Somebody 1999, Something", Title: "An experiment"},
		Parts: []Part{
			{Title: "Numbers", Text: "Words.", Head: []string{"x", "y|z"}, Rows: [][]string{{"1", "a|b"}}, Files: []File{{"a-b-numbers.svg", []byte("<svg/>")}}},
			{Title: "Seconds", Head: []string{"s"}, Rows: [][]string{{"7"}}, Timed: true},
		},
		Claims: []Claim{{"it | works", Partly, "1 of 2", false}, {"it is fast", Not, "7 s", true}},
	}
	const want = `# a-b: An experiment

Somebody 1999, Something. Seed 1, few repeats, measured by a build.

| the paper says | verdict | numbers |
|---|---|---|
| it \| works | **partly** | 1 of 2 |

## Numbers

Words.

| x | y\|z |
|---:|---:|
| 1 | a\|b |

![Numbers](folder/a-b-numbers.svg)
`
	if got := written(t, s, false); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	const times = `# a-b: An experiment

Somebody 1999, Something. Seed 1, few repeats, measured by a build.

| the paper says | verdict | numbers |
|---|---|---|
| it is fast | **not** | 7 s |

## Seconds

| s |
|---:|
| 7 |
`
	if got := written(t, s, true); got != times {
		t.Errorf("%s\nwant\n%s", got, times)
	}
	if f := s.Files(); len(f) != 1 || f[0].Name != "a-b-numbers.svg" {
		t.Errorf("files %v", f)
	}
	if err := (&Result{Claims: []Claim{{Text: "c"}}}).Page(full{}, ""); err == nil {
		t.Error("a page that cannot be written is no error")
	}
}

// A table comes with a chart where it has a curve, and claims with numbers.
func TestLabPutsThings(t *testing.T) {
	l := labOf("r-x")
	l.sheet = &Sheet{}
	for _, x := range [][]float64{{1}, {1, 2}} {
		values := [][][]float64{make([][]float64, len(x)), make([][]float64, len(x))}
		for m := range values {
			for a := range x {
				values[m][a] = []float64{0.5, 0.7 + float64(m)}
			}
		}
		table, err := experiment.Tabulate("ARI", "pairs", []string{"a", "b"}, x, values)
		if err != nil {
			t.Fatal(err)
		}
		l.Table("A table, of "+strings.Repeat("i", len(x)), table)
	}
	if p := l.sheet.Parts; len(p) != 2 || len(p[0].Files) != 0 || len(p[1].Files) != 1 || p[1].Files[0].Name != "r-x-a-table-of-ii.svg" {
		t.Errorf("parts %+v", p)
	}
	l.Claim("c", Partly, "%d", 7)
	l.TimeClaim("d", Not, "%d s", 8)
	if c := l.sheet.Claims; len(c) != 2 || c[0].Numbers != "7" || c[0].Timed || !c[1].Timed {
		t.Errorf("claims %+v", c)
	}
	f, err := l.Picture("A picture", image.NewGray(image.Rect(0, 0, 2, 2)))
	if err != nil || f.Name != "r-x-a-picture.png" || !strings.HasPrefix(string(f.Content), "\x89PNG") {
		t.Errorf("%v, %v", f, err)
	}
	if l.Repeats(3, 50) != 3 || (&Lab{Full: true}).Repeats(3, 50) != 50 {
		t.Error("repeats")
	}
}

func TestSelect(t *testing.T) {
	all := Recipes()
	if got, err := Select(); err != nil || len(got) != len(all) {
		t.Fatalf("%d recipes, %v", len(got), err)
	}
	got, err := Select("csp-moons", "csp-toy", "csp-moons")
	if err != nil || len(got) != 2 || got[0].ID != "csp-toy" || got[1].ID != "csp-moons" {
		t.Errorf("%v, %v: want both, in the order of the list", ids(got), err)
	}
	got, err = Select("csp-uci")
	if err != nil || !slices.Equal(ids(got), []string{"csp-uci-iris", "csp-uci-wine", "csp-uci-wdbc"}) {
		t.Errorf("%v, %v", ids(got), err)
	}
	for _, bad := range []string{"", "cs", "csp-", "csp-moon", "nothing"} {
		if got, err := Select("csp-toy", bad); err == nil {
			t.Errorf("%q: %v", bad, ids(got))
		}
	}
}

func ids(list []Recipe) (out []string) {
	for _, r := range list {
		out = append(out, r.ID)
	}
	return out
}

// Every recipe has a name of its own, a paper, a title, and data that somebody
// can find.
func TestRecipesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Recipes() {
		if seen[r.ID] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`).MatchString(r.ID) {
			t.Errorf("the name %q is not one, or not the only", r.ID)
		}
		seen[r.ID] = true
		if r.Paper == "" || r.Title == "" || r.run == nil {
			t.Errorf("%s is not complete", r.ID)
		}
		for _, set := range r.Needs {
			if sources[set] == "" {
				t.Errorf("%s needs %s, which has no source", r.ID, set)
			}
		}
	}
}
