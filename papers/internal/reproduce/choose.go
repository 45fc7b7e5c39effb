package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

var chooseSets = []namedSet{
	{"Iris", from("iris", 1, 0)},
	{"Wine", from("wine", 1, 0)},
	{"Digits-389", from("pendigits", 10, 0, "3", "8", "9")},
	{"Letters-IJL", from("letter", 10, 0, "I", "J", "L")},
	{"WDBC", from("wdbc", 1, 0)},
}

// situations are how much is known and how much of it is wrong.
var situations = []struct {
	name string
	experiment.Amount
}{
	{"nothing", experiment.Amount{}},
	{"50 pairs", experiment.Amount{Pairs: 50}},
	{"200 pairs", experiment.Amount{Pairs: 200}},
	{"200 pairs, 20 % wrong", experiment.Amount{Pairs: 200, Noise: 0.2}},
	{"10 % labelled", experiment.Amount{Seeds: 0.1}},
	{"10 % labelled, 20 % wrong", experiment.Amount{Seeds: 0.1, Noise: 0.2}},
}

// Places in situations.
const (
	knowsNothing = 0
	knowsPairs   = 2
)

// chooseGroups are the methods for rows, with the situations each is tried in:
// those that use no constraints, those that use labels alone, and the others.
var chooseGroups = []struct {
	methods string
	in      []int
}{
	{"kmeans,kernel-kmeans,spectral", []int{0}},
	{"seeded-kmeans,constrained-kmeans", []int{4, 5}},
	{"cop-kmeans,pc-kmeans,m-kmeans,mpc-kmeans,hmrf-kmeans,hmrf-kmeans:inference=bp,kernel-hmrf-kmeans,graph-cut:knn=10,spectral-learning,csp", []int{0, 1, 2, 3, 4, 5}},
}

var plainMethods = []string{"kmeans", "kernel-kmeans", "spectral", "graph-cut"}

// A contender is a method on rows as they are or scaled, with its score in each
// situation, fold by fold; nil where it is not tried, or failed in some fold.
type contender struct {
	name   string
	plain  bool // without constraints it learns no metric and expects none
	scores [][]float64
	failed []bool
}

const chooseFolds = 2

// chooseRows fits all methods in all situations: 2 folds, adjusted Rand index on
// the half without constraints.
func chooseRows(ctx context.Context, l *Lab) error { return chooseOn(ctx, l, chooseSets) }

func chooseOn(ctx context.Context, l *Lab, sets []namedSet) error {
	best := Part{Title: "The best, chosen on one half of the repeats and scored on the other", Text: chooseNote,
		Head: []string{"set", "known", "best", "ari", "gain on the best plain clustering", "gain on the best without constraints"}}
	var fields [][]contender
	for _, of := range sets {
		s, err := of.read(l)
		if err != nil {
			return err
		}
		field, err := l.field(ctx, of.title, s)
		if err != nil {
			return err
		}
		fields = append(fields, field)
		if err := l.showField(of.title, len(s.Truth), field); err != nil {
			return err
		}
		plain, _ := pickBest(field, knowsNothing, plainOnes)
		blind, _ := pickBest(field, knowsNothing, anyone)
		for j, situation := range situations {
			winner, score := pickBest(field, j, anyone)
			onPlain, onBlind := winner.gain(j, plain), winner.gain(j, blind)
			best.Rows = append(best.Rows, []string{of.title, situation.name, winner.name, fmt.Sprintf("%.3f", score), signed(onPlain), signed(onBlind)})
			if j == knowsPairs {
				l.judgeBest("(ours) on "+of.title+" the best method with 200 pairs beats the best plain clustering", winner.name, plain.name, onPlain)
				l.judgeBest("(ours) the same, beside every method without pairs, metrics learned from rows alone included", winner.name, blind.name, onBlind)
			}
		}
	}
	l.Put(best)
	l.regret(sets, fields)
	return nil
}

const chooseNote = "Adjusted Rand index on the half of the rows without constraints. The best of many is in part the luckiest: so methods, " +
	"and whether features are scaled, are chosen by the even repeats, and the numbers here are of the odd ones. The rows are the same in both, " +
	"so luck that comes from these rows is not removed. Plain clustering is k-means, kernel k-means, spectral clustering and graph-cut without " +
	"constraints; the best without constraints may also learn a metric from the rows. Both are chosen by the truth too, which nobody has without constraints: " +
	"they are upper bounds, and the gains lower ones."

func (l *Lab) judgeBest(claim, winner, blind string, gain experiment.Mean) {
	v := Not
	switch {
	case above(gain):
		v = Reproduced
	case gain.Mean > 0:
		v = Partly
	}
	l.Claim(claim, v, "%s gains %s on %s", winner, signed(gain), blind)
}

// field makes all fits of a set.
func (l *Lab) field(ctx context.Context, title string, s *set) (field []contender, err error) {
	scaled, err := s.standardise()
	if err != nil {
		return nil, err
	}
	for at, group := range chooseGroups {
		methods, err := experiment.ParseMethods(group.methods)
		if err != nil {
			return nil, err
		}
		for _, of := range []struct {
			s    *set
			more string
		}{{s, ""}, {scaled, ", scaled"}} {
			c := &experiment.Curve{Problem: of.s.problem(), Truth: s.Truth, Methods: methods, Vary: experiment.Pairs,
				Folds: chooseFolds, Repeats: l.Repeats(4, 10), Measure: "ari", Settings: cluster.Default()}
			c.Settings.Restarts = l.Repeats(2, 4)
			for _, j := range group.in {
				c.Amounts = append(c.Amounts, situations[j].Amount)
			}
			t, err := l.fits(ctx, fmt.Sprintf("%s%s, group %d", title, of.more, at+1), c)
			if err != nil {
				return nil, err
			}
			for m := range methods {
				one := contender{t.Methods[m] + of.more, slices.Contains(plainMethods, methods[m].Name), make([][]float64, len(situations)), make([]bool, len(situations))}
				for a, j := range group.in {
					one.failed[j] = t.Cells[m][a].Failed > 0
					if !one.failed[j] {
						one.scores[j] = t.Scores(m, a)
					}
				}
				field = append(field, one)
			}
		}
	}
	return field, nil
}

// halfOf returns the scores of the even repeats (0) or the odd ones (1).
func halfOf(scores []float64, which int) (out []float64) {
	for i, v := range scores {
		if i/chooseFolds%2 == which {
			out = append(out, v)
		}
	}
	return out
}

func mean(y []float64) float64 { return paired(y, make([]float64, len(y))).Mean }

func anyone(contender) bool { return true }

func plainOnes(c contender) bool { return c.plain }

// gain returns by how much c in situation j is above another that knows
// nothing, over the odd repeats.
func (c contender) gain(j int, above contender) experiment.Mean {
	return paired(halfOf(c.scores[j], 1), halfOf(above.scores[knowsNothing], 1))
}

// pickBest returns the contender among some that is best in situation j over
// the even repeats, the first of them on ties, with its score over the odd
// ones.
func pickBest(field []contender, j int, among func(contender) bool) (best contender, score float64) {
	top := math.Inf(-1)
	for _, c := range field {
		if c.scores[j] == nil || !among(c) {
			continue
		}
		if v := mean(halfOf(c.scores[j], 0)); v > top {
			best, top = c, v
		}
	}
	return best, mean(halfOf(best.scores[j], 1))
}
