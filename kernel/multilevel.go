package kernel

import (
	"context"
	"math/rand/v2"
)

// refineRounds is how often the queue of a level is worked off at the most.
const refineRounds = 20

// A hierarchy is a level and its ever coarser contractions: up[t] says to
// which node of levels[t+1] each node of levels[t] belongs.
type hierarchy struct {
	levels []*level
	up     [][]int32
}

// coarsen contracts l until about least nodes are left or nothing more comes
// together. Groups never reach across within, if it is given.
func coarsen(ctx context.Context, workers int, l *level, least int, within []int32, rng *rand.Rand) (*hierarchy, error) {
	h := &hierarchy{levels: []*level{l}}
	most := 1.5 * total(l.alpha) / float64(least)
	for l.len() > least {
		group, count, err := newGrouping(l, workers, most, within).find(ctx, rng)
		if err != nil {
			return nil, err
		}
		if count > l.len()*19/20 {
			break
		}
		next, err := l.contract(ctx, workers, group, count)
		if err != nil {
			return nil, err
		}
		if within != nil {
			coarse := make([]int32, count)
			for i, g := range group {
				coarse[g] = within[i]
			}
			within = coarse
		}
		h.levels, h.up, l = append(h.levels, next), append(h.up, group), next
	}
	return h, nil
}

// down gives the nodes of level t the labels of their groups in level t+1.
func (h *hierarchy) down(t int, coarse []int32) []int32 {
	label := make([]int32, len(h.up[t]))
	for i, g := range h.up[t] {
		label[i] = coarse[g]
	}
	return label
}

// baseTries is how many clusterings of the coarsest level are made.
const baseTries = 4

// base clusters a small level: several agglomerations, each refined, and the
// best of them mended by exchanges.
func base(ctx context.Context, workers int, l *level, k int, rng *rand.Rand) (best *partition, err error) {
	for try := range baseTries {
		label, err := agglomerate(ctx, workers, l, k, float64(min(try, 1))*0.3, rng)
		if err != nil {
			return nil, err
		}
		p, err := newPartition(ctx, workers, l, k, label)
		if err != nil {
			return nil, err
		}
		if _, err := newRefiner(p, workers).descend(ctx, refineRounds); err != nil {
			return nil, err
		}
		if best == nil || p.quality() > best.quality() {
			best = p
		}
	}
	_, err = exchange(ctx, workers, best, rng)
	return best, err
}
