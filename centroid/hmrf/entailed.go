package hmrf

import (
	"cmp"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// leastCrowd is the size from which a component is a crowd, if it has at least
// k points: counts by cluster then take no more room than the points.
const leastCrowd = 32

func (f *field) findCrowds(k int) {
	if f.closed == nil {
		return
	}
	for q := range f.closed.Components() {
		if f.closed.Size(q) < max(leastCrowd, k) {
			continue
		}
		if f.crowd == nil {
			f.crowd = slices.Repeat([]int32{-1}, f.closed.Components())
		}
		f.crowd[q] = int32(len(f.crowds))
		f.crowds = append(f.crowds, int32(q))
	}
}

// mostListed is how many times more entailed pairs than points and given pairs
// may be listed.
const mostListed = 4

// entailed counts the ties that follow, crowds left out.
func (f *field) entailed() (count int) {
	for q := range f.closed.Components() {
		if f.isCrowd(q) >= 0 {
			continue
		}
		each := f.closed.Size(q) - 1
		for _, c := range f.closed.CannotLinked(q) {
			if f.isCrowd(int(c)) < 0 {
				each += f.closed.Size(int(c))
			}
		}
		count += f.closed.Size(q) * each
	}
	return count
}

// mostWritten is how many ties belief propagation and linear programming may
// have: they need all of them at once.
const mostWritten = 20_000_000

// checkWritten refuses knowledge from which too much follows to be written out.
func checkWritten(p *cluster.Problem) error {
	c := closedPairs(p)
	if c == nil {
		return nil
	}
	if n := (&field{closed: c}).entailed() / 2; n > mostWritten/2 {
		return cluster.Problemf("constraints", "%d pairs follow from what is given, bp and lp take at most %d; use --closure off or --inference icm", n, mostWritten/2)
	}
	return nil
}

// mostWalked is how many ties may follow where prices go by distance: those of
// a crowd must then be looked at one by one, again and again.
const mostWalked = 20_000_000

// walkable reports whether what follows is little enough to be priced by
// distance. If it is not, the given pairs have to do.
func walkable(c *constraint.Closure) bool {
	return c == nil || (&field{closed: c}).entailed() <= mostWalked
}

// closedPairs returns what follows from the pairs of p, nil where there are none
// or they contradict each other: they are then taken as given.
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

// list writes the entailed ties out.
func (f *field) list(n int) {
	start, ties := make([]int, n+1), make([]tie, 0, len(f.ties)+f.entailed())
	for i := range n {
		f.each(i, func(j int32, must bool, w float64) { ties = append(ties, tie{to: j, must: must, w: w}) })
		ties = merged(ties, start[i])
		start[i+1] = len(ties)
	}
	f.start, f.ties, f.listed = start, ties, true
}

// merged sorts ties from lo on and adds up those of one kind with one point.
func merged(ties []tie, lo int) []tie {
	list := ties[lo:]
	slices.SortStableFunc(list, func(a, b tie) int {
		if a.to != b.to {
			return cmp.Compare(a.to, b.to)
		}
		if a.must != b.must {
			return before(a.must)
		}
		return 0
	})
	out := list[:0]
	for _, t := range list {
		if n := len(out); n > 0 && out[n-1].to == t.to && out[n-1].must == t.must {
			out[n-1].w += t.w
		} else {
			out = append(out, t)
		}
	}
	return ties[:lo+len(out)]
}

// isCrowd returns which crowd component q is, -1 if it is none.
func (f *field) isCrowd(q int) int32 {
	if f.crowd == nil {
		return -1
	}
	return f.crowd[q]
}

// meetsCrowd reports whether component q is a crowd or apart from one.
func (f *field) meetsCrowd(q int) bool {
	if f.crowd == nil {
		return false
	}
	return f.crowd[q] >= 0 || slices.ContainsFunc(f.closed.CannotLinked(q), func(c int32) bool { return f.crowd[c] >= 0 })
}

// eachWalked calls do for the entailed pairs of i that are not listed, those of
// crowds left out.
func (f *field) eachWalked(i int, do func(j int32, must bool, w float64)) {
	if f.closed == nil || f.listed {
		return
	}
	q := f.closed.Component(i)
	if f.isCrowd(q) >= 0 {
		return
	}
	for _, j := range f.closed.Members(q) {
		if int(j) != i {
			do(j, true, f.unit)
		}
	}
	for _, c := range f.closed.CannotLinked(q) {
		if f.isCrowd(int(c)) < 0 {
			for _, j := range f.closed.Members(int(c)) {
				do(j, false, f.unit)
			}
		}
	}
}

// eachOfCrowds calls do for the pairs of i that each leaves out, one by one.
func (f *field) eachOfCrowds(i int, do func(j int32, must bool, w float64)) {
	if f.crowd == nil {
		return
	}
	q := f.closed.Component(i)
	own := f.isCrowd(q) >= 0
	if own {
		for _, j := range f.closed.Members(q) {
			if int(j) != i {
				do(j, true, f.unit)
			}
		}
	}
	for _, c := range f.closed.CannotLinked(q) {
		if own || f.isCrowd(int(c)) >= 0 {
			for _, j := range f.closed.Members(int(c)) {
				do(j, false, f.unit)
			}
		}
	}
}
