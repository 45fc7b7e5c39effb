package kernel

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// refineRounds is the maximum number of rounds of a refiner on one level.
const refineRounds = 20

// A hierarchy is a level and its ever coarser contractions: parents[t] has the
// node of levels[t+1] that each node of levels[t] belongs to.
type hierarchy struct {
	levels  []*level
	parents [][]int32
}

// buildHierarchy contracts l until about least nodes are left or hardly any
// merge. If within is given, groups never contain nodes of two of its clusters.
func buildHierarchy(ctx context.Context, workers int, l *level, least int, within []int32, rng *rand.Rand) (*hierarchy, error) {
	h := &hierarchy{levels: []*level{l}}
	most := 1.5 * sumAll(l.alpha) / float64(least)
	for l.numNodes() > least {
		group, count, err := newGrouping(l, workers, most, within).findGroups(ctx, rng)
		if err != nil {
			return nil, err
		}
		if count > l.numNodes()*19/20 {
			break
		}
		next, err := l.contractGroups(ctx, workers, group, count)
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
		h.addLevel(group, next)
		l = next
	}
	return h, nil
}

// addLevel appends a level. It replaces the last one if that has hardly fewer
// nodes than the one below: its edges are as many, and refining it would repeat
// the work.
func (h *hierarchy) addLevel(group []int32, next *level) {
	if t := len(h.levels) - 1; t > 0 && 5*h.levels[t].numNodes() > 2*h.levels[t-1].numNodes() {
		for i, g := range h.parents[t-1] {
			h.parents[t-1][i] = group[g]
		}
		h.levels[t] = next
		return
	}
	h.levels, h.parents = append(h.levels, next), append(h.parents, group)
}

// projectLabels gives the nodes of level t the labels of their groups in level t+1.
func (h *hierarchy) projectLabels(t int, coarse []int32) []int32 {
	label := make([]int32, len(h.parents[t]))
	for i, g := range h.parents[t] {
		label[i] = coarse[g]
	}
	return label
}

// coarsestTries is the number of clusterings of the coarsest level.
const coarsestTries = 4

// partitionCoarsest clusters a small level: several agglomerations in parallel,
// each refined, and the best of them, the first on ties, improved by
// splitAndMerge.
func partitionCoarsest(ctx context.Context, workers int, l *level, k int, rng *rand.Rand) (best *partition, err error) {
	seed := rng.Uint64()
	var tries [coarsestTries]*partition
	var errs [coarsestTries]error
	err = blocks.Tasks(ctx, workers, coarsestTries, func(try int) {
		tries[try], errs[try] = agglomerateAndRefine(ctx, l, k, float64(min(try, 1))*0.3, rand.New(rand.NewPCG(seed, uint64(try))))
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
	_, err = splitAndMerge(ctx, workers, best, rng)
	return best, err
}

// agglomerateAndRefine is one agglomeration, refined.
func agglomerateAndRefine(ctx context.Context, l *level, k int, blur float64, rng *rand.Rand) (*partition, error) {
	label, err := agglomerate(ctx, 1, l, k, blur, rng)
	if err != nil {
		return nil, err
	}
	p, err := newPartition(ctx, 1, l, k, label)
	if err != nil {
		return nil, err
	}
	_, err = newRefiner(p, 1).refine(ctx, refineRounds)
	return p, err
}

// coarsestSize returns about how many nodes a graph of n nodes is contracted to.
func coarsestSize(n, k int) int { return min(n, max(20*k, 100)) }
