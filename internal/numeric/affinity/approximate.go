package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Parameters of an approximate search: so many trees before each descent, and
// another try, with further trees, while the recall is too low.
const (
	treesPerTry = 10
	maxTries    = 4
)

// recallRows is the number of rows that recall is measured on, fewer if that
// would cost more than recallWork steps.
const recallRows, recallWork = 512, 4e9

// searchApproximately finds neighbours by random trees and descent, until the
// measured recall reaches goal or the tries are used up.
func (nb *Neighbours) searchApproximately(ctx context.Context, goal float64, workers int) error {
	nb.Method = "descent"
	flat, m, err := nb.table.projectRows(ctx, nb.seed, workers)
	if err != nil {
		return err
	}
	truth, err := nb.sampleTruth(ctx, workers)
	if err != nil {
		return err
	}
	f := &randomTrees{points: flat, n: nb.N, m: m, seed: nb.seed, leafSize: max(nb.table.leafSize(), 3*(nb.K+1))}
	nb.count = make([]int32, nb.N)
	d := &nnDescent{nb: nb}
	for try := range maxTries {
		var order []int32
		for t := range treesPerTry {
			var starts []int
			if order, starts, err = f.drawTree(ctx, uint64(try*treesPerTry+t+1), workers); err != nil {
				return err
			}
			if err := nb.compareLeaves(ctx, order, starts, workers); err != nil {
				return err
			}
		}
		d.order = order
		if err := d.improveLists(ctx, workers); err != nil {
			return err
		}
		if nb.Recall = nb.measureRecall(truth); nb.Recall >= goal {
			break
		}
	}
	return nil
}

// A sampledTruth is a sampled row, its neighbours, and the distance of the K-th.
type sampledTruth struct {
	row   int
	near  []int32
	limit float64
}

// sampledTogether is how many sampled rows are compared with a row before the next one.
const sampledTogether = 16

// sampleTruth searches exactly for the neighbours of some rows.
func (nb *Neighbours) sampleTruth(ctx context.Context, workers int) ([]sampledTruth, error) {
	m := min(nb.N, max(32, min(recallRows, int(recallWork/nb.table.workCells()))))
	rows := drawSorted(rand.New(rand.NewPCG(nb.seed, 0x7247)), nb.N, m)
	out := make([]sampledTruth, m)
	err := blocks.Tasks(ctx, workers, (m+sampledTogether-1)/sampledTogether, func(task int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		lo, hi := task*sampledTogether, min(m, (task+1)*sampledTogether)
		best := make([]nearestList, hi-lo)
		for q := range best {
			best[q] = nearestList{idx: make([]int32, nb.K), dist: make([]float64, nb.K)}
		}
		nb.table.scanTable(ctx, rows[lo:hi], best, r)
		for q, b := range best {
			out[lo+q] = sampledTruth{rows[lo+q], b.idx, b.dist[nb.K-1]}
		}
	})
	nb.Sample = m
	return out, err
}

// measureRecall returns the share of the neighbours of the sampled rows that are
// no further than the true K-th.
func (nb *Neighbours) measureRecall(sample []sampledTruth) float64 {
	hits := 0
	for _, s := range sample {
		_, dist := nb.NeighboursOf(s.row)
		for _, y := range dist {
			if y <= s.limit {
				hits++
			}
		}
	}
	return float64(hits) / float64(len(sample)*nb.K)
}
