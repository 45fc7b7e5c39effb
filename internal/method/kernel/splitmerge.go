package kernel

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// splitAndMerge repairs what single moves cannot: two groups that share a cluster
// while another group has two. It takes the clusters that gain most by being
// split in two and the pairs of clusters that lose least by becoming one, and
// does both together if J falls. Then nodes move, and so on until nothing is
// gained. k does not change.
func splitAndMerge(ctx context.Context, workers int, p *partition, rng *rand.Rand) (moved int, err error) {
	const rounds = 30
	for range rounds {
		was, before := slices.Clone(p.label), p.quality()
		swaps, err := p.splitMergeRound(ctx, workers, rng.Uint64())
		if err != nil || swaps == 0 {
			return moved, err
		}
		if _, err := newRefiner(p, workers).refine(ctx, refineRounds); err != nil {
			return moved, err
		}
		if p.quality() <= before { // moves could not repair enough cannot-links
			copy(p.label, was)
			return moved, p.recompute(ctx, workers)
		}
		moved += swaps
	}
	return moved, nil
}

// A clusterSplit is a cluster cut in two; second marks the nodes of the second
// part.
type clusterSplit struct {
	c      int32
	gain   float64
	nodes  []int32
	second []bool
}

func (p *partition) splitMergeRound(ctx context.Context, workers int, seed uint64) (swaps int, err error) {
	if p.k < 3 {
		return 0, nil
	}
	splits, err := p.splitClusters(ctx, workers, seed)
	if err != nil {
		return 0, err
	}
	quot, err := p.level.contractGroups(ctx, workers, p.label, p.k)
	if err != nil {
		return 0, err
	}
	mergers, err := cheapestMerges(ctx, quot)
	if err != nil {
		return 0, err
	}
	touched := make([]bool, p.k)
	before := p.quality()
	for _, s := range splits {
		if ctx.Err() != nil {
			break
		}
		if touched[s.c] || s.gain <= 0 {
			continue
		}
		at := slices.IndexFunc(mergers, func(m mergePair) bool {
			return !touched[m.a] && !touched[m.b] && m.a != s.c && m.b != s.c
		})
		if at < 0 || s.gain-mergers[at].cost <= 1e-9*(1+abs(before)) {
			continue
		}
		m := mergers[at]
		touched[s.c], touched[m.a], touched[m.b] = true, true, true
		for i, c := range p.label {
			if c == m.b {
				p.label[i] = m.a
			}
		}
		for at, i := range s.nodes {
			if s.second[at] {
				p.label[i] = m.b
			}
		}
		swaps++
	}
	if swaps == 0 {
		return 0, nil
	}
	return swaps, p.recompute(ctx, workers)
}

// mergePenaltyShare is the share of the cost of violated cannot-links that a
// merge has to bear: moves soon separate most such pairs.
const mergePenaltyShare = 0.02

// allMerges is the number of nodes up to which cheapestMerges tries all pairs.
const allMerges = 4000

// cheapestMerges returns all merges of the nodes of a small level, cheapest
// first; of a large one those of neighbours.
func cheapestMerges(ctx context.Context, l *level) (list []mergePair, err error) {
	t, cost := contraction.NewTotals(), make([]float64, l.numNodes())
	for i := range int32(l.numNodes()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.combinedRow(i, t)
		to, w := l.cannotCost.neighbours(i)
		for q, j := range to {
			cost[j] = w[q]
		}
		add := func(j int32) {
			list = append(list, mergePair{j, i, l.mergeCost(i, j, t.TotalOf(j)) + mergePenaltyShare*cost[j]})
		}
		if l.numNodes() <= allMerges {
			for j := range i {
				add(j)
			}
		} else {
			near, _ := l.affinity.neighbours(i)
			for _, j := range near {
				if j < i {
					add(j)
				}
			}
		}
		for _, j := range to {
			cost[j] = 0
		}
	}
	slices.SortFunc(list, func(x, y mergePair) int {
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return list, nil
}

// splitClusters cuts every cluster in two, quickly rather than optimally, and
// returns the splits, the one that gains most first.
func (p *partition) splitClusters(ctx context.Context, workers int, seed uint64) ([]clusterSplit, error) {
	groups := contraction.NewGroups(p.label, p.k)
	out := make([]clusterSplit, p.k)
	errs := make([]error, p.k)
	err := blocks.Tasks(ctx, workers, p.k, func(c int) {
		out[c] = clusterSplit{c: int32(c)}
		if nodes := groups.Node[groups.Start[c]:groups.Start[c+1]]; len(nodes) > 1 {
			out[c], errs[c] = p.splitCluster(ctx, int32(c), nodes, rand.New(rand.NewPCG(seed, uint64(c))))
		}
	})
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(x, y clusterSplit) int { return cmp.Compare(y.gain, x.gain) })
	return out, nil
}

func (p *partition) splitCluster(ctx context.Context, c int32, nodes []int32, rng *rand.Rand) (clusterSplit, error) {
	sub := p.level.inducedLevel(nodes)
	label, err := agglomerate(ctx, 1, sub, 2, 0, rng)
	if err != nil {
		return clusterSplit{}, err
	}
	half, err := newPartition(ctx, 1, sub, 2, label)
	if err != nil {
		return clusterSplit{}, err
	}
	if _, err := newRefiner(half, 1).refine(ctx, refineRounds); err != nil {
		return clusterSplit{}, err
	}
	s := clusterSplit{c: c, nodes: nodes, second: make([]bool, len(nodes)), gain: half.quality() - quotient(p.association[c], p.mass[c])}
	for at, h := range half.label {
		s.second[at] = h == 1
	}
	return s, nil
}
