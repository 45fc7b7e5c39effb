package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// perClusterDistortion is the distortion where every cluster has its own metric, or
// a divergence.
type perClusterDistortion struct {
	p          *cluster.Problem
	e          *cluster.Env
	model      *Model
	near       []int32
	secondCost []float64 // what each costs in the second cheapest cluster
}

func newPerClusterDistortion(p *cluster.Problem, e *cluster.Env) *perClusterDistortion {
	n := p.Len()
	return &perClusterDistortion{p: p, e: e, near: make([]int32, n), secondCost: make([]float64, n)}
}

func (a *perClusterDistortion) setModel(_ context.Context, m *Model) error {
	m.prepare()
	a.model = m
	return nil
}

func (a *perClusterDistortion) nearestClusters(ctx context.Context) ([]int32, error) {
	return a.near, cluster.Sweep(ctx, a.e, a.p.X, a)
}

// Block finds the cheapest cluster of each row; it changes its own part of near
// and next.
func (a *perClusterDistortion) Block(x data.Rows, lo, hi int) struct{} {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		v := x.Row(i, buf)
		to, least, second := 0, math.Inf(1), math.Inf(1)
		for h := range a.p.K {
			if y := a.model.costAtCentre(v, h); y < least {
				to, least, second = h, y, least
			} else if y < second {
				second = y
			}
		}
		a.near[i], a.secondCost[i] = int32(to), second
	}
	return struct{}{}
}

func (a *perClusterDistortion) Merge(int, int, struct{}) {}

func (a *perClusterDistortion) boundElsewhere(i int) float64 { return a.secondCost[i] }

func (a *perClusterDistortion) leastElsewhere() func(i int, near int32) float64 {
	return func(i int, _ int32) float64 { return a.secondCost[i] }
}

func (a *perClusterDistortion) pointCost() pointCost {
	buf, last, v := make([]float64, a.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = a.p.X.Row(i, buf), i
		}
		return a.model.costAtCentre(v, h)
	}
}

func (a *perClusterDistortion) lowerBounds() lowerBounds { return nil }

func (a *perClusterDistortion) totalCost(ctx context.Context, labels []int32) (float64, error) {
	pass := &ownCosts{Model: a.model, Labels: labels, Weight: a.p.Weight}
	err := cluster.Sweep(ctx, a.e, a.p.X, pass)
	return pass.sum, err
}

// The change does not follow from the sums alone.
func (a *perClusterDistortion) changeByMoves(_, _ *lloyd.KeptSums) lloyd.CostChange {
	return lloyd.CostChange{Delta: math.NaN()}
}

func (a *perClusterDistortion) changeByCentre(*lloyd.KeptSums, int, []float64) float64 {
	return math.NaN()
}

// ownCosts adds up what rows cost in their own clusters.
type ownCosts struct {
	Model  *Model
	Labels []int32
	Weight []float64
	sum    float64
}

func (p *ownCosts) Block(x data.Rows, lo, hi int) (s float64) {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		s += float64(lloyd.WeightAt(p.Weight, i) * p.Model.costAtCentre(x.Row(i, buf), int(p.Labels[i])))
	}
	return s
}

func (p *ownCosts) Merge(_, _ int, part float64) { p.sum += part }
