package reproduce

import (
	"context"
	"strings"
	"testing"
)

// handMade is a field of two methods: in the even repeats the first is better
// by luck, in the odd ones the second is.
func handMade() []contender {
	scores := func(nothing, pairs []float64) [][]float64 {
		return [][]float64{nothing, nil, pairs, nil, nil, nil}
	}
	return []contender{
		{"lucky", true, scores([]float64{.5, .5, .3, .3}, []float64{.9, .9, .2, .2}), make([]bool, 6)},
		{"steady", false, scores([]float64{.4, .4, .4, .4}, []float64{.6, .6, .6, .6}), make([]bool, 6)},
	}
}

func TestPickBestScoresOnTheOtherHalf(t *testing.T) {
	field := handMade()
	best, score := pickBest(field, knowsPairs, anyone)
	if best.name != "lucky" || !near(score, 0.2) {
		t.Errorf("%s with %v, want lucky with 0.2, which it has in the odd repeats", best.name, score)
	}
	best, score = pickBest(field, knowsPairs, func(c contender) bool { return !c.plain })
	if best.name != "steady" || !near(score, 0.6) {
		t.Errorf("%s with %v, want steady with 0.6", best.name, score)
	}
}

func TestBehind(t *testing.T) {
	sets := []namedSet{{title: "One-1"}, {title: "Two"}}
	other := handMade()
	other[0].scores[knowsPairs] = []float64{.1, .1, .1, .1}
	// lucky is behind by 0.05 on the first set (0.55 and 0.6), by 0.5 on the second.
	if got, want := behind(sets, [][]contender{handMade(), other}, 0, knowsPairs), "0.275 (Two 0.500)"; got != want {
		t.Errorf("behind %q, want %q", got, want)
	}
	if got := behind(sets, [][]contender{handMade(), other}, 0, 1); got != "" {
		t.Errorf("behind %q where it was not tried", got)
	}
	other[0].failed[knowsPairs] = true
	if got := behind(sets, [][]contender{handMade(), other}, 0, knowsPairs); got != "failed" {
		t.Errorf("behind %q where it failed", got)
	}
}

func near(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }

// TestChoose is the whole recipe on Iris, which is built in.
func TestChoose(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	r := Recipe{ID: "choose", run: func(ctx context.Context, l *Lab) error { return chooseOn(ctx, l, chooseSets[:1]) }}
	sheet := cookTwice(t, r, 2)
	if len(sheet.Claims) != 2 {
		t.Fatalf("claims %+v, want two of one set", sheet.Claims)
	}
	text := pages(t, sheet)
	for _, want := range []string{"| constrained-kmeans, scaled |", "| Iris | 200 pairs, 20 % wrong |", "How far behind the best"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Error("the page has a number that is none")
	}
}

// TestChooseAll is the recipe over all rows on Iris.
func TestChooseAll(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	r := Recipe{ID: "choose-all", run: func(ctx context.Context, l *Lab) error { return chooseAllOn(ctx, l, chooseSets[:1]) }}
	sheet := cookTwice(t, r, 2)
	if len(sheet.Claims) != 2 || sheet.Claims[0].Verdict != Reproduced {
		t.Fatalf("claims %+v, want two, and 200 pairs to beat plain clustering on Iris", sheet.Claims)
	}
}
