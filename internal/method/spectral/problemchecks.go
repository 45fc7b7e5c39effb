package spectral

import (
	"maps"
	"slices"

	"github.com/inklinghq/inkling/cluster"
)

// RenumberClasses returns p with the classes that have labels numbered from 0, in
// their order. Which number a class has does not matter here, and lists by
// class would otherwise be as long as the highest of them.
func RenumberClasses(p *cluster.Problem) *cluster.Problem {
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
