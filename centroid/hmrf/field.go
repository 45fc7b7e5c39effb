package hmrf

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// A field is what is known of the points, as a soft method reads it: who is
// tied to whom, and which points have labels.
//
// Where entailed pairs count too they are not written out, for they grow with
// the square of what is given. Components of many points, the crowds, are
// counted by cluster, so that a point meets a whole crowd at once; those of few
// are walked through when needed. Only where all components are so small that
// the entailed pairs are not many more than the points and the given pairs
// together, as with random pairs, are they listed too: a list is quicker.
type field struct {
	start []int // ties of point i are ties[start[i]:start[i+1]], in a fixed order
	ties  []tie

	closed *constraint.Closure // nil: only given pairs count
	listed bool                // ties hold the entailed pairs too
	unit   float64             // the weight of an entailed pair
	crowd  []int32             // the crowd that a component is, -1: none; nil: no crowds at all
	crowds []int32             // the component that each crowd is

	first  []int32 // labels of point i are labels[first[i]:first[i+1]]; nil: no labels
	labels []constraint.Label

	points []int32 // those of which something is known, rising
	loud   []int32 // those with labels or that meet a crowd, rising: always worth a visit
}

// A tie is what a point knows of another.
type tie struct {
	to       int32
	must     bool
	entailed bool    // the closure has this pair too: w is only what it weighs more or less
	w        float64 // above 0 unless entailed
}

// newField reads what p knows; closed is what follows from its pairs, nil where
// only given ones count. A pair of a point with itself says nothing. If listed
// is true all that follows is written out.
func newField(p *cluster.Problem, closed *constraint.Closure, listed bool) *field {
	known := p.Constraints
	if known == nil {
		known = &constraint.Set{}
	}
	f := &field{closed: closed}
	if closed != nil {
		f.unit = meanWeight(known)
	}
	f.readTies(p.Len(), known)
	f.readLabels(p.Len(), known.Labels)
	if !listed {
		f.findCrowds(p.K)
	}
	if f.closed != nil && (listed || f.entailed() <= mostListed*(p.Len()+len(known.Must)+len(known.Cannot))) {
		f.list(p.Len())
	}
	f.findPoints(p.Len())
	return f
}

// meanWeight returns the mean weight of the pairs: exactly theirs if all are
// alike.
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

// readTies lists the given pairs at both their points.
func (f *field) readTies(n int, known *constraint.Set) {
	f.start = make([]int, n+1)
	every := func(do func(i, j int, t tie)) {
		for list, pairs := range [][]constraint.Pair{known.Must, known.Cannot, known.Beliefs} {
			for _, q := range pairs {
				t := tie{must: list == 0 || list == 2 && q.W > 0, entailed: list < 2 && f.closed != nil, w: math.Abs(q.W)}
				if q.I != q.J && q.W != 0 {
					do(q.I, q.J, t)
					do(q.J, q.I, t)
				}
			}
		}
	}
	every(func(i, _ int, _ tie) { f.start[i+1]++ })
	for i := range n {
		f.start[i+1] += f.start[i]
	}
	f.ties = make([]tie, f.start[n])
	next := slices.Clone(f.start)
	every(func(i, j int, t tie) {
		t.to = int32(j)
		f.ties[next[i]] = t
		next[i]++
	})
	f.tidy(n)
}

// tidy puts the ties of each point in an order that does not depend on how
// pairs were given. Of those that the closure has anyway it keeps only what
// their weight differs by from an entailed pair.
func (f *field) tidy(n int) {
	out, lo := f.ties[:0], 0
	for i := range n {
		hi := f.start[i+1]
		list := f.ties[lo:hi]
		lo = hi
		slices.SortFunc(list, tie.compare)
		for q, t := range list {
			if !t.entailed {
				out = append(out, t)
				continue
			}
			if q == 0 || !list[q-1].entailed || list[q-1].to != t.to {
				t.w -= f.unit
			}
			if t.w != 0 {
				out = append(out, t)
			}
		}
		f.start[i+1] = len(out)
	}
	f.ties = slices.Clip(out)
}

func (t tie) compare(u tie) int {
	switch {
	case t.to != u.to:
		return cmp.Compare(t.to, u.to)
	case t.entailed != u.entailed:
		return before(t.entailed)
	case t.must != u.must:
		return before(t.must)
	}
	return cmp.Compare(t.w, u.w)
}

func before(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

func (f *field) readLabels(n int, labels []constraint.Label) {
	if len(labels) == 0 {
		return
	}
	f.labels = slices.SortedStableFunc(slices.Values(labels), func(a, b constraint.Label) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.Class, b.Class))
	})
	f.first = make([]int32, n+1)
	for _, l := range f.labels {
		f.first[l.I+1]++
	}
	for i := range n {
		f.first[i+1] += f.first[i]
	}
}

// told returns the labels of point i.
func (f *field) told(i int) []constraint.Label {
	if f.first == nil {
		return nil
	}
	return f.labels[f.first[i]:f.first[i+1]]
}

func (f *field) findPoints(n int) {
	for i := range n {
		labelled := len(f.told(i)) > 0
		known, loud := labelled || f.start[i+1] > f.start[i], labelled
		if f.closed != nil {
			q := f.closed.Component(i)
			known = known || f.closed.Size(q) > 1 || len(f.closed.CannotLinked(q)) > 0
			loud = loud || f.meetsCrowd(q)
		}
		if loud {
			f.loud = append(f.loud, int32(i))
		}
		if known {
			f.points = append(f.points, int32(i))
		}
	}
}

// of returns the ties of point i, those that are walked through left out.
func (f *field) of(i int) []tie { return f.ties[f.start[i]:f.start[i+1]] }

// each calls do for every pair of i that is not with or within a crowd, always
// in the same order.
func (f *field) each(i int, do func(j int32, must bool, w float64)) {
	for _, t := range f.of(i) {
		do(t.to, t.must, t.w)
	}
	f.eachWalked(i, do)
}
