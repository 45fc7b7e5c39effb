package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// autoWeight sets w where it is to follow from the data. In a search it is measured in the
// solution without constraints; else it is 1, as in the papers, or for pairs that all cost
// the same as much as a point costs on average.
func (r *metricStep) autoWeight(ctx context.Context, m *Model) float64 {
	if r.e.Effort.Searches() && len(r.graph.Constrained) > 0 && r.p.K > 1 {
		w := r.e.Once("hmrf weight", func() any { return r.marginWeight(ctx) }).(float64)
		if w > 0 && !math.IsInf(w, 1) {
			return w
		}
	}
	switch {
	case !r.penalty.isConstant():
		return r.distanceScale()
	case m.learned(): // under A = N S⁻¹ a point costs 1 for each feature
		return float64(r.p.X.Dim())
	}
	return r.e.Once("hmrf mean distortion", func() any { return meanDistortion(ctx, r.p, r.e, r.a.Distortion) }).(float64)
}

// marginShare is the share of the median margin that a typical violated pair costs. A
// metric follows the pairs too: a full one needs more to gain by them, a diagonal one
// gains with little and does harm with more. go run ./bench/trust harm measures it.
func marginShare(f metric.Form) float64 {
	switch f.Shape {
	case metric.Diagonal:
		return 0.5
	case metric.Full:
		return 3
	}
	return 1
}

const (
	marginRows  = 2048 // rows, if k is small, whose margins are measured
	marginPairs = 4096 // pairs whose costs are measured
)

// marginWeight returns the weight at which a typical violated pair costs as much as
// moving a typical point from its nearest centre to the second nearest, times a share:
// with it, pairs decide about points between clusters, and few pairs cannot turn whole
// clusters over. φ_max can be so large that a pair of weight 1 costs as much as dozens of
// points. Both are medians in a solution without constraints on a sample. They depend on
// the problem alone. It is 0 where nothing can be measured.
func (r *metricStep) marginWeight(ctx context.Context) float64 {
	n, rng := r.p.Len(), rand.New(rand.NewPCG(0x77, uint64(r.p.Len())))
	q := &cluster.Problem{X: r.p.X, K: r.p.K, Weight: r.p.Weight}
	if most := max(marginRows, 4*r.p.K); n > most {
		q = fewer(r.p.Problem, most, rng)
	}
	a, s := *r.a, cluster.Default()
	a.Init, a.Weight, a.Centres = KMeansPlusPlus, cluster.Fixed(1), nil
	s.Restarts, s.MaxIter, s.Workers = 3, 50, r.e.Workers
	res, err := cluster.Fit(ctx, q, &a, s)
	if err != nil {
		return 0
	}
	m := res.Model.(*Model)
	w := marginShare(r.form) * medianMargin(q, m)
	if r.penalty.isConstant() {
		return w
	}
	cost, err := r.medianPairCost(ctx, q, m, res.Labels, rng)
	if err != nil || cost == 0 {
		return 0
	}
	return w / cost
}

// medianMargin returns by how much the second cheapest cluster of a point costs more than
// the cheapest under m.
func medianMargin(p *cluster.Problem, m *Model) float64 {
	buf, z := make([]float64, m.D), make([]float64, m.D)
	var margins []float64
	m.prepare()
	for i := range p.Len() {
		if p.W(i) == 0 {
			continue
		}
		v, cost, scale := p.X.Row(i, buf), m.costAtCentre, 1.0
		if !m.perCluster() {
			cost = m.transformed.PointCost
			if scale = m.isotropic; m.needsTransform() {
				m.Metric.Transform(0, v, z)
				v, scale = data.Vec{Val: z}, 1
			}
		}
		least, second := math.Inf(1), math.Inf(1)
		for h := range m.K {
			if y := cost(v, h); y < least {
				least, second = y, least
			} else if y < second {
				second = y
			}
		}
		margins = append(margins, p.W(i)*scale*(second-least))
	}
	return median(margins)
}

