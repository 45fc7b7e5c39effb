package pairgraph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// weighEntailed finds the large components, unless all pairs are to be listed, and
// what entailed pairs weigh.
func (f *Graph) weighEntailed(p *cluster.Problem, listed bool) {
	links := &constraint.Set{Must: p.Constraints.Must, Cannot: p.Constraints.Cannot}
	levels := constraint.Levels(links, 2)
	if f.sameWeight = levels[0]; len(levels) > 1 {
		f.sameWeight, f.strengths = 0, constraint.NewStrengths(p.Len(), links, f.Closed)
	}
	if listed {
		return
	}
	if f.largeComponent, f.LargeComponents = largeComponents(f.Closed, p.K); f.largeComponent != nil {
		f.findLayers(links, p.K)
	}
}

// entailedWeight returns what the entailed pair of points i and j weighs.
func (f *Graph) entailedWeight(i, j int, must bool) float64 {
	switch {
	case f.strengths == nil:
		return f.sameWeight
	case f.isOfLargeComponent(i, j):
		return f.weightInLayers(i, j, must)
	case must:
		return f.strengths.Must(i, j)
	}
	return f.strengths.Cannot(i, j)
}

// maxListedFactor is how many times more entailed pairs than points and given
// pairs may be listed.
const maxListedFactor = 4

// countEntailed counts the entailed pairs, at both their points, except those of
// large components.
func (f *Graph) countEntailed() (count int) {
	for q := range f.Closed.Components() {
		if f.largeComponentOf(q) >= 0 {
			continue
		}
		each := f.Closed.Size(q) - 1
		for _, c := range f.Closed.CannotLinked(q) {
			if f.largeComponentOf(int(c)) < 0 {
				each += f.Closed.Size(int(c))
			}
		}
		count += f.Closed.Size(q) * each
	}
	return count
}

// maxWritten is how many neighbours belief propagation and linear programming may
// have: they need all of them at once.
const maxWritten = 20_000_000

// CheckEntailed refuses constraints that entail too many pairs to be written
// out.
func CheckEntailed(p *cluster.Problem) error {
	c := Close(p)
	if c == nil {
		return nil
	}
	if n := (&Graph{Closed: c}).countEntailed() / 2; n > maxWritten/2 {
		return &cluster.ProblemError{Field: "constraints", Hint: "use {closure=off} or {inference=icm}",
			Err: fmt.Errorf("the constraints entail %d pairs; belief propagation and linear programming take at most %d", n, maxWritten/2)}
	}
	return nil
}

// maxWalked is how many pairs may be entailed where costs depend on distance:
// those of a large component must then be enumerated again and again.
const maxWalked = 20_000_000

// FewEntailed reports whether the entailed pairs are few enough to be computed by
// distance. If not, only the given pairs count.
func FewEntailed(c *constraint.Closure) bool {
	return c == nil || (&Graph{Closed: c}).countEntailed() <= maxWalked
}

// Close returns the closure of the pairs of p, nil where there are none or
// they contradict each other: then only the given pairs count.
func Close(p *cluster.Problem) *constraint.Closure {
	if p.Constraints == nil || len(p.Constraints.Must)+len(p.Constraints.Cannot) == 0 {
		return nil
	}
	c, err := constraint.Close(p.Len(), &constraint.Set{Must: p.Constraints.Must, Cannot: p.Constraints.Cannot})
	if err != nil {
		return nil
	}
	return c
}

// listEntailed writes the entailed pairs out as neighbours.
func (f *Graph) listEntailed(n int) {
	start, neighbours := make([]int, n+1), make([]Neighbour, 0, len(f.neighbours)+f.countEntailed())
	for i := range n {
		f.EachPair(i, func(j int32, must bool, w float64) {
			neighbours = append(neighbours, Neighbour{Point: j, Must: must, Weight: w})
		})
		neighbours = mergeNeighbours(neighbours, start[i])
		start[i+1] = len(neighbours)
	}
	f.start, f.neighbours, f.EntailedListed = start, neighbours, true
}

// mergeNeighbours sorts neighbours from lo on and adds up the weights of those of
// one kind with one point.
func mergeNeighbours(neighbours []Neighbour, lo int) []Neighbour {
	list := neighbours[lo:]
	slices.SortStableFunc(list, func(a, b Neighbour) int {
		if a.Point != b.Point {
			return cmp.Compare(a.Point, b.Point)
		}
		if a.Must != b.Must {
			return trueFirst(a.Must)
		}
		return 0
	})
	out := list[:0]
	for _, t := range list {
		if n := len(out); n > 0 && out[n-1].Point == t.Point && out[n-1].Must == t.Must {
			out[n-1].Weight += t.Weight
		} else {
			out = append(out, t)
		}
	}
	return neighbours[:lo+len(out)]
}

// EachEntailed calls do for the entailed pairs of i that are not listed, except
// those of large components.
func (f *Graph) EachEntailed(i int, do func(j int32, must bool, w float64)) {
	if f.Closed == nil || f.EntailedListed {
		return
	}
	q := f.Closed.Component(i)
	if f.largeComponentOf(q) >= 0 {
		return
	}
	for _, j := range f.Closed.Members(q) {
		if int(j) != i {
			do(j, true, f.entailedWeight(i, int(j), true))
		}
	}
	for _, c := range f.Closed.CannotLinked(q) {
		if f.largeComponentOf(int(c)) < 0 {
			for _, j := range f.Closed.Members(int(c)) {
				do(j, false, f.entailedWeight(i, int(j), false))
			}
		}
	}
}

// EachOfLargeComponents calls do for the pairs of i that EachPair leaves out.
func (f *Graph) EachOfLargeComponents(i int, do func(j int32, must bool, w float64)) {
	if f.largeComponent == nil {
		return
	}
	q := f.Closed.Component(i)
	own := f.largeComponentOf(q) >= 0
	if own {
		for _, j := range f.Closed.Members(q) {
			if int(j) != i {
				do(j, true, f.entailedWeight(i, int(j), true))
			}
		}
	}
	for _, c := range f.Closed.CannotLinked(q) {
		if own || f.largeComponentOf(int(c)) >= 0 {
			for _, j := range f.Closed.Members(int(c)) {
				do(j, false, f.entailedWeight(i, int(j), false))
			}
		}
	}
}

// EachPair calls do for every pair of i, except those with or within large
// components, always in the same order.
func (f *Graph) EachPair(i int, do func(j int32, must bool, w float64)) {
	for _, t := range f.NeighboursOf(i) {
		do(t.Point, t.Must, t.Weight)
	}
	f.EachEntailed(i, do)
}

// WholePairs returns the pairs of i as EachPair does, with one point at most one of a
// kind: where entailed pairs are not listed, EachPair gives a pair that weighs less than
// the one entailed in two parts, of which one is below 0.
func (f *Graph) WholePairs(i int) []Neighbour {
	if f.Closed == nil || f.EntailedListed {
		return f.NeighboursOf(i)
	}
	var list []Neighbour
	f.EachPair(i, func(j int32, must bool, w float64) {
		list = append(list, Neighbour{Point: j, Must: must, Weight: w})
	})
	return mergeNeighbours(list, 0)
}
