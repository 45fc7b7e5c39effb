package pairgraph

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// New reads the constraints of p; closed is the closure of its
// pairs, nil where only given ones count. A pair of a point with itself is
// ignored. If listed is true all entailed pairs are written out.
func New(p *cluster.Problem, closed *constraint.Closure, listed bool) *Graph {
	known := p.Constraints
	if known == nil {
		known = &constraint.Set{}
	}
	f := &Graph{Closed: closed}
	if closed != nil {
		f.weighEntailed(p, listed)
	}
	f.readPairs(p.Len(), known)
	f.readLabels(p.Len(), known.Labels)
	if f.Closed != nil && (listed || f.countEntailed() <= maxListedFactor*(p.Len()+len(known.Must)+len(known.Cannot))) {
		f.listEntailed(p.Len())
	}
	f.findConstrained(p.Len())
	return f
}

// readPairs lists the given pairs at both their points.
func (f *Graph) readPairs(n int, known *constraint.Set) {
	f.start = make([]int, n+1)
	every := func(do func(i, j int, t Neighbour)) {
		for list, pairs := range [][]constraint.Pair{known.Must, known.Cannot, known.Beliefs} {
			for _, q := range pairs {
				t := Neighbour{Must: list == 0 || list == 2 && q.W > 0, entailed: list < 2 && f.Closed != nil, Weight: math.Abs(q.W)}
				if q.I != q.J && q.W != 0 {
					do(q.I, q.J, t)
					do(q.J, q.I, t)
				}
			}
		}
	}
	every(func(i, _ int, _ Neighbour) { f.start[i+1]++ })
	for i := range n {
		f.start[i+1] += f.start[i]
	}
	f.neighbours = make([]Neighbour, f.start[n])
	next := slices.Clone(f.start)
	every(func(i, j int, t Neighbour) {
		t.Point = int32(j)
		f.neighbours[next[i]] = t
		next[i]++
	})
	f.sortNeighbours(n)
}

// sortNeighbours puts the neighbours of each point in an order that does not
// depend on the order of the input. Of pairs that the closure has too it keeps
// only by what their weight differs from that of an entailed pair.
func (f *Graph) sortNeighbours(n int) {
	out, lo := f.neighbours[:0], 0
	for i := range n {
		hi := f.start[i+1]
		list := f.neighbours[lo:hi]
		lo = hi
		slices.SortFunc(list, Neighbour.compareTo)
		for q, t := range list {
			if !t.entailed {
				out = append(out, t)
				continue
			}
			if q == 0 || !list[q-1].entailed || list[q-1].Point != t.Point {
				t.Weight -= f.entailedWeight(i, int(t.Point), t.Must)
			}
			if t.Weight != 0 {
				out = append(out, t)
			}
		}
		f.start[i+1] = len(out)
	}
	f.neighbours = slices.Clip(out)
}

func (f *Graph) readLabels(n int, labels []constraint.Label) {
	if len(labels) == 0 {
		return
	}
	f.Labels = slices.SortedStableFunc(slices.Values(labels), func(a, b constraint.Label) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.Class, b.Class))
	})
	f.labelStart = make([]int32, n+1)
	for _, l := range f.Labels {
		f.labelStart[l.I+1]++
	}
	for i := range n {
		f.labelStart[i+1] += f.labelStart[i]
	}
}

func (f *Graph) findConstrained(n int) {
	for i := range n {
		labelled := len(f.LabelsOf(i)) > 0
		known, always := labelled || f.start[i+1] > f.start[i], labelled
		if f.Closed != nil {
			q := f.Closed.Component(i)
			known = known || f.Closed.Size(q) > 1 || len(f.Closed.CannotLinked(q)) > 0
			always = always || f.meetsLargeComponent(q)
		}
		if always {
			f.AlwaysVisit = append(f.AlwaysVisit, int32(i))
		}
		if known {
			f.Constrained = append(f.Constrained, int32(i))
		}
	}
}