// medianPairCost returns what a violated must-link or cannot-link costs under m, the
// costlier of both.
func (r *metricStep) medianPairCost(ctx context.Context, p *cluster.Problem, m *Model, labels []int, rng *rand.Rand) (float64, error) {
	gaps, err := r.penaltyScale.findGaps(ctx, m.Metric, r.a.Penalty)
	if err != nil {
		return 0, err
	}
	by := r.penalty.underMetric(m.Metric, gaps).penalties
	a, b := make([]float64, m.D), make([]float64, m.D)
	var must, cannot []float64
	for range marginPairs {
		i, j := rng.IntN(p.Len()), rng.IntN(p.Len())
		x, y := p.X.Row(i, a), p.X.Row(j, b)
		switch g, h := labels[i], labels[j]; {
		case g != h:
			must = append(must, by.MustPairCost(g, h, x, y))
		case i != j:
			cannot = append(cannot, by.CannotPairCost(h, x, y))
		}
	}
	return max(median(must), median(cannot)), nil
}

// median returns the median of y, 0 if there is none.
func median(y []float64) float64 {
	if len(y) == 0 {
		return 0
	}
	slices.Sort(y)
	return y[len(y)/2]
}

// distanceScale returns what a pair of weight 1 costs in units of its squared distance:
// half of it for the cosine, since 1 − cos = ½ ‖x−y‖².
func (r *metricStep) distanceScale() float64 {
	if r.p.Distance.Unit {
		return 0.5
	}
	return 1
}

// meanDistortion returns the mean squared distance of a point to its centre in
// plain k-means: a violated pair then costs as much as a point does. It depends
// on the problem alone, so that all restarts minimise the same objective, and
// is measured on a sample where there are many points.
func meanDistortion(ctx context.Context, s lloyd.Space, e *cluster.Env, distortion Distortion) float64 {
	const most = 8192
	p := s.Problem
	rng := rand.New(rand.NewPCG(0x77, uint64(p.Len())))
	q := &cluster.Problem{X: p.X, K: p.K, Weight: p.Weight}
	if p.Len() > max(most, 4*p.K) {
		q = fewer(p, max(most, 4*p.K), rng)
	}
	env := &cluster.Env{Rand: rng, Workers: e.Workers}
	ctx = blocks.Grace(ctx, 20*passWork(q))
	if v := divergenceOf(distortion); v != nil {
		return meanDivergence(q, v)
	}
	l, err := lloyd.Start(ctx, lloyd.Space{Problem: q, Distance: s.Distance}, env, starts.KMeansPlusPlus(ctx, q, env, nil), nil)
	if err != nil {
		return 0
	}
	for range 20 {
		if _, err := l.Means(ctx); err != nil {
			break
		}
		if moved, err := l.Assign(ctx); err != nil || moved == 0 {
			break
		}
	}
	mass := 0.0
	for i := range q.Len() {
		mass += q.W(i)
	}
	return lloyd.Space{Distance: s.Distance}.Objective(l.Cost()) / mass
}

// fewer returns m of p's rows, drawn at random.
func fewer(p *cluster.Problem, m int, rng *rand.Rand) *cluster.Problem {
	q := &cluster.Problem{K: p.K}
	rows := starts.SampleIndices(p.Len(), m, rng.IntN)
	if p.Weight != nil {
		sum := 0.0
		for _, i := range rows {
			q.Weight = append(q.Weight, p.Weight[i])
			sum += p.Weight[i]
		}
		if sum == 0 {
			q.Weight = nil
		}
	}
	q.X = data.Pick(p.X, rows)
	return q
}

// meanDivergence returns how far a point is from the mean of all on average,
// shared out among the clusters.
func meanDivergence(p *cluster.Problem, v metric.Divergence) float64 {
	one, buf := lloyd.NewSums(1, p.X.Dim()), make([]float64, p.X.Dim())
	for i := range p.Len() {
		one.Add(0, p.X.Row(i, buf), p.W(i), 1)
	}
	v.Centre(one.Sum, one.Mass[0])
	rest, total := v.CentreTerm(one.Sum, nil), 0.0
	for i := range p.Len() {
		total += p.W(i) * v.FromCentre(p.X.Row(i, buf), one.Sum, nil, rest)
	}
	return total / one.Mass[0] / float64(p.K)
}
