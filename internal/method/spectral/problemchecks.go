package spectral

import (
	"maps"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// renumberClasses returns p with the classes that have labels numbered from 0, in
// their order. Which number a class has does not matter here, and lists by
// class would otherwise be as long as the highest of them.
func renumberClasses(p *cluster.Problem) *cluster.Problem {
	if p.Constraints.Classes() <= p.K {
		return p
	}
	at := map[int]int{}
	for _, l := range p.Constraints.Labels {
		at[l.Class] = 0
	}
	for number, class := range slices.Sorted(maps.Keys(at)) {
		at[class] = number
	}
	q, known := *p, *p.Constraints
	known.Names = nil
	known.Labels = slices.Clone(p.Constraints.Labels)
	for i := range known.Labels {
		known.Labels[i].Class = at[known.Labels[i].Class]
	}
	q.Constraints = &known
	return &q
}

// maxWeight is the weight beyond which products of weights overflow.
const maxWeight = 1e100

// checkWeights refuses constraints so heavy that the matrix of it would not be
// finite.
func checkWeights(s *constraint.Set) error {
	if s == nil {
		return nil
	}
	for _, list := range [][]constraint.Pair{s.Must, s.Cannot} {
		for _, q := range list {
			if q.W > maxWeight {
				return cluster.Problemf("constraints", "the weight of the pair %d, %d is %g, this method takes at most %g", q.I, q.J, q.W, float64(maxWeight))
			}
		}
	}
	for _, l := range s.Labels {
		if l.W > maxWeight {
			return cluster.Problemf("constraints", "the weight of the label of point %d is %g, this method takes at most %g", l.I, l.W, float64(maxWeight))
		}
	}
	return nil
}
