package affinity

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// byRings finds all neighbours by r.
func (nb *Neighbours) byRings(ctx context.Context, r *Rings, workers int, progress func(share float64)) error {
	nb.Method = "rings"
	return blocks.TasksWithProgress(ctx, workers, r.NumLeafPanels(), progress, func(panel int) {
		s := scratchPool.Get().(*scratch)
		defer scratchPool.Put(s)
		s.fitPanels(1)
		nb.searchRings(ctx, r, panel, s)
	})
}

// searchRings finds the neighbours of the rows of a leaf panel.
func (nb *Neighbours) searchRings(ctx context.Context, r *Rings, panel int, s *scratch) {
	lo, hi := panel*LeafPanelRows, min(nb.N, (panel+1)*LeafPanelRows)
	tops, radius, places := make([]nearestList, hi-lo), make([]float64, hi-lo), make([]int32, hi-lo)
	for q := range tops {
		tops[q], radius[q], places[q] = nb.emptyList(int(r.Order[lo+q])), math.Inf(1), int32(lo+q)
	}
	s.rows32 = resized(s.rows32, len(tops)*r.table.d)
	for q := range tops {
		if r.Sieve != nil {
			r.Sieve.Round(r.table.denseRow(int(r.Order[lo+q])), s.rounded(q, r.table.d))
		}
	}
	var batch RingBatch
	batch.Begin(r, panel, places)
	widest := math.Inf(1)
	for _, p := range batch.Panels() {
		if ctx.Err() != nil {
			return
		}
		if !batch.Aim(int(p), widest) {
			continue
		}
		widest = 0
		for q := range tops {
			to := batch.Reach(q, radius[q])
			if batch.HasPanel(to) {
				radius[q] = nb.searchRingLeaves(r, &batch, int(p), lo+q, s.rounded(q, r.table.d), to, &tops[q], s)
			}
			widest = max(widest, radius[q])
		}
	}
}

// searchRingLeaves compares the row at a place, which is x in single precision, with the leaves of a panel that are within
// reach, and returns how far it has to look from then on.
func (nb *Neighbours) searchRingLeaves(r *Rings, batch *RingBatch, panel, place int, x []float32, to Reach, best *nearestList, s *scratch) float64 {
	row := r.table.denseRow(int(r.Order[place]))
	first, end := r.LeavesOf(panel)
	for l := first; l < end; l++ {
		if batch.HasLeaf(to, l-first) && best.accepts(0, r.LowestLeafRow[l]) { // of many equal rows few need be compared
			if r.Sieve != nil && r.Sieve.Near(x, l, r.Sieve.Limit(to.radius)) == 0 {
				continue
			}
			scanPanels(r.Panels, row, l, l+1, r.Order[place], r.Order, best, s)
			to.radius = math.Sqrt(best.cutoff())
		}
	}
	return to.radius
}
