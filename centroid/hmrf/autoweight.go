package hmrf

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/internal/starts"
	"github.com/inklinghq/inkling/metric"
)

// autoWeight returns the mean squared distance of a point to its centre in
// plain k-means: a violated pair then costs as much as a point does. It depends
// on the problem alone, so that all restarts minimise the same objective, and
// is measured on a sample where there are many points.
func autoWeight(s lloyd.Space, e *cluster.Env, distortion Distortion) float64 {
	const most = 8192
	p := s.Problem
	rng := rand.New(rand.NewPCG(0x77, uint64(p.Len())))
	q := &cluster.Problem{X: p.X, K: p.K, Weight: p.Weight}
	if p.Len() > max(most, 4*p.K) {
		q = fewer(p, max(most, 4*p.K), rng)
	}
	env := &cluster.Env{Rand: rng, Workers: e.Workers}
	ctx := context.Background()
	if v := divergenceOf(distortion); v != nil {
		return meanDivergence(q, v)
	}
	l, err := lloyd.Start(ctx, lloyd.Space{Problem: q, Cosine: s.Cosine}, env, starts.KMeansPlusPlus(ctx, q, env, nil), nil)
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
	return lloyd.Space{Cosine: s.Cosine}.Objective(l.Cost()) / mass
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
	if s, ok := p.X.(*data.Sparse); ok {
		x := &data.Sparse{Cols: s.Cols, Start: []int{0}}
		for _, i := range rows {
			v := s.Row(i, nil)
			x.Idx, x.Val = append(x.Idx, v.Idx...), append(x.Val, v.Val...)
			x.Start = append(x.Start, len(x.Idx))
		}
		q.X = x
		return q
	}
	x := &data.Dense{Cols: p.X.Dim(), V: make([]float64, 0, m*p.X.Dim())}
	for _, i := range rows {
		x.V = append(x.V, data.Copy(p.X, i)...)
	}
	q.X = x
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
