package kernel

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/blocks"
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
		h.top(group, next)
		l = next
	}
	return h, nil
}

// top puts a level on top. One in between that has hardly fewer nodes than the
// one below it is left out: its edges are as many, and refining it would repeat
// the work.
func (h *hierarchy) top(group []int32, next *level) {
	if t := len(h.levels) - 1; t > 0 && 5*h.levels[t].len() > 2*h.levels[t-1].len() {
		for i, g := range h.up[t-1] {
			h.up[t-1][i] = group[g]
		}
		h.levels[t] = next
		return
	}
	h.levels, h.up = append(h.levels, next), append(h.up, group)
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

// base clusters a small level: several agglomerations side by side, each
// refined, and the best of them, the first on ties, mended by exchanges.
func base(ctx context.Context, workers int, l *level, k int, rng *rand.Rand) (best *partition, err error) {
	seed := rng.Uint64()
	var tries [baseTries]*partition
	var errs [baseTries]error
	err = blocks.Tasks(ctx, workers, baseTries, func(try int) {
		tries[try], errs[try] = grown(ctx, l, k, float64(min(try, 1))*0.3, rand.New(rand.NewPCG(seed, uint64(try))))
	})
	if err := errors.Join(append(errs[:], err)...); err != nil {
		return nil, err
	}
	best = tries[0]
	for _, p := range tries[1:] {
		if p.quality() > best.quality() {
			best = p
		}
	}
	_, err = exchange(ctx, workers, best, rng)
	return best, err
}

// grown is one agglomeration, refined.
func grown(ctx context.Context, l *level, k int, blur float64, rng *rand.Rand) (*partition, error) {
	label, err := agglomerate(ctx, 1, l, k, blur, rng)
	if err != nil {
		return nil, err
	}
	p, err := newPartition(ctx, 1, l, k, label)
	if err != nil {
		return nil, err
	}
	_, err = newRefiner(p, 1).descend(ctx, refineRounds)
	return p, err
}
