package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// StartFromResult starts a run from the labels of a fit without constraints: J is that
// of these labels, with the best centres and, from the metric of that fit on, the best
// metric for them. Clusters are numbered so that they agree with the classes of
// labelled points as well as they can.
func (a *HMRF) StartFromResult(ctx context.Context, p *cluster.Problem, e *cluster.Env, res *cluster.Result) (cluster.Run, error) {
	from, ok := res.Model.(*Model)
	if !ok {
		return a.Start(ctx, p, e)
	}
	ctx = blocks.Grace(ctx, 3*passWork(p)) // a few passes
	number := matchClasses(p, res.Labels)
	c, under := make([]float64, len(from.C)), from.Metric
	for h, to := range number {
		copy(c[int(to)*from.D:], from.At(h))
		if int(to) != h && from.learned() && from.Metric.Form().PerCluster {
			under = nil
		}
	}
	r, err := newDescent(ctx, a, a.space(p), e, lloyd.NewCentres(from.K, from.D, c), under)
	if err != nil {
		return nil, err
	}
	if info, ok := res.Learned.(*Info); ok && under != nil && r.model.Metric == under {
		r.rank = info.rank
	}
	labels := make([]int32, len(res.Labels))
	for i, h := range res.Labels {
		labels[i] = number[h]
	}
	if err := r.distortion.setModel(ctx, r.model); err != nil {
		return nil, err
	}
	if err := r.assignLabels(ctx, labels); err != nil {
		return nil, err
	}
	if _, err := r.updateMeans(ctx); err != nil {
		return nil, err
	}
	if r.model.learned() {
		if _, err := r.learnMetric(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.distortion.setModel(ctx, r.model); err != nil {
		return nil, err
	}
	r.swaps = newSwapSearch(r)
	return r, r.updateTotals(ctx, false)
}

// Centres and metric of a fit with constraints are kept if the constraints speak for them by
// minPreference standard errors. Fewer than minJudges constraints cannot judge, and are
// followed; so are more constraints than points. minPreference was chosen by
// go run ./bench/trust harm.
const (
	minPreference = 1
	minJudges     = 20
)

// Fallback starts a run from the result without constraints if they do not speak for the
// centres and the metric of best. All points are judged by their nearest centres: a pair
// that best honours against them says nothing about other points. In the run, centres and
// metric stay those that are best for the labels without constraints; constrained points
// are assigned as their pairs ask.
//
// Only a diagonal metric is judged: a full one gains much by pairs and does little harm, and
// would lose more by judging than that saves.
func (a *HMRF) Fallback(ctx context.Context, p *cluster.Problem, e *cluster.Env, best, without *cluster.Result) (cluster.Run, error) {
	form, _ := a.Metric.Form()
	if known := p.Constraints.Len(); form.Shape != metric.Diagonal || a.Inference == Nearest || a.Weight.Rule == "" || known < minJudges || known > p.Len() {
		return nil, nil
	}
	near, err := cluster.Predict(ctx, best.Model, p.X, e.Workers)
	if err != nil || p.Constraints.Preference(near, without.Labels) >= minPreference {
		return nil, err
	}
	run, err := a.StartFromResult(ctx, p, e, without)
	r, ok := run.(*descent)
	if err != nil || !ok {
		return nil, err
	}
	r.swaps, r.assignsOnly = nil, true
	return r, nil
}

// matchClasses returns a number for each cluster, so that as much weight of labelled
// points as possible is in the clusters of their classes.
func matchClasses(p *cluster.Problem, labels []int) []int32 {
	number := make([]int32, p.K)
	classes, most := min(p.Constraints.Classes(), p.K), 0.0
	if classes > 0 {
		for _, l := range p.Constraints.Labels {
			most = max(most, l.W)
		}
	}
	cost := make([]float64, classes*p.K) // of a class in each cluster
	for q := 0; most > 0 && q < len(p.Constraints.Labels); q++ {
		l := p.Constraints.Labels[q]
		cost[l.Class*p.K+labels[l.I]] -= l.W / most
	}
	of, _ := combinatorial.Assign(cost, p.K)
	for h := range number {
		number[h] = -1
	}
	for c, h := range of {
		number[h] = int32(c)
	}
	next := int32(len(of))
	for h := range number {
		if number[h] < 0 {
			number[h] = next
			next++
		}
	}
	return number
}
