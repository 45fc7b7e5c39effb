package hmrf

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// minLargeComponent is the size from which a component is large, if it has at
// least k points: counts by cluster then take no more room than the points.
const minLargeComponent = 32

func (f *constraintGraph) findLargeComponents(k int) {
	if f.closed == nil {
		return
	}
	for q := range f.closed.Components() {
		if f.closed.Size(q) < max(minLargeComponent, k) {
			continue
		}
		if f.largeComponent == nil {
			f.largeComponent = slices.Repeat([]int32{-1}, f.closed.Components())
		}
		f.largeComponent[q] = int32(len(f.largeComponents))
		f.largeComponents = append(f.largeComponents, int32(q))
	}
}

// maxListedFactor is how many times more entailed pairs than points and given
// pairs may be listed.
const maxListedFactor = 4

// countEntailed counts the entailed pairs, at both their points, except those of
// large components.
func (f *constraintGraph) countEntailed() (count int) {
	for q := range f.closed.Components() {
		if f.largeComponentOf(q) >= 0 {
			continue
		}
		each := f.closed.Size(q) - 1
		for _, c := range f.closed.CannotLinked(q) {
			if f.largeComponentOf(int(c)) < 0 {
				each += f.closed.Size(int(c))
			}
		}
		count += f.closed.Size(q) * each
	}
	return count
}

// maxWritten is how many neighbours belief propagation and linear programming may
// have: they need all of them at once.
const maxWritten = 20_000_000

// checkEntailedCount refuses constraints that entail too many pairs to be written
// out.
func checkEntailedCount(p *cluster.Problem) error {
	c := closedPairs(p)
	if c == nil {
		return nil
	}
	if n := (&constraintGraph{closed: c}).countEntailed() / 2; n > maxWritten/2 {
		return &cluster.ProblemError{Field: "constraints", Hint: "use {closure=off} or {inference=icm}",
			Err: fmt.Errorf("the constraints entail %d pairs; belief propagation and linear programming take at most %d", n, maxWritten/2)}
	}
	return nil
}

// maxWalked is how many pairs may be entailed where costs depend on distance:
// those of a large component must then be enumerated again and again.
const maxWalked = 20_000_000

// fewEntailed reports whether the entailed pairs are few enough to be computed by
// distance. If not, only the given pairs count.
func fewEntailed(c *constraint.Closure) bool {
	return c == nil || (&constraintGraph{closed: c}).countEntailed() <= maxWalked
}

// closedPairs returns the closure of the pairs of p, nil where there are none or
// they contradict each other: then only the given pairs count.
func closedPairs(p *cluster.Problem) *constraint.Closure {
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
func (f *constraintGraph) listEntailed(n int) {
	start, neighbours := make([]int, n+1), make([]neighbour, 0, len(f.neighbours)+f.countEntailed())
	for i := range n {
		f.eachPair(i, func(j int32, must bool, w float64) {
			neighbours = append(neighbours, neighbour{point: j, must: must, weight: w})
		})
		neighbours = mergeNeighbours(neighbours, start[i])
		start[i+1] = len(neighbours)
	}
	f.start, f.neighbours, f.entailedListed = start, neighbours, true
}

// mergeNeighbours sorts neighbours from lo on and adds up the weights of those of
// one kind with one point.
func mergeNeighbours(neighbours []neighbour, lo int) []neighbour {
	list := neighbours[lo:]
	slices.SortStableFunc(list, func(a, b neighbour) int {
		if a.point != b.point {
			return cmp.Compare(a.point, b.point)
		}
		if a.must != b.must {
			return trueFirst(a.must)
		}
		return 0
	})
	out := list[:0]
	for _, t := range list {
		if n := len(out); n > 0 && out[n-1].point == t.point && out[n-1].must == t.must {
			out[n-1].weight += t.weight
		} else {
			out = append(out, t)
		}
	}
	return neighbours[:lo+len(out)]
}

// largeComponentOf returns which large component q is, -1 if it is not large.
func (f *constraintGraph) largeComponentOf(q int) int32 {
	if f.largeComponent == nil {
		return -1
	}
	return f.largeComponent[q]
}

// meetsLargeComponent reports whether component q is large or cannot be with a
// large one.
func (f *constraintGraph) meetsLargeComponent(q int) bool {
	if f.largeComponent == nil {
		return false
	}
	return f.largeComponent[q] >= 0 || slices.ContainsFunc(f.closed.CannotLinked(q), func(c int32) bool { return f.largeComponent[c] >= 0 })
}

// eachEntailed calls do for the entailed pairs of i that are not listed, except
// those of large components.
func (f *constraintGraph) eachEntailed(i int, do func(j int32, must bool, w float64)) {
	if f.closed == nil || f.entailedListed {
		return
	}
	q := f.closed.Component(i)
	if f.largeComponentOf(q) >= 0 {
		return
	}
	for _, j := range f.closed.Members(q) {
		if int(j) != i {
			do(j, true, f.entailedWeight)
		}
	}
	for _, c := range f.closed.CannotLinked(q) {
		if f.largeComponentOf(int(c)) < 0 {
			for _, j := range f.closed.Members(int(c)) {
				do(j, false, f.entailedWeight)
			}
		}
	}
}

// eachOfLargeComponents calls do for the pairs of i that eachPair leaves out.
func (f *constraintGraph) eachOfLargeComponents(i int, do func(j int32, must bool, w float64)) {
	if f.largeComponent == nil {
		return
	}
	q := f.closed.Component(i)
	own := f.largeComponentOf(q) >= 0
	if own {
		for _, j := range f.closed.Members(q) {
			if int(j) != i {
				do(j, true, f.entailedWeight)
			}
		}
	}
	for _, c := range f.closed.CannotLinked(q) {
		if own || f.largeComponentOf(int(c)) >= 0 {
			for _, j := range f.closed.Members(int(c)) {
				do(j, false, f.entailedWeight)
			}
		}
	}
}

// eachPair calls do for every pair of i, except those with or within large
// components, always in the same order.
func (f *constraintGraph) eachPair(i int, do func(j int32, must bool, w float64)) {
	for _, t := range f.neighboursOf(i) {
		do(t.point, t.must, t.weight)
	}
	f.eachEntailed(i, do)
}
