package kernel

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/method/nodeprices"
)

// A graphCutRun is one multilevel run. The partition is of level depth of the
// hierarchy; coarser levels are no longer needed.
type graphCutRun struct {
	*graphProblem
	env       *cluster.Env
	cycles    int // contractions still allowed
	hierarchy *hierarchy
	depth     int
	partition *partition
	descended bool // the first refinement down to the finest level is done
	labels    []int
	pricing   *nodeprices.Nodes // nil: not made yet
	isolated  int               // nodes without edges
	stub      bool              // the labels stand for nothing
}

// searchMultilevel makes a whole run on f, with that many cycles at the most, and
// returns the labels of the contracted nodes: the best that were found before ctx
// ended, its error if there were none.
func searchMultilevel(ctx context.Context, f *graphProblem, cycles int, e *cluster.Env) ([]int32, error) {
	r := &graphCutRun{graphProblem: f, env: e, cycles: cycles}
	err := r.startFromLevel(ctx, f.contracted)
	if err == nil && r.stub {
		err = ctx.Err()
	}
	for was := 0.0; err == nil; {
		if _, err = r.runRefineAll(ctx); err != nil {
			break
		}
		now := r.partition.quality()
		if r.cycles == 0 || r.cycles < cycles && now-was <= 1e-7*abs(was) {
			return r.partition.label, nil
		}
		was = now
		_, err = r.runContract(ctx)
	}
	if ctx.Err() == nil || r.stub || r.partition == nil {
		return nil, err
	}
	return r.contractedLabels(), nil
}

// startFromLevel makes a first clustering of l. If ctx has ended, the start is a stub.
func (r *graphCutRun) startFromLevel(ctx context.Context, l *level) (err error) {
	if r.hierarchy, err = buildHierarchy(ctx, r.env.Workers, l, coarsestSize(l.numNodes(), r.k), nil, r.env.Rand); err == nil {
		r.depth = len(r.hierarchy.levels) - 1
		r.partition, err = partitionCoarsest(ctx, r.env.Workers, r.hierarchy.levels[r.depth], r.k, r.env.Rand)
	}
	if err != nil && ctx.Err() != nil {
		err = r.startStub(ctx, l)
	}
	return err
}

// startStub makes clusters of consecutive nodes of l, unless even that takes long.
func (r *graphCutRun) startStub(ctx context.Context, l *level) (err error) {
	if err := blocks.Grace(ctx, stubWork(len(l.affinity.To))).Err(); err != nil {
		return err
	}
	n := l.numNodes()
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i * r.k / n)
	}
	r.hierarchy, r.depth, r.stub = &hierarchy{levels: []*level{l}}, 0, r.k > 1
	r.partition, err = newPartition(context.WithoutCancel(ctx), r.env.Workers, l, r.k, label)
	return err
}

// stubWork is the work of blocks.Grace for a stub on a graph of that many edges, both ways.
func stubWork(edges int) float64 { return 100 * float64(edges) }

// IsStub reports whether ctx ended before there was a first clustering.
func (r *graphCutRun) IsStub() bool { return r.stub }

// coarsenWithinClusters contracts the graph again, never across clusters.
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

// Stages of the first iteration refine level after level, down to the finest.
// Those of later iterations contract within the clusters, split and merge
// clusters, and refine down again.
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

// runContract contracts within the clusters, then splits and merges clusters.
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

// runRefine moves nodes at the current level, then projects the partition to the
// next finer one.
func (r *graphCutRun) runRefine(ctx context.Context) (moved int, err error) {
	moved, err = newRefiner(r.partition, r.env.Workers).refine(ctx, refineRounds)
	if err != nil || r.depth == 0 {
		return moved, err
	}
	r.depth--
	label := r.hierarchy.projectLabels(r.depth, r.partition.label)
	r.hierarchy.levels[r.depth+1] = nil // free its memory
	r.partition, err = newPartition(ctx, r.env.Workers, r.hierarchy.levels[r.depth], r.k, label)
	return moved, err
}

// runRefineAll refines all levels down to the finest.
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

// Pricing returns what the prices of any labels need. Nodes that must be together move as
// one.
func (r *graphCutRun) Pricing() cluster.Pricing {
	if r.pricing == nil {
		l := r.finest
		r.pricing = &nodeprices.Nodes{K: r.k, Alpha: l.alpha, Self: l.selfWeight, Affinity: &l.affinity.Graph, Pairs: &l.pairWeights.Graph, Cannot: &l.cannotCost.Graph, Group: r.group,
			PairWeight: r.pairWeight, CannotWeight: r.cannotCost}
	}
	return r.pricing
}

// contractedLabels returns the labels of the graph whose must-links are
// contracted.
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

// Learned returns a *GraphInfo where there are nodes without edges.
func (r *graphCutRun) Learned() any {
	if r.isolated == 0 {
		return nil
	}
	return &GraphInfo{Isolated: r.isolated}
}

// Tracked computes J even if the context has ended: every result needs an
// objective.
func (r *graphCutRun) Tracked() cluster.Terms {
	terms, _ := r.objectiveTerms(context.Background(), r.env.Workers, r.Labels())
	return terms
}

func (r *graphCutRun) Objective(ctx context.Context) (cluster.Terms, error) {
	return r.objectiveTerms(ctx, r.env.Workers, r.Labels())
}
