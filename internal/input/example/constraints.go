package example

import "github.com/inklinghq/inkling/cluster/constraint"

// What Constraints draws.
const (
	labelled  = 0.1 // of each class,
	minLabels = 2   // but never fewer rows than this
	pairs     = 30
)

// Constraints draws a few constraints from the truth: labels of about one row in
// ten of each class, at least two, and 30 pairs, taken at random and linked by
// the truth (all 15 pairs of six-nodes, as in its paper). Of records it
// draws two records of each of ten people, and 60 pairs that look alike. Noise is in none of them. The same seed draws the same constraints.
func (s *Set) Constraints(seed uint64) (*constraint.Set, error) {
	truth, names := s.Classes()
	rng := stream(seed)
	set, err := constraint.LabelFraction(truth, labelFraction(truth, len(names)), rng)
	if err != nil {
		return nil, err
	}
	set.Names = names
	links := constraint.RandomPairs(truth, pairs, rng)
	if s.Records != nil {
		links = s.contactAnswers(rng)
		set.Labels = fewPeople(set.Labels, truth)
	}
	set.Must, set.Cannot = links.Must, links.Cannot
	return set, nil
}

// labelFraction returns the fraction of each class to label.
func labelFraction(truth []int, classes int) float64 {
	count := make([]int, classes)
	for _, h := range truth {
		if h >= 0 {
			count[h]++
		}
	}
	f := labelled
	for _, c := range count {
		f = max(f, min(float64(minLabels)/float64(c), 1))
	}
	return f
}
