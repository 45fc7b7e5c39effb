package hmrf

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// newDescent returns a descent with the first centres and no labels yet, under the given
// metric, or the identity where it is nil.
func newDescent(ctx context.Context, a *HMRF, p lloyd.Space, e *cluster.Env, first *lloyd.Centres, under *metric.Learned) (*descent, error) {
	n, d := p.Len(), p.X.Dim()
	closure, closed := a.Closure, (*constraint.Closure)(nil)
	if closure == On {
		if closed = pairgraph.Close(p.Problem); a.Penalty != metric.Constant && !pairgraph.FewEntailed(closed) {
			closure, closed = Off, nil
		}
	}
	l := &labelling{a: a, e: e, p: p, divergence: divergenceOf(a.Distortion), graph: pairgraph.New(p.Problem, closed, a.Inference != ICM), constrained: make([]bool, n),
		labels: slices.Repeat([]int32{-1}, n), violationCount: make([]int32, n), pen: make([]float64, p.K), a1: make([]float64, d), a2: make([]float64, d)}
	t := &totals{labelling: l, previous: slices.Repeat([]int32{-1}, n), first: true, sums: lloyd.NewKeptSums(p.K, d), moves: []lloyd.Move{}}
	r := &descent{labelling: l, totals: t, assignment: &assignment{labelling: l, totals: t, open: make([]int32, n)}, metricStep: &metricStep{labelling: l, totals: t}, closureUsed: closure}
	for _, i := range r.graph.Constrained {
		r.constrained[i] = true
	}
	for i := range n {
		r.weight += p.W(i)
	}
	r.form, _ = a.Metric.Form()
	if r.form.Shape == metric.Full && a.Complexity == BIC && d*(d+1)/2 > n {
		r.form.Shape = metric.Diagonal // so many numbers cannot be earned
	}
	r.counts = pairgraph.NewCounts(r.graph, p.K)
	if under == nil || under.Form() != r.form {
		under = metric.Identity(r.form, p.K, d)
	}
	m := newModel(p.Project(first), a.Distortion, under, a.LogDet == metric.ScaleN)
	if m.perCluster() {
		r.distortion = newPerClusterDistortion(p.Problem, e)
	} else {
		r.distortion = newSharedDistortion(p, e)
	}
	if err := r.initPenalty(ctx, m); err != nil {
		return nil, err
	}
	r.model = m
	if m.learned() && !m.perCluster() {
		var err error
		if r.all, err = metric.NewTotalScatter(ctx, e.Workers, r.form, p.X, p.Weight); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	return r, nil
}

// startRun assigns every point to the first centres. When ctx ends it leaves out
// what only later steps need, and gives all points their nearest centres: a start
// is needed in any case.
func startRun(ctx context.Context, a *HMRF, p lloyd.Space, e *cluster.Env, first *lloyd.Centres) (cluster.Run, error) {
	r, err := newDescent(ctx, a, p, e, first, nil)
	if err != nil {
		return nil, err
	}
	_, err = r.assign(ctx)
	if err != nil && ctx.Err() != nil {
		err = r.assignNearest(blocks.Grace(ctx, passWork(p.Problem)))
	}
	r.settled = false
	r.swaps = newSwapSearch(r)
	return r, err
}

// passWork returns the multiplications of one pass over all points.
func passWork(p *cluster.Problem) float64 {
	return float64(p.X.Len()) * float64(p.X.Dim()) * float64(p.K)
}

// assignNearest gives every point its nearest centre, whatever the constraints.
func (r *descent) assignNearest(ctx context.Context) error {
	if err := r.findNearest(ctx); err != nil {
		return err
	}
	return r.assignLabels(ctx, r.near)
}

// assignLabels gives every point its label in labels, whatever the constraints. The
// distortion must know the model.
func (r *descent) assignLabels(ctx context.Context, labels []int32) error {
	copy(r.labels, labels)
	r.counts.Recount(r.labels)
	r.countViolations()
	return r.updateTotals(ctx, false)
}

// initPenalty computes what violated pairs cost at first. When ctx ends, a weight that
// would have to be measured is that of a fit that does not search.
func (r *metricStep) initPenalty(ctx context.Context, m *Model) error {
	r.penaltyScale = &penaltyScale{graph: r.graph, rows: r.p.X, divergence: r.divergence, workers: r.e.Workers}
	gaps, err := r.penaltyScale.findGaps(blocks.Grace(ctx, passWork(r.p.Problem)), m.Metric, r.a.Penalty)
	if err != nil {
		return err
	}
	prices, err := metric.NewPenalties(m.Metric, r.a.Penalty, gaps)
	if err != nil {
		return err
	}
	prices.Divergence, prices.Literal = r.divergence, r.a.Literal
	r.penalty = &pairPenalty{penalties: prices}
	w := r.a.Weight.Value
	if r.a.Weight.Rule != "" {
		w = r.autoWeight(ctx, m)
	} else if !r.penalty.isConstant() {
		w *= r.distanceScale()
	}
	r.penalty.w = w
	return nil
}

func (r *descent) Stages() []cluster.Stage {
	searching := r.swaps != nil && !r.swaps.done
	if r.settled && !searching {
		return nil
	}
	if r.assignsOnly {
		return []cluster.Stage{{Name: "assign", Do: r.assignAndCompare}}
	}
	stages := []cluster.Stage{{Name: "means", Do: r.updateMeans}, {Name: "assign", Do: r.assignAndCompare}}
	if r.model.learned() {
		stages = slices.Insert(stages, 1, cluster.Stage{Name: "metric", Do: r.learnMetric})
	}
	if searching {
		stages = append(stages, cluster.Stage{Name: "swap", Do: r.swaps.try})
	}
	return stages
}

func (r *descent) Labels() []int        { return r.pending.AllLabels(r.labels, r.e.Workers) }
func (r *descent) Relabel(labels []int) { r.pending.Update(labels, r.labels, r.e.Workers) }

// Model returns the model itself: it is replaced, never changed.
func (r *descent) Model() cluster.Model { return r.model }

// assignAndCompare is assign, and computes by how much J has decreased in this
// iteration.
func (r *descent) assignAndCompare(ctx context.Context) (moved int, err error) {
	was := r.terms.Sum()
	moved, err = r.assign(ctx)
	r.decrease = was - r.terms.Sum()
	return moved, err
}

// assign labels all points: unconstrained ones with their nearest centres, the
// others by inference.
func (r *descent) assign(ctx context.Context) (moved int, err error) {
	if err := r.findNearest(ctx); err != nil {
		return 0, err
	}
	brief := context.WithoutCancel(ctx) // for what must not be left half done
	open, moved, err := r.assignUnconstrained(brief)
	if err != nil {
		return 0, err
	}
	m, err := r.assignConstrained(ctx, open)
	if err != nil {
		return 0, err
	}
	moved += m
	if err := r.updateTotals(brief, moved == 0); err != nil {
		return 0, err
	}
	renumbered, err := r.renumber(brief, moved == 0)
	if err != nil {
		return 0, err
	}
	moved += renumbered
	r.settled = moved == 0
	return moved, nil
}

// findNearest finds the nearest centre of every point.
func (r *assignment) findNearest(ctx context.Context) (err error) {
	if err := r.distortion.setModel(ctx, r.model); err != nil {
		return err
	}
	if r.near, err = r.distortion.nearestClusters(ctx); err != nil {
		return err
	}
	r.pointCost, r.moveCost = r.distortion.pointCost(), nil
	if r.canUseMoveCost() {
		r.moveCost = r.newMoveCost()
	}
	return nil
}

// assignUnconstrained gives unconstrained points their nearest centres, and lists
// the others that are not at theirs or violate a pair, in ascending order.
func (r *assignment) assignUnconstrained(ctx context.Context) (open []int32, moved int, err error) {
	type part struct{ open, moved int }
	err = lloyd.LongBlocks(ctx, r.e.Workers, len(r.near), func(lo, hi int) (p part) {
		constrained, labels, bad, open := r.constrained[lo:hi], r.labels[lo:hi], r.violationCount[lo:hi], r.open[lo:hi]
		for i, h := range r.near[lo:hi] {
			switch {
			case labels[i] == h && bad[i] == 0: // always 0 for an unconstrained point
			case constrained[i]:
				open[p.open] = int32(lo + i)
				p.open++
			default:
				labels[i] = h
				p.moved++
			}
		}
		return p
	}, func(lo, _ int, p part) {
		open = r.appendBlock(open, lo, p.open)
		moved += p.moved
	})
	return open, moved, err
}

// Start chooses the first centres and assigns every point.
func (a *HMRF) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	s := a.space(p)
	return startRun(ctx, a, s, e, a.first(ctx, s.Problem, e))
}

func (a *HMRF) first(ctx context.Context, p *cluster.Problem, e *cluster.Env) *lloyd.Centres {
	if a.Centres != nil {
		x := data.Rows(a.Centres)
		if v := divergenceOf(a.Distortion); v != nil {
			x = metric.PrepareRows(v, x)
		}
		return starts.GivenCentres(p, x)
	}
	if a.Init == KMeansPlusPlus {
		return starts.FittedCentres(ctx, lloyd.Space{Problem: p}, e, nil)
	}
	mode, fill := starts.Neighbourhoods(a.Init), "k-means++"
	if a.Literal {
		fill = "perturbed-mean"
		if mode == starts.Farthest {
			mode = starts.FarthestAlone
		}
	}
	return starts.NeighbourhoodCentres(ctx, p, e, mode, fill)
}
