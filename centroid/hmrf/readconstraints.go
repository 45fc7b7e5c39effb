package hmrf

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// newConstraintGraph reads the constraints of p; closed is the closure of its
// pairs, nil where only given ones count. A pair of a point with itself is
// ignored. If listed is true all entailed pairs are written out.
func newConstraintGraph(p *cluster.Problem, closed *constraint.Closure, listed bool) *constraintGraph {
	known := p.Constraints
	if known == nil {
		known = &constraint.Set{}
	}
	f := &constraintGraph{closed: closed}
	if closed != nil {
		f.entailedWeight = meanWeight(known)
	}
	f.readPairs(p.Len(), known)
	f.readLabels(p.Len(), known.Labels)
	if !listed {
		f.findLargeComponents(p.K)
	}
	if f.closed != nil && (listed || f.countEntailed() <= maxListedFactor*(p.Len()+len(known.Must)+len(known.Cannot))) {
		f.listEntailed(p.Len())
	}
	f.findConstrained(p.Len())
	return f
}

// meanWeight returns the mean weight of the pairs: exactly theirs if all are
// equal.
func meanWeight(s *constraint.Set) float64 {
	sum, least, most := 0.0, math.Inf(1), 0.0
	for _, list := range [][]constraint.Pair{s.Must, s.Cannot} {
		for _, q := range list {
			sum += q.W
			least, most = min(least, q.W), max(most, q.W)
		}
	}
	if least == most {
		return least
	}
	return sum / float64(len(s.Must)+len(s.Cannot))
}

// readPairs lists the given pairs at both their points.
func (f *constraintGraph) readPairs(n int, known *constraint.Set) {
	f.start = make([]int, n+1)
	every := func(do func(i, j int, t neighbour)) {
		for list, pairs := range [][]constraint.Pair{known.Must, known.Cannot, known.Beliefs} {
			for _, q := range pairs {
				t := neighbour{must: list == 0 || list == 2 && q.W > 0, entailed: list < 2 && f.closed != nil, weight: math.Abs(q.W)}
				if q.I != q.J && q.W != 0 {
					do(q.I, q.J, t)
					do(q.J, q.I, t)
				}
			}
		}
	}
	every(func(i, _ int, _ neighbour) { f.start[i+1]++ })
	for i := range n {
		f.start[i+1] += f.start[i]
	}
	f.neighbours = make([]neighbour, f.start[n])
	next := slices.Clone(f.start)
	every(func(i, j int, t neighbour) {
		t.point = int32(j)
		f.neighbours[next[i]] = t
		next[i]++
	})
	f.sortNeighbours(n)
}

// sortNeighbours puts the neighbours of each point in an order that does not
// depend on the order of the input. Of pairs that the closure has too it keeps
// only by what their weight differs from that of an entailed pair.
func (f *constraintGraph) sortNeighbours(n int) {
	out, lo := f.neighbours[:0], 0
	for i := range n {
		hi := f.start[i+1]
		list := f.neighbours[lo:hi]
		lo = hi
		slices.SortFunc(list, neighbour.compareTo)
		for q, t := range list {
			if !t.entailed {
				out = append(out, t)
				continue
			}
			if q == 0 || !list[q-1].entailed || list[q-1].point != t.point {
				t.weight -= f.entailedWeight
			}
			if t.weight != 0 {
				out = append(out, t)
			}
		}
		f.start[i+1] = len(out)
	}
	f.neighbours = slices.Clip(out)
}

func (f *constraintGraph) readLabels(n int, labels []constraint.Label) {
	if len(labels) == 0 {
		return
	}
	f.labels = slices.SortedStableFunc(slices.Values(labels), func(a, b constraint.Label) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.Class, b.Class))
	})
	f.labelStart = make([]int32, n+1)
	for _, l := range f.labels {
		f.labelStart[l.I+1]++
	}
	for i := range n {
		f.labelStart[i+1] += f.labelStart[i]
	}
}

func (f *constraintGraph) findConstrained(n int) {
	for i := range n {
		labelled := len(f.labelsOf(i)) > 0
		known, always := labelled || f.start[i+1] > f.start[i], labelled
		if f.closed != nil {
			q := f.closed.Component(i)
			known = known || f.closed.Size(q) > 1 || len(f.closed.CannotLinked(q)) > 0
			always = always || f.meetsLargeComponent(q)
		}
		if always {
			f.alwaysVisit = append(f.alwaysVisit, int32(i))
		}
		if known {
			f.constrained = append(f.constrained, int32(i))
		}
	}
}
