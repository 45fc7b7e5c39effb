package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// apart is the ground on which every cluster measures in its own way: by its
// own metric, or by a divergence.
type apart struct {
	p     *cluster.Problem
	e     *cluster.Env
	model *Model
	near  []int32
	next  []float64 // what each costs in the cheapest cluster but near
}

func newApart(p *cluster.Problem, e *cluster.Env) *apart {
	n := p.Len()
	return &apart{p: p, e: e, near: make([]int32, n), next: make([]float64, n)}
}

func (a *apart) stand(_ context.Context, m *Model) error {
	m.prepare()
	a.model = m
	return nil
}

func (a *apart) search(ctx context.Context) ([]int32, error) {
	return a.near, cluster.Sweep(ctx, a.e, a.p.X, a)
}

// Block finds the cheapest cluster of each row; it changes its own part of near
// and next.
func (a *apart) Block(x data.Rows, lo, hi int) struct{} {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		v := x.Row(i, buf)
		to, least, second := 0, math.Inf(1), math.Inf(1)
		for h := range a.p.K {
			if y := a.model.own(v, h); y < least {
				to, least, second = h, y, least
			} else if y < second {
				second = y
			}
		}
		a.near[i], a.next[i] = int32(to), second
	}
	return struct{}{}
}

func (a *apart) Merge(int, int, struct{}) {}

func (a *apart) bound(i int) float64 { return a.next[i] }

func (a *apart) gauge() gauge {
	buf, last, v := make([]float64, a.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = a.p.X.Row(i, buf), i
		}
		return a.model.own(v, h)
	}
}

func (a *apart) floors() floors { return nil }

func (a *apart) total(ctx context.Context, labels []int32) (float64, error) {
	pass := &ownPrices{Model: a.model, Labels: labels, Weight: a.p.Weight}
	err := cluster.Sweep(ctx, a.e, a.p.X, pass)
	return pass.sum, err
}

// What points cost is not a matter of their sum alone.
func (a *apart) moved(_, _ *lloyd.KeptSums) lloyd.CostChange {
	return lloyd.CostChange{Delta: math.NaN()}
}

func (a *apart) gain(*lloyd.KeptSums, int, []float64) float64 { return math.NaN() }

// ownPrices adds up what rows cost in their own clusters.
type ownPrices struct {
	Model  *Model
	Labels []int32
	Weight []float64
	sum    float64
}

func (p *ownPrices) Block(x data.Rows, lo, hi int) (s float64) {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		s += float64(lloyd.WeightAt(p.Weight, i) * p.Model.own(x.Row(i, buf), int(p.Labels[i])))
	}
	return s
}

func (p *ownPrices) Merge(_, _ int, part float64) { p.sum += part }
