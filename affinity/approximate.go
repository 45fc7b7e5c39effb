package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/blocks"
)

// How an approximate search goes about it: so many trees before each descent,
// and another try, with further trees, while the recall is not reached.
const (
	treesPerTry = 10
	tries       = 4
)

// recallRows is how many rows recall is measured on, fewer where that would
// cost more than recallWork steps.
const recallRows, recallWork = 512, 4e9

// approximate finds neighbours by random trees and descent, until the measured
// recall reaches goal or the tries are over.
func (nb *Neighbours) approximate(ctx context.Context, goal float64, workers int) error {
	nb.Method = "descent"
	flat, m, err := nb.table.sketch(ctx, nb.seed, workers)
	if err != nil {
		return err
	}
	truth, err := nb.truth(ctx, workers)
	if err != nil {
		return err
	}
	f := &forest{flat: flat, n: nb.N, m: m, seed: nb.seed, leaf: max(nb.table.leaf(), 3*(nb.K+1))}
	nb.count = make([]int32, nb.N)
	d := &descent{nb: nb}
	for try := range tries {
		var order []int32
		for t := range treesPerTry {
			var starts []int
			if order, starts, err = f.draw(ctx, uint64(try*treesPerTry+t+1), workers); err != nil {
				return err
			}
			if err := nb.meet(ctx, order, starts, workers); err != nil {
				return err
			}
		}
		d.order = order
		if err := d.run(ctx, workers); err != nil {
			return err
		}
		if nb.Recall = nb.recall(truth); nb.Recall >= goal {
			break
		}
	}
	return nil
}

// leaf is how many rows a leaf of a random tree holds, fewer where distances are
// dear. By measurement on 100,000 rows of 16 features: large leaves spare rounds
// of the descent, which meets rows in no order.
func (t *table) leaf() int {
	if t.dense == nil {
		return 64
	}
	return max(64, min(256, 4096/t.d))
}

// A truth is a sampled row and the distance of its K-th neighbour.
type truth struct {
	row   int
	limit float64
}

// truth searches exactly for the neighbours of some rows.
func (nb *Neighbours) truth(ctx context.Context, workers int) ([]truth, error) {
	m := min(nb.N, max(32, min(recallRows, int(recallWork/nb.table.cells()))))
	rows := draw(rand.New(rand.NewPCG(nb.seed, 0x7247)), nb.N, m)
	out := make([]truth, m)
	err := blocks.Tasks(ctx, workers, m, func(p int) {
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		best := []top{{idx: make([]int32, nb.K), dist: make([]float64, nb.K)}}
		nb.table.scan(ctx, rows[p], best, r)
		out[p] = truth{rows[p], best[0].dist[nb.K-1]}
	})
	nb.Sample = m
	return out, err
}

// recall returns the share of the neighbours of the sampled rows that are no
// further than the true K-th.
func (nb *Neighbours) recall(sample []truth) float64 {
	hits := 0
	for _, s := range sample {
		_, dist := nb.Of(s.row)
		for _, y := range dist {
			if y <= s.limit {
				hits++
			}
		}
	}
	return float64(hits) / float64(len(sample)*nb.K)
}
