package kernel

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
)

// cutRun is one multilevel descent. The partition is of level t of tree; the
// coarser levels are done with.
type graphCutRun struct {
	*graphProblem
	env       *cluster.Env
	cycles    int // contractions still allowed
	hierarchy *hierarchy
	depth     int
	partition *partition
	descended bool // the first way down is made
	labels    []int
}

// startFrom makes a first clustering of l. When there is no time, stretches of
// nodes will do.
func (r *graphCutRun) startFromLevel(ctx context.Context, l *level) (err error) {
	if r.hierarchy, err = buildHierarchy(ctx, r.env.Workers, l, coarsestSize(l.numNodes(), r.k), nil, r.env.Rand); err == nil {
		r.depth = len(r.hierarchy.levels) - 1
		r.partition, err = partitionCoarsest(ctx, r.env.Workers, r.hierarchy.levels[r.depth], r.k, r.env.Rand)
	}
	if err == nil || ctx.Err() == nil {
		return err
	}
	n := l.numNodes()
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i * r.k / n)
	}
	r.hierarchy, r.depth = &hierarchy{levels: []*level{l}}, 0
	r.partition, err = newPartition(context.WithoutCancel(ctx), r.env.Workers, l, r.k, label)
	return err
}

// contract contracts root within the clusters.
func (r *graphCutRun) coarsenWithinClusters(ctx context.Context) error {
	label := r.partition.label
	tree, err := buildHierarchy(ctx, r.env.Workers, r.contracted, coarsestSize(r.contracted.numNodes(), r.k), label, r.env.Rand)
	if err != nil {
		return err
	}
	r.hierarchy, r.depth = tree, len(tree.levels)-1
	for t := range r.depth {
		coarse := make([]int32, tree.levels[t+1].numNodes())
		for i, g := range tree.parents[t] {
			coarse[g] = label[i]
		}
		label = coarse
	}
	r.partition, err = newPartition(ctx, r.env.Workers, tree.levels[r.depth], r.k, label)
	return err
}

// Stages of the first iteration lead down from level to level. Those of a
// later one contract within the clusters, exchange, and lead down again.
func (r *graphCutRun) Stages() (stages []cluster.Stage) {
	if r.descended {
		if r.cycles == 0 {
			return nil
		}
		return []cluster.Stage{{Name: "contract", Do: r.runContract}, {Name: "refine", Do: r.runRefineAll}}
	}
	r.descended = true
	for t := r.depth; t >= 0; t-- {
		stages = append(stages, cluster.Stage{Name: fmt.Sprintf("refine-%d", t), Do: r.runRefine})
	}
	return stages
}

// again contracts within the clusters, and exchanges.
func (r *graphCutRun) runContract(ctx context.Context) (moved int, err error) {
	r.cycles--
	if err := r.coarsenWithinClusters(ctx); err != nil {
		return 0, err
	}
	if moved, err = newRefiner(r.partition, r.env.Workers).refine(ctx, refineRounds); err != nil {
		return moved, err
	}
	swaps, err := splitAndMerge(ctx, r.env.Workers, r.partition, r.env.Rand)
	return moved + swaps, err
}

// refine moves nodes at this level, after stepping down to it from the one
// before.
func (r *graphCutRun) runRefine(ctx context.Context) (moved int, err error) {
	moved, err = newRefiner(r.partition, r.env.Workers).refine(ctx, refineRounds)
	if err != nil || r.depth == 0 {
		return moved, err
	}
	r.depth--
	label := r.hierarchy.projectLabels(r.depth, r.partition.label)
	r.hierarchy.levels[r.depth+1] = nil // its memory is wanted
	r.partition, err = newPartition(ctx, r.env.Workers, r.hierarchy.levels[r.depth], r.k, label)
	return moved, err
}

func (r *graphCutRun) runRefineAll(ctx context.Context) (moved int, err error) {
	for last := false; !last; {
		last = r.depth == 0
		m, err := r.runRefine(ctx)
		moved += m
		if err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// level0 returns the labels of root.
func (r *graphCutRun) contractedLabels() []int32 {
	label := r.partition.label
	for t := r.depth - 1; t >= 0; t-- {
		label = r.hierarchy.projectLabels(t, label)
	}
	return label
}

func (r *graphCutRun) Labels() []int {
	r.spreadLabels(r.contractedLabels(), r.labels)
	return r.labels
}

// Model returns nil: a node that is not in the graph has no place in a cut.
func (r *graphCutRun) Model() cluster.Model { return nil }

// Tracked computes J even when time is over: what was found must have a price.
func (r *graphCutRun) Tracked() cluster.Terms {
	terms, _ := r.objectiveTerms(context.Background(), r.env.Workers, r.Labels())
	return terms
}

func (r *graphCutRun) Objective(ctx context.Context) (cluster.Terms, error) {
	return r.objectiveTerms(ctx, r.env.Workers, r.Labels())
}
