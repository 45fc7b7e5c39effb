package kernel

import (
	"cmp"
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

func (g *csr) neighbours(i int32) ([]int32, []float64) {
	if g.start == nil {
		return nil, nil
	}
	lo, hi := g.start[i], g.start[i+1]
	return g.to[lo:hi:hi], g.w[lo:hi:hi]
}

// matrix makes W of its entries: those of one pair add up.
func newMatrix(n int, pulls []pull) csr {
	if len(pulls) == 0 {
		return csr{}
	}
	type entry struct {
		key uint64
		w   float64
	}
	list := make([]entry, 0, 2*len(pulls))
	for _, p := range pulls {
		if p.i == p.j { // a point is with itself in any clustering
			continue
		}
		list = append(list, entry{uint64(p.i)<<32 | uint64(p.j), p.w}, entry{uint64(p.j)<<32 | uint64(p.i), p.w})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	g := csr{start: make([]int, n+1)}
	for at, e := range list {
		if at > 0 && e.key == list[at-1].key {
			g.w[len(g.w)-1] += e.w
			continue
		}
		g.to, g.w = append(g.to, int32(uint32(e.key))), append(g.w, e.w)
		g.start[e.key>>32+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	return g
}

// membersOf lists the nodes of each group, rising.
func groupMembers(group []int32, count int) (start, members []int32) {
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
func (g *csr) contractRows(ctx context.Context, workers int, out *csr, group, start, members []int32, self []float64) error {
	count := len(start) - 1
	first := g.rowOffsets(start, members)
	most := first[len(first)-1]
	out.start, out.to, out.w = make([]int, count+1), make([]int32, most), make([]float64, most)
	pool := sync.Pool{New: func() any { return newKeyTotals() }}
	err := blocks.Each(ctx, workers, count, func(lo, hi int) (size int) {
		t := pool.Get().(*keyTotals)
		defer pool.Put(t)
		at := first[lo/blocks.Len]
		for q := lo; q < hi; q++ {
			within := 0.0
			for _, i := range members[start[q]:start[q+1]] {
				to, w := g.neighbours(i)
				for p, j := range to {
					switch h := group[j]; {
					case int(h) != q:
						t.addTo(h, w[p])
					case i != j: // a loop is in self already
						within += w[p]
					}
				}
			}
			self[q] += within
			copy(out.to[at+size:], t.keys)
			copy(out.w[at+size:], t.sums)
			size += len(t.keys)
			t.reset()
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
func (g *csr) rowOffsets(start, members []int32) []int {
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
