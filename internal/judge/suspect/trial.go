package suspect

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// A Trial draws constraints from the truth, makes a share of them wrong, and measures
// how well Judge finds them.
type Trial struct {
	Labels int     // rows that are labelled, spread over the classes by their sizes, at least one a class
	Pairs  int     // random pairs
	Wrong  float64 // the share of labels, and of pairs, that is made wrong
	Seed   uint64
}

// Draw returns the constraints of a trial. truth is the class of each point, below 0
// where it is unknown.
func (t Trial) Draw(truth []int) (*constraint.Set, error) {
	known, classes := 0, 0
	for _, c := range truth {
		if c >= 0 {
			known++
			classes = max(classes, c+1)
		}
	}
	if t.Labels < 0 || t.Pairs < 0 || t.Labels > known {
		return nil, fmt.Errorf("%d labels and %d pairs of %d rows with a known class", t.Labels, t.Pairs, known)
	}
	rng := rand.New(rand.NewPCG(t.Seed, 21))
	set := constraint.RandomPairs(truth, t.Pairs, rng)
	set, err := constraint.FlipPairs(set, t.Wrong, rng)
	if err != nil || t.Labels == 0 {
		return set, err
	}
	labels, err := constraint.LabelFraction(truth, float64(t.Labels)/float64(known), rng)
	if err != nil {
		return nil, err
	}
	if labels, err = constraint.FlipLabels(labels, t.Wrong, max(classes, 2), rng); err != nil {
		return nil, err
	}
	set.Labels = labels.Labels
	return set, nil
}

// Measure judges the constraints of the trial on p, whose own are ignored, and returns
// the average precision.
func (t Trial) Measure(ctx context.Context, p *cluster.Problem, truth []int, o Options) (float64, error) {
	set, err := t.Draw(truth)
	if err != nil {
		return 0, err
	}
	q := *p
	q.Constraints = set
	r, err := Judge(ctx, &q, o)
	if err != nil {
		return 0, err
	}
	return r.Precision(set, truth), nil
}
