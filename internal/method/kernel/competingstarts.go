package kernel

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A startLabels returns first labels; if ctx ends, those of the best so far, or an
// error.
type startLabels func(ctx context.Context) ([]int32, error)

// bestStart descends from each of the starts and keeps the end of the lowest J, the
// first on ties. Starts that fail are left out, unless all do. If ctx ends, the best
// so far is kept, without a descent where there was no time for one.
func (r *kmeansRun) bestStart(ctx context.Context, list []startLabels) (err error) {
	list = slices.DeleteFunc(list, func(s startLabels) bool { return s == nil })
	var best *weightedKMeans
	for _, start := range list {
		if ctx.Err() != nil {
			err = cmp.Or(err, ctx.Err())
			break
		}
		label, e := start(ctx)
		if e != nil {
			err = e
			continue
		}
		f := *r.weightedKMeans
		f.label, f.clusterSum = label, nil
		if e = f.recompute(blocks.Grace(ctx, r.cost)); e == nil && len(list) > 1 {
			e = f.descend(ctx, r.refine)
		}
		if e != nil && ctx.Err() == nil || f.mass == nil {
			err = e
			continue
		}
		if best == nil || f.quality() > best.quality() {
			best = &f
		}
	}
	if best == nil {
		return err
	}
	*r.weightedKMeans = *best
	return nil
}

// Constraints change which minimum is reached in two ways: by what they add to J,
// and by the start that is made of them. Because J is what is minimised, starts with
// and without constraints compete by it. In the first run of a fit these are the
// clusters that the whole fit finds without constraints, so that constraints never
// lead to a higher J than those have; the paper's farthest-first start; and what cut
// returns. Further runs start without constraints, each in its own way.
//
// What is not searched is J itself, by swaps: see multilevelLabels.

// competingStarts returns the starts of one run of a fit with constraints. First is
// the start that the parameters ask for, nil: that of w.init.
func (f *weightedKMeans) competingStarts(w runOptions, e *cluster.Env, first, unconstrained, cut startLabels) []startLabels {
	known := w.constraints
	if e.Run > 0 {
		known = nil
	}
	farthest := f.labelsOf(func(ctx context.Context, g *weightedKMeans) error { return g.farthestFirst(ctx, known, e.Rand) })
	random := f.labelsOf(func(ctx context.Context, g *weightedKMeans) error { return g.randomStart(ctx, e.Rand) })
	switch {
	case first == nil && w.init == InitRandom:
		first, random = random, nil
	case first == nil:
		first, farthest = farthest, nil
	}
	if e.Run > 0 {
		return []startLabels{first, random}
	}
	return []startLabels{unconstrained, first, farthest, cut}
}

// resultLabels returns the labels of a result, as a startLabels does. A stub has none.
func resultLabels(r *cluster.Result, err error) ([]int32, error) {
	if r == nil {
		return nil, err
	}
	if r.Stub {
		return nil, context.Canceled
	}
	label := make([]int32, len(r.Labels))
	for i, c := range r.Labels {
		label[i] = int32(c)
	}
	return label, nil
}

// labelsOf returns a startLabels that makes labels by a start of f.
func (f *weightedKMeans) labelsOf(start func(ctx context.Context, f *weightedKMeans) error) startLabels {
	return func(ctx context.Context) ([]int32, error) {
		g := *f
		g.label, g.clusterSum = make([]int32, f.numNodes()), nil
		err := start(ctx, &g)
		return g.label, err
	}
}

// farthestFromPairs returns the start farthestFirst, nil if no points must be
// together.
func (f *weightedKMeans) farthestFromPairs(p *cluster.Problem, e *cluster.Env) startLabels {
	if p.Constraints.Empty() {
		return nil
	}
	if closed, err := mustComponents(p.Len(), p.Constraints); err != nil || closed.Size(closed.Largest()) < 2 {
		return nil
	}
	return f.labelsOf(func(ctx context.Context, g *weightedKMeans) error { return g.farthestFirst(ctx, p.Constraints, e.Rand) })
}

// graphCutLabels returns the clusters that GraphCut makes of the graph of p, or of
// the graph of nearest rows, with its constraints: these then reach along the edges
// from the points that they are about to others.
func graphCutLabels(p *cluster.Problem, objective Objective, e *cluster.Env) startLabels {
	return func(ctx context.Context) ([]int32, error) {
		a := NewGraphCut()
		a.Objective = objective
		if p.Graph == nil {
			a.KNN, a.Objective = 10, NormalizedCut
		}
		if err := a.Check(p); err != nil {
			return nil, err
		}
		s := cluster.Default()
		s.Restarts, s.Seed, s.Workers = 1, e.Rand.Uint64(), e.Workers
		return resultLabels(cluster.Fit(ctx, p, a, s))
	}
}
