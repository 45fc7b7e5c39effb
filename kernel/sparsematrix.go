package kernel

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A sparseMatrix is a symmetric matrix in the layout of data.Graph. Unlike those of
// a Graph its rows may be in any order. The zero value is the zero matrix.
type sparseMatrix struct{ data.Graph }

// neighbours returns the columns and values of row i.
func (g *sparseMatrix) neighbours(i int32) ([]int32, []float64) {
	if g.Start == nil {
		return nil, nil
	}
	lo, hi := g.Start[i], g.Start[i+1]
	return g.To[lo:hi:hi], g.W[lo:hi:hi]
}

// newSparseMatrix returns the matrix with these entries and their mirror images. Entries
// of the same pair add up. Loops are left out: a point shares its cluster with
// itself in every clustering. Without edges the matrix is zero.
func newSparseMatrix(n int, edges []data.Edge) sparseMatrix {
	if len(edges) == 0 {
		return sparseMatrix{}
	}
	edges = slices.DeleteFunc(edges, func(e data.Edge) bool { return e.U == e.V })
	return sparseMatrix{*data.BuildGraph(n, edges)}
}

// groupMembers lists the nodes of each group in ascending order: those of group q
// are members[start[q]:start[q+1]].
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

// contractRows adds up the rows of each group into out; entries within a group are
// added to self. Columns are in the order in which they are met. A block of groups
// writes its rows to where they would begin if no two entries coincided, and is
// moved up to the end of the block before it afterwards.
func (g *sparseMatrix) contractRows(ctx context.Context, workers int, out *sparseMatrix, group, start, members []int32, self []float64) error {
	count := len(start) - 1
	first := g.rowOffsets(start, members)
	most := first[len(first)-1]
	out.Start, out.To, out.W = make([]int, count+1), make([]int32, most), make([]float64, most)
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
			copy(out.To[at+size:], t.keys)
			copy(out.W[at+size:], t.sums)
			size += len(t.keys)
			t.reset()
			out.Start[q+1] = size
		}
		return size
	}, func(lo, hi, size int) {
		base, at := out.Start[lo], first[lo/blocks.Len]
		copy(out.To[base:], out.To[at:at+size])
		copy(out.W[base:], out.W[at:at+size])
		for q := lo; q < hi; q++ {
			out.Start[q+1] += base
		}
	})
	if size := out.Start[count]; size < most*3/4 {
		out.To, out.W = slices.Clone(out.To[:size]), slices.Clone(out.W[:size])
	} else {
		out.To, out.W = out.To[:size], out.W[:size]
	}
	return err
}

// rowOffsets returns where the rows of each block of groups begin, with space for
// every entry, and where the last of them end.
func (g *sparseMatrix) rowOffsets(start, members []int32) []int {
	count := len(start) - 1
	first := []int{0}
	for lo := 0; lo < count; lo += blocks.Len {
		size := 0
		for _, i := range members[start[lo]:start[min(lo+blocks.Len, count)]] {
			size += g.Start[i+1] - g.Start[i]
		}
		first = append(first, first[len(first)-1]+size)
	}
	return first
}
