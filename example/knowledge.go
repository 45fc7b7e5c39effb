package example

import (
	"github.com/inklinghq/inkling/constraint"
)

// What Knowledge draws.
const (
	labelled = 0.1 // of each class,
	leastOf  = 2   // but never fewer rows than this
	pairs    = 30
)

// Knowledge draws a little that is known from the truth: labels of about one
// row in ten of each class, at least two, and 30 pairs, taken at random and
// told by the truth (all 15 pairs of six-nodes, as in its paper). Noise is in
// none of them. The same seed draws the same knowledge.
func (s *Set) Knowledge(seed uint64) (*constraint.Set, error) {
	truth, names := s.Classes()
	rng := stream(seed)
	known, err := constraint.LabelFraction(truth, share(truth, len(names)), rng)
	if err != nil {
		return nil, err
	}
	known.Names = names
	links := constraint.RandomPairs(truth, pairs, rng)
	known.Must, known.Cannot = links.Must, links.Cannot
	return known, nil
}

// share returns the fraction of each class to label.
func share(truth []int, classes int) float64 {
	count := make([]int, classes)
	for _, h := range truth {
		if h >= 0 {
			count[h]++
		}
	}
	f := labelled
	for _, c := range count {
		f = max(f, min(float64(leastOf)/float64(c), 1))
	}
	return f
}
