package reproduce

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// separable is the adjusted Rand index without constraints above which a set counts
// as separable.
const separable = 0.5

// suspectMixtures are 100 constraints of which 15 % are wrong, with the average
// precision to reach on separable sets and on others.
var suspectMixtures = []struct {
	name              string
	labels, pairs     int
	separable, others float64
}{
	{"50 labels and 50 pairs", 50, 50, 0.85, 0.45},
	{"100 labels", 100, 0, 0.85, 0.45},
	{"100 pairs", 0, 100, 0.8, 0.3},
}

const wrongShare = 0.15

// trustSuspects measures how well wrong constraints are found.
func (l *Lab) trustSuspects(ctx context.Context, sets []*trustSet) error {
	draws := l.Repeats(2, 4)
	var keys []string
	for _, s := range sets {
		for _, m := range suspectMixtures {
			for d := range draws {
				keys = append(keys, fmt.Sprintf("%s, %s, draw %d", s.title, m.name, d))
			}
		}
	}
	type found struct{ Precision, Without float64 }
	values, err := Try(ctx, l, "suspects", keys, func(ctx context.Context, i int) (out found, err error) {
		s, m, d := sets[i/(len(suspectMixtures)*draws)], suspectMixtures[i/draws%len(suspectMixtures)], i%draws
		t := suspect.Trial{Labels: m.labels, Pairs: m.pairs, Wrong: wrongShare, Seed: l.Seed + uint64(1000*d)}
		p, err := s.standardised()
		if err != nil {
			return out, err
		}
		if out.Precision, err = t.Measure(ctx, p, s.truth, suspect.Options{Seed: l.Seed, Workers: 1}); err != nil {
			return out, err
		}
		labels, _, err := l.chosenFit(ctx, s.task())
		if err == nil {
			out.Without, _, err = indices(s.truth, labels, nil)
		}
		return out, err
	})
	if err != nil {
		return err
	}
	p := Part{Title: "Wrong constraints found",
		Text: fmt.Sprintf("100 constraints, %.0f %% of them wrong: average precision of the order in which they are suspected ± standard error over draws. At random it is the share that is wrong. A set is separable if the index without constraints is above %v.", 100*wrongShare, separable),
		Head: []string{"set", "without constraints"}}
	for _, m := range suspectMixtures {
		p.Head = append(p.Head, m.name)
	}
	by := map[bool][][]float64{true: make([][]float64, len(suspectMixtures)), false: make([][]float64, len(suspectMixtures))}
	for s, of := range sets {
		first := values[s*len(suspectMixtures)*draws]
		row := []string{of.title, fmt.Sprintf("%.3f", first.Without)}
		for m := range suspectMixtures {
			var y []float64
			for _, v := range values[(s*len(suspectMixtures)+m)*draws:][:draws] {
				y = append(y, v.Precision)
			}
			is := first.Without > separable
			by[is][m] = append(by[is][m], y...)
			row = append(row, plusMinus(meanOfValues(y)))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
	for m, of := range suspectMixtures {
		for _, is := range []bool{true, false} {
			kind, least := "other", of.others
			if is {
				kind, least = "separable", of.separable
			}
			if y := meanOfValues(by[is][m]); len(by[is][m]) > 0 {
				l.Claim(fmt.Sprintf("(ours) %s, %.0f %% wrong: average precision at least %v on %s sets", of.name, 100*wrongShare, least, kind), verdict(y.Mean >= least), "%s", plusMinus(y))
			}
		}
	}
	return nil
}

// standardised returns the problem with standardised columns, where it has columns.
func (s *trustSet) standardised() (*cluster.Problem, error) {
	if !s.table {
		return s.p, nil
	}
	x, err := dense(s.p.X)
	if err != nil {
		return nil, err
	}
	scaled, err := (&set{X: x, Truth: s.truth, K: s.p.K}).standardise()
	if err != nil {
		return nil, err
	}
	return scaled.problem(), nil
}

func meanOfValues(y []float64) experiment.Mean { return paired(y, make([]float64, len(y))) }

func plusMinus(m experiment.Mean) string { return fmt.Sprintf("%.3f ± %.3f", m.Mean, m.SE) }
