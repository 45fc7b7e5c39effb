package kernel

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
)

// cutRun is one multilevel descent. The partition is of level t of tree; the
// coarser levels are done with.
type cutRun struct {
	*field
	e      *cluster.Env
	cycles int // contractions still allowed
	tree   *hierarchy
	t      int
	part   *partition
	down   bool // the first way down is made
	told   []int
}

// startFrom makes a first clustering of l. When there is no time, stretches of
// nodes will do.
func (r *cutRun) startFrom(ctx context.Context, l *level) (err error) {
	if r.tree, err = coarsen(ctx, r.e.Workers, l, coarsest(l.len(), r.k), nil, r.e.Rand); err == nil {
		r.t = len(r.tree.levels) - 1
		r.part, err = base(ctx, r.e.Workers, r.tree.levels[r.t], r.k, r.e.Rand)
	}
	if err == nil || ctx.Err() == nil {
		return err
	}
	n := l.len()
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i * r.k / n)
	}
	r.tree, r.t = &hierarchy{levels: []*level{l}}, 0
	r.part, err = newPartition(context.WithoutCancel(ctx), r.e.Workers, l, r.k, label)
	return err
}

// contract contracts root within the clusters.
func (r *cutRun) contract(ctx context.Context) error {
	label := r.part.label
	tree, err := coarsen(ctx, r.e.Workers, r.root, coarsest(r.root.len(), r.k), label, r.e.Rand)
	if err != nil {
		return err
	}
	r.tree, r.t = tree, len(tree.levels)-1
	for t := range r.t {
		coarse := make([]int32, tree.levels[t+1].len())
		for i, g := range tree.up[t] {
			coarse[g] = label[i]
		}
		label = coarse
	}
	r.part, err = newPartition(ctx, r.e.Workers, tree.levels[r.t], r.k, label)
	return err
}

// Stages of the first iteration lead down from level to level. Those of a
// later one contract within the clusters, exchange, and lead down again.
func (r *cutRun) Stages() (stages []cluster.Stage) {
	if r.down {
		if r.cycles == 0 {
			return nil
		}
		return []cluster.Stage{{Name: "contract", Do: r.again}, {Name: "refine", Do: r.refineAll}}
	}
	r.down = true
	for t := r.t; t >= 0; t-- {
		stages = append(stages, cluster.Stage{Name: fmt.Sprintf("refine-%d", t), Do: r.refine})
	}
	return stages
}

// again contracts within the clusters, and exchanges.
func (r *cutRun) again(ctx context.Context) (moved int, err error) {
	r.cycles--
	if err := r.contract(ctx); err != nil {
		return 0, err
	}
	if moved, err = newRefiner(r.part, r.e.Workers).descend(ctx, refineRounds); err != nil {
		return moved, err
	}
	swaps, err := exchange(ctx, r.e.Workers, r.part, r.e.Rand)
	return moved + swaps, err
}

// refine moves nodes at this level, after stepping down to it from the one
// before.
func (r *cutRun) refine(ctx context.Context) (moved int, err error) {
	moved, err = newRefiner(r.part, r.e.Workers).descend(ctx, refineRounds)
	if err != nil || r.t == 0 {
		return moved, err
	}
	r.t--
	label := r.tree.down(r.t, r.part.label)
	r.tree.levels[r.t+1] = nil // its memory is wanted
	r.part, err = newPartition(ctx, r.e.Workers, r.tree.levels[r.t], r.k, label)
	return moved, err
}

func (r *cutRun) refineAll(ctx context.Context) (moved int, err error) {
	for last := false; !last; {
		last = r.t == 0
		m, err := r.refine(ctx)
		moved += m
		if err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// level0 returns the labels of root.
func (r *cutRun) level0() []int32 {
	label := r.part.label
	for t := r.t - 1; t >= 0; t-- {
		label = r.tree.down(t, label)
	}
	return label
}

func (r *cutRun) Labels() []int {
	r.spread(r.level0(), r.told)
	return r.told
}

// Model returns nil: a node that is not in the graph has no place in a cut.
func (r *cutRun) Model() cluster.Model { return nil }

// Tracked computes J even when time is over: what was found must have a price.
func (r *cutRun) Tracked() cluster.Terms {
	terms, _ := r.price(context.Background(), r.e.Workers, r.Labels())
	return terms
}

func (r *cutRun) Objective(ctx context.Context) (cluster.Terms, error) {
	return r.price(ctx, r.e.Workers, r.Labels())
}
