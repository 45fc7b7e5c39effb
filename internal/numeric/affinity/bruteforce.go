package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// queryBatch is the number of rows that are compared with a panel before the next
// one.
const queryBatch = 64

// bruteForce compares every row with every other, on the device of ctx where that is worth it.
func (nb *Neighbours) bruteForce(ctx context.Context, workers int, progress func(share float64)) error {
	nb.Method = "brute-force"
	if done, err := nb.onDevice(ctx, workers); done || err != nil {
		return err
	}
	return blocks.TasksWithProgress(ctx, workers, (nb.N+queryBatch-1)/queryBatch, progress, func(task int) {
		lo, hi := task*queryBatch, min(nb.N, (task+1)*queryBatch)
		tops, rows := make([]nearestList, hi-lo), make([]int, hi-lo)
		for i := range tops {
			tops[i], rows[i] = nb.emptyList(lo+i), lo+i
		}
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		nb.table.scanTable(ctx, rows, tops, r)
	})
}

// scanTable offers all rows to the lists of some.
func (t *rowTable) scanTable(ctx context.Context, rows []int, tops []nearestList, r *scratch) {
	if t.dense == nil {
		for q := range tops {
			t.scanSparseRow(rows[q], &tops[q], r)
		}
		return
	}
	step, end := t.stripColumns()/simd.PanelRows, t.dense.Panels()
	r.fitPanels(step)
	for from := 0; from < end && ctx.Err() == nil; from += step {
		to := min(end, from+step)
		for q := range tops {
			scanPanels(t.dense, t.denseRow(rows[q]), from, to, int32(rows[q]), nil, &tops[q], r)
		}
	}
}

// scanPanels offers the rows of panels from to to, except row self, to best. The
// row at place p of the panels is name[p], or p if name is nil.
func scanPanels(c *simd.Columns, x []float64, from, to int, self int32, name []int32, best *nearestList, r *scratch) {
	c.Near(x, from, to, best.cutoff(), r.values, r.mask)
	for p, m := range r.mask[:to-from] {
		for ; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros16(m)
			j := int32((from+p)*simd.PanelRows + lane)
			if name != nil {
				j = name[j]
			}
			if j != self {
				best.insert(j, r.values[p*simd.PanelRows+lane])
			}
		}
	}
}

func (t *rowTable) scanSparseRow(i int, best *nearestList, r *scratch) {
	limit := best.cutoff()
	for j, y := range t.squaredDistances(i, t, 0, t.n, r) {
		if y <= limit && j != i {
			best.insert(int32(j), y)
			limit = best.cutoff()
		}
	}
}
