package reproduce

import (
	"context"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// What is promised is judged by hand: one set loses a little with true pairs, and
// one fit of four is worse.
func TestJudgeTrust(t *testing.T) {
	l := &Lab{Full: true, sheet: &Sheet{}}
	sets := []*trustSet{{title: "A"}, {title: "B"}}
	amounts := []trustAmount{{Pairs: 100}, {Pairs: 200, Wrong: 0.2}}
	fits := map[[2]int][]trustFit{
		{0, 0}: {{With: 0.9, Without: 0.5, WithFree: 0.8, WithoutFree: 0.5, Best: 0.9}, {With: 0.8, Without: 0.5, WithFree: 0.8, WithoutFree: 0.5, Best: 1}},
		{1, 0}: {{With: 0.48, Without: 0.5, WithFree: 0.5, WithoutFree: 0.5, Best: 0.5}, {With: 0.495, Without: 0.5, WithFree: 0.5, WithoutFree: 0.5, Best: 0.5}},
		{0, 1}: {{With: 0.6, Without: 0.5, Best: 0.6}, {With: 0.62, Without: 0.5, Best: 0.62}},
		{1, 1}: {{With: 0.6, Without: 0.5, Best: 0.6}, {With: 0.62, Without: 0.5, Best: 0.62}},
	}
	l.judgeTrust(sets, amounts, func(s, a int) []trustFit { return fits[[2]int{s, a}] })
	want := []struct {
		verdict Verdict
		numbers string
	}{
		{Reproduced, "4 of 4 comparisons"}, // −0.0125 ± 0.0075 is within two standard errors
		{Not, "25.0 % of 4 fits, counting rows in no constraint alone 0.0 %"},
		{Reproduced, "0.0 % of 0 fits, counting rows in no constraint alone 0.0 %"},
		{Reproduced, "0.0 % of 4 fits, counting rows in no constraint alone 0.0 %"},
		{Reproduced, "+0.169 ± 0.107"},
		{Reproduced, "+0.110 ± 0.006"},
		{Reproduced, "0.028 ± 0.025"},
	}
	if len(l.sheet.Claims) != len(want) {
		t.Fatalf("%d claims, want %d: %+v", len(l.sheet.Claims), len(want), l.sheet.Claims)
	}
	for i, w := range want {
		if c := l.sheet.Claims[i]; c.Verdict != w.verdict || c.Numbers != w.numbers {
			t.Errorf("%s: %s, %q, want %s, %q", c.Text, c.Verdict, c.Numbers, w.verdict, w.numbers)
		}
	}
}

func TestRowsWithoutConstraints(t *testing.T) {
	s := &constraint.Set{Labels: []constraint.Label{{I: 1}}, Must: []constraint.Pair{{I: 0, J: 4, W: 1}}, Cannot: []constraint.Pair{{I: 4, J: 5, W: 1}}}
	if got := rowsWithout(s, 7); !slices.Equal(got, []int{2, 3, 6}) {
		t.Errorf("rows in no constraint %v, want 2, 3 and 6", got)
	}
}

// The recipes on one small set, each twice: the second time from the log.
func TestTrustIsSteady(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	for _, of := range []struct {
		id    string
		run   func(*Lab, context.Context, []*trustSet) error
		parts int
	}{{"trust-choice", (*Lab).trustChoice, 2}, {"trust-suspects", (*Lab).trustSuspects, 1}, {"trust-confidence", (*Lab).trustConfidence, 2}, {"trust-methods", (*Lab).trustMethods, 1}} {
		sheet := cookTwice(t, Recipe{ID: of.id, run: func(ctx context.Context, l *Lab) error {
			s, err := blobs(120, 3, 4, 2, 5, false)(l)
			if err != nil {
				return err
			}
			return of.run(l, ctx, []*trustSet{{title: "3 blobs", p: s.problem(), truth: s.Truth, table: true}})
		}}, 1)
		if len(sheet.Parts) != of.parts {
			t.Errorf("%s has %d parts, want %d", of.id, len(sheet.Parts), of.parts)
		}
	}
}
