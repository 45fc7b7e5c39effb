package reproduce

import (
	"math"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// tableOf makes a table of draws at 0, 20, … pairs, for each method the means;
// every mean stands for four draws about it.
func tableOf(t *testing.T, means ...[]float64) *experiment.Table {
	t.Helper()
	x := []float64{0, 20, 50, 100, 200, 400}[:len(means[0])]
	var names []string
	var values [][][]float64
	for m, curve := range means {
		names = append(names, string(rune('a'+m)))
		var cells [][]float64
		for _, v := range curve {
			cells = append(cells, []float64{v - 0.01, v + 0.01, v - 0.02 + 0.005*float64(m), v + 0.02})
		}
		values = append(values, cells)
	}
	table, err := experiment.Tabulate("f", "pairs", names, x, values)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func labOfTest() *Lab {
	r := Recipe{ID: "test"}
	return &Lab{recipe: r, sheet: &Sheet{Recipe: r}, Seed: 1, Workers: 2}
}

func (l *Lab) lastClaim() Claim { return l.sheet.Claims[len(l.sheet.Claims)-1] }

func TestJudges(t *testing.T) {
	for _, of := range []struct {
		name  string
		judge func(l *Lab) // puts one claim
		want  Verdict
	}{
		{"ahead everywhere", func(l *Lab) { l.judgeAhead(tableOf(t, []float64{.5, .6}, []float64{.4, .5}), 0, 1, 0, "") }, Reproduced},
		{"ahead once", func(l *Lab) { l.judgeAhead(tableOf(t, []float64{.5, .6}, []float64{.4, .6}), 0, 1, 0, "") }, Partly},
		{"level", func(l *Lab) { l.judgeAhead(tableOf(t, []float64{.5, .6}, []float64{.5, .6}), 0, 1, 0, "") }, Not},
		{"ahead from the second on", func(l *Lab) { l.judgeAhead(tableOf(t, []float64{.5, .6}, []float64{.7, .5}), 0, 1, 1, "") }, Reproduced},
		{"rises", func(l *Lab) { l.judgeRise(tableOf(t, []float64{.5, .4, .6}), 0, "") }, Reproduced},
		{"falls", func(l *Lab) { l.judgeRise(tableOf(t, []float64{.5, .7, .4}), 0, "") }, Not},
		{"dips and rises", func(l *Lab) { l.judgeDip(tableOf(t, []float64{.5, .4, .45, .6}), 0, "") }, Reproduced},
		{"dips late and rises", func(l *Lab) { l.judgeDip(tableOf(t, []float64{.5, .55, .4, .6}), 0, "") }, Reproduced},
		{"dips and stays", func(l *Lab) { l.judgeDip(tableOf(t, []float64{.5, .4, .3, .3}), 0, "") }, Partly},
		{"only rises", func(l *Lab) { l.judgeDip(tableOf(t, []float64{.5, .6, .7, .8}), 0, "") }, Not},
		{"helps at once, then less", func(l *Lab) {
			l.judgeAtOnce(tableOf(t, []float64{0, 0, 0, 0, 0, 0}, []float64{.5, .6, .65, .68, .69, .70}), "")
		}, Reproduced},
		{"helps at once, then more", func(l *Lab) {
			l.judgeAtOnce(tableOf(t, []float64{0, 0, 0, 0, 0, 0}, []float64{.3, .33, .34, .35, .6, .9}), "")
		}, Partly},
		{"helps late", func(l *Lab) {
			l.judgeAtOnce(tableOf(t, []float64{0, 0, 0, 0, 0, 0}, []float64{.5, .4, .4, .4, .6, .8}), "")
		}, Not},
		{"flat", func(l *Lab) { l.judgeFlat(tableOf(t, []float64{.5, .3, .52}), "") }, Reproduced},
		{"not flat", func(l *Lab) { l.judgeFlat(tableOf(t, []float64{.5, .5, .6}), "") }, Not},
		{"caught up", func(l *Lab) {
			l.judgeCaughtUp(tableOf(t, []float64{.5, .7, .8}, []float64{.5, .7, .8}, []float64{.5, .6, .8}), atICM, "")
		}, Reproduced},
		{"nearly caught up", func(l *Lab) {
			l.judgeCaughtUp(tableOf(t, []float64{.5, .8, .85}, []float64{.5, .8, .85}, []float64{.5, .6, .8}), atICM, "")
		}, Partly},
		{"never caught up", func(l *Lab) {
			l.judgeCaughtUp(tableOf(t, []float64{.5, .7, .9}, []float64{.5, .7, .9}, []float64{.5, .6, .7}), atICM, "")
		}, Not},
		{"reaches 1", func(l *Lab) { l.judgeReaches(tableOf(t, []float64{.5, .8, 1}), 0, 50, 0.99, "") }, Reproduced},
		{"does not reach 1", func(l *Lab) { l.judgeReaches(tableOf(t, []float64{.5, .8, .9}), 0, 50, 0.99, "") }, Not},
		{"nothing", func(l *Lab) { l.judgeNothing(tableOf(t, []float64{.02, .01}), 0, "") }, Reproduced},
		{"something", func(l *Lab) { l.judgeNothing(tableOf(t, []float64{.2, .5}), 0, "") }, Not},
	} {
		l := labOfTest()
		of.judge(l)
		if got := l.lastClaim(); got.Verdict != of.want || strings.Contains(got.Numbers, "NaN") {
			t.Errorf("%s: %s (%s), want %s", of.name, got.Verdict, got.Numbers, of.want)
		}
	}
}

func TestRiseIsPaired(t *testing.T) {
	// The draws differ by 0.3 among themselves, but each rises by 0.1 sharp.
	table, err := experiment.Tabulate("f", "pairs", []string{"a"}, []float64{0, 20}, [][][]float64{{{.1, .4, .7, math.NaN()}, {.2, .5, .8, .9}}})
	if err != nil {
		t.Fatal(err)
	}
	if d := rise(table, 0, 1, 0); d.N != 3 || math.Abs(d.Mean-0.1) > 1e-12 || d.SE > 1e-12 {
		t.Errorf("rise %+v, want 0.1 in each of 3 draws", d)
	}
}

func TestGains(t *testing.T) {
	l := labOfTest()
	l.gains("gains", tableOf(t, []float64{.5, .6}, []float64{.4, .6}))
	p := l.sheet.Parts[0]
	if len(p.Rows) != 2 || p.Head[1] != "a − b" || !strings.HasPrefix(p.Rows[0][1], "+0.099 ± ") {
		t.Errorf("gains: %q %q", p.Head, p.Rows)
	}
}
