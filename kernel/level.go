package kernel

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/blocks"
)

// csr is a symmetric sparse matrix by rows; no rows at all stand for zero.
type csr struct {
	start []int
	to    []int32
	w     []float64
}

func (g *csr) row(i int32) ([]int32, []float64) {
	if g.start == nil {
		return nil, nil
	}
	lo, hi := g.start[i], g.start[i+1]
	return g.to[lo:hi:hi], g.w[lo:hi:hi]
}

// A level is the graph at one coarseness: nodes are nodes of the graph, or
// groups of them that move as one. Contraction leaves J as it is.
type level struct {
	a     csr       // affinities; a loop may stand in its row but is not read: self has it
	links csr       // W, between different nodes
	apart csr       // what it costs to have two nodes together that must be apart
	firm  bool      // no move may raise that cost
	alpha []float64 // node weights
	self  []float64 // B_ii + W_ii: all that a node brings into any cluster
}

func (l *level) len() int { return len(l.alpha) }

// forbids says whether i and j cost something together.
func (l *level) forbids(i, j int32) bool {
	to, _ := l.apart.row(i)
	return slices.Contains(to, j)
}

func total(x []float64) (s float64) {
	for _, y := range x {
		s += y
	}
	return s
}

// contract makes one node of all nodes with the same group, 0 ≤ group < count.
func (l *level) contract(ctx context.Context, workers int, group []int32, count int) (*level, error) {
	out := &level{alpha: make([]float64, count), self: make([]float64, count), firm: l.firm}
	start, members := membersOf(group, count)
	for i, g := range group {
		out.alpha[g] += l.alpha[i]
	}
	lost := make([]float64, count) // a price paid within a group is paid for good
	for _, part := range []struct {
		from, to *csr
		self     []float64
	}{{&l.a, &out.a, out.self}, {&l.links, &out.links, out.self}, {&l.apart, &out.apart, lost}} {
		if part.from.start == nil {
			continue
		}
		if err := part.from.contract(ctx, workers, part.to, group, start, members, part.self); err != nil {
			return nil, err
		}
	}
	for i, g := range group {
		out.self[g] += l.self[i]
	}
	return out, nil
}

// membersOf lists the nodes of each group, rising.
func membersOf(group []int32, count int) (start, members []int32) {
	start = make([]int32, count+1)
	for _, g := range group {
		start[g+1]++
	}
	for g := range count {
		start[g+1] += start[g]
	}
	members = make([]int32, len(group))
	next := append([]int32(nil), start[:count]...)
	for i, g := range group {
		members[next[g]] = int32(i)
		next[g]++
	}
	return start, members
}

// contract adds up the rows of each group into out; what lies within a group
// goes to self. Neighbours stand in the order in which they are met. A block of
// groups writes its rows where they would begin if no two entries fell
// together, and is moved up to the one before it when that is done.
func (g *csr) contract(ctx context.Context, workers int, out *csr, group, start, members []int32, self []float64) error {
	count := len(start) - 1
	first := g.room(start, members)
	most := first[len(first)-1]
	out.start, out.to, out.w = make([]int, count+1), make([]int32, most), make([]float64, most)
	pool := sync.Pool{New: func() any { return newTally() }}
	err := blocks.Each(ctx, workers, count, func(lo, hi int) (size int) {
		t := pool.Get().(*tally)
		defer pool.Put(t)
		at := first[lo/blocks.Len]
		for q := lo; q < hi; q++ {
			within := 0.0
			for _, i := range members[start[q]:start[q+1]] {
				to, w := g.row(i)
				for p, j := range to {
					switch h := group[j]; {
					case int(h) != q:
						t.add(h, w[p])
					case i != j: // a loop is in self already
						within += w[p]
					}
				}
			}
			self[q] += within
			copy(out.to[at+size:], t.seen)
			copy(out.w[at+size:], t.sum)
			size += len(t.seen)
			t.clear()
			out.start[q+1] = size
		}
		return size
	}, func(lo, hi, size int) {
		base, at := out.start[lo], first[lo/blocks.Len]
		copy(out.to[base:], out.to[at:at+size])
		copy(out.w[base:], out.w[at:at+size])
		for q := lo; q < hi; q++ {
			out.start[q+1] += base
		}
	})
	if size := out.start[count]; size < most*3/4 {
		out.to, out.w = slices.Clone(out.to[:size]), slices.Clone(out.w[:size])
	} else {
		out.to, out.w = out.to[:size], out.w[:size]
	}
	return err
}

// room returns where the rows of each block of groups begin, with room for
// every entry, and where the last of them end.
func (g *csr) room(start, members []int32) []int {
	count := len(start) - 1
	first := []int{0}
	for lo := 0; lo < count; lo += blocks.Len {
		size := 0
		for _, i := range members[start[lo]:start[min(lo+blocks.Len, count)]] {
			size += g.start[i+1] - g.start[i]
		}
		first = append(first, first[len(first)-1]+size)
	}
	return first
}
