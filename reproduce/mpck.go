package reproduce

import (
	"context"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/experiment"
)

var mpckRecipes = []Recipe{
	{"mpck-iris", mpckPaper, "MPC-, PC- and M-KMeans on Iris", nil, mpck("iris", 1)},
	{"mpck-wine", mpckPaper, "MPC-, PC- and M-KMeans on Wine", nil, mpck("wine", 1)},
	{"mpck-digits", mpckPaper, "MPC-, PC- and M-KMeans on Digits-389", []string{"pendigits"}, mpck("pendigits", 10, "3", "8", "9")},
	{"mpck-letters", mpckPaper, "MPC-, PC- and M-KMeans on Letters-IJL", []string{"letter"}, mpck("letter", 10, "I", "J", "L")},
}

// The methods, as near to the paper as our parameters go, and as shipped.
const (
	mpckPrinted = "mpc-kmeans:penalty=mpc:init=largest:thaw=false:complexity=none:literal=true," +
		"pc-kmeans:init=largest:weight=1:thaw=false,m-kmeans:literal=true,kmeans:init=random"
	mpckShipped = "mpc-kmeans,pc-kmeans,m-kmeans,kmeans"
)

// The columns of both tables.
const (
	atMPC = iota
	atPC
	atM
	atKMeans
)

var mpckNames = []string{"MPC", "PC", "M", "k-means"}

// mpck is section 4 of the paper: 10 folds, 50 repeats, F of pairs on the rows
// of the fold, pairs drawn from the other folds.
func mpck(name string, every int, classes ...string) func(context.Context, *Lab) error {
	return func(ctx context.Context, l *Lab) error {
		s, err := l.pick(name, every, classes...)
		if err != nil {
			return err
		}
		printed, err := l.pairCurve(ctx, "As printed", s, mpckPrinted, 10, l.Repeats(10, 50), "f", []int{0, 20, 50, 100, 200, 400}, mpckNames...)
		if err != nil {
			return err
		}
		shipped, err := l.pairCurve(ctx, "As shipped", s, mpckShipped, 10, l.Repeats(10, 50), "f", []int{0, 20, 50, 100, 200, 400}, mpckNames...)
		if err != nil {
			return err
		}
		for _, of := range []struct {
			how string
			t   *experiment.Table
		}{{"printed", printed}, {"shipped", shipped}} {
			l.judgeAhead(of.t, atMPC, atPC, 0, "metric and pairs together beat pairs alone: MPC > PC, "+of.how)
			l.judgeAhead(of.t, atMPC, atM, 1, "they beat the metric alone: MPC > M, "+of.how)
		}
		l.judgeAhead(shipped, atPC, atKMeans, 1, "pairs help without a metric: PC > k-means, shipped")
		return nil
	}
}

// pairCurve is Curve over numbers of pairs.
func (l *Lab) pairCurve(ctx context.Context, title string, s *set, methods string, folds, repeats int, measure string, pairs []int, names ...string) (*experiment.Table, error) {
	parsed, err := experiment.ParseMethods(methods)
	if err != nil {
		return nil, err
	}
	c := &experiment.Curve{Problem: s.problem(), Truth: s.Truth, Methods: parsed, Vary: experiment.Pairs,
		Folds: folds, Repeats: repeats, Measure: measure}
	for _, n := range pairs {
		c.Amounts = append(c.Amounts, experiment.Amount{Pairs: n})
	}
	return l.Curve(ctx, title, c, names...)
}

// judgeAhead judges the claim that method a is ahead of method b at every amount
// from the one at place first on: ahead is by more than two standard errors of
// the paired difference.
func (l *Lab) judgeAhead(t *experiment.Table, a, b, first int, claim string) {
	held, all := 0, 0
	var numbers []string
	for at := first; at < len(t.X); at++ {
		d := t.Compare(a, b, at).Difference
		all++
		if d.Mean > 2*d.SE {
			held++
		}
		numbers = append(numbers, fmt.Sprintf("%+.3f ± %.3f at %g", d.Mean, d.SE, t.X[at]))
	}
	l.Claim(claim, Of(held, all), "%s", strings.Join(numbers, ", "))
}
