package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// queries is how many rows go through the panels together.
const queries = 64

// brute compares every row with every other.
func (nb *Neighbours) brute(ctx context.Context, workers int) error {
	nb.Method = "brute-force"
	return blocks.Tasks(ctx, workers, (nb.N+queries-1)/queries, func(task int) {
		lo, hi := task*queries, min(nb.N, (task+1)*queries)
		tops := make([]top, hi-lo)
		for i := range tops {
			tops[i] = nb.place(lo + i)
		}
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		nb.table.scan(ctx, lo, tops, r)
	})
}

// scan offers all rows to the tops of rows lo and following.
func (t *table) scan(ctx context.Context, lo int, tops []top, r *room) {
	if t.dense == nil {
		for q := range tops {
			t.scanSparse(lo+q, &tops[q], r)
		}
		return
	}
	step, end := t.strip()/simd.PanelRows, t.dense.Panels()
	r.fit(step)
	for from := 0; from < end && ctx.Err() == nil; from += step {
		to := min(end, from+step)
		for q := range tops {
			scanPanels(t.dense, t.row(lo+q), from, to, int32(lo+q), nil, &tops[q], r)
		}
	}
}

// scanPanels offers the rows of panels from to to, but for row self, to best.
// The row at place p of the panels is name[p], or p if name is nil.
func scanPanels(c *simd.Columns, x []float64, from, to int, self int32, name []int32, best *top, r *room) {
	c.Near(x, from, to, best.limit(), r.out, r.mask)
	for p, m := range r.mask[:to-from] {
		for ; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros16(m)
			j := int32((from+p)*simd.PanelRows + lane)
			if name != nil {
				j = name[j]
			}
			if j != self {
				best.offer(j, r.out[p*simd.PanelRows+lane])
			}
		}
	}
}

func (t *table) scanSparse(i int, best *top, r *room) {
	limit := best.limit()
	for j, y := range t.dists(i, t, 0, t.n, r) {
		if y <= limit && j != i {
			best.offer(int32(j), y)
			limit = best.limit()
		}
	}
}
