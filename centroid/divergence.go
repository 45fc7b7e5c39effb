package centroid

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// Divergences: distortions of which the mean of the points is the best centre
// too (Banerjee, Merugu, Dhillon and Ghosh 2004).
const (
	KL           = "kl"            // Σ_f x_f log(x_f/μ_f), rows brought to sum 1
	IDivergence  = "i-divergence"  // Σ_f x_f log(x_f/μ_f) − x_f + μ_f, rows from 0
	ItakuraSaito = "itakura-saito" // Σ_f x_f/μ_f − log(x_f/μ_f) − 1, rows above 0
)

var distortions = []string{Euclidean, Cosine, KL, IDivergence, ItakuraSaito}

func isDivergence(name string) bool {
	return name == KL || name == IDivergence || name == ItakuraSaito
}

// nothing stands for a centre that has nothing of a feature that a point has:
// the divergence is then very large in place of infinite.
const nothing = 1e-12

// divergence returns how far v is from c, whose numbers add up to sum, which
// only a sparse v needs. It is never below 0. On rows and centres of sum 1 the
// I-divergence is KL.
func divergence(name string, v data.Vec, c []float64, sum float64) (s float64) {
	switch {
	case name == ItakuraSaito:
		for f, x := range v.Val {
			q := x / max(c[f], math.SmallestNonzeroFloat64)
			s += q - math.Log(q) - 1
		}
	case v.Idx == nil:
		for f, x := range v.Val {
			s += c[f]
			if x > 0 {
				s += float64(x*math.Log(x/max(c[f], nothing*x))) - x
			}
		}
	default:
		s = sum
		for p, f := range v.Idx {
			if x := v.Val[p]; x > 0 {
				s += float64(x*math.Log(x/max(c[f], nothing*x))) - x
			}
		}
	}
	return max(s, 0)
}

// between returns how far two points are apart: what both diverge from the
// point in the middle, the same either way.
func between(name string, x, y data.Vec, d int) float64 {
	c, sum := make([]float64, d), 0.0
	data.Add(c, x, 0.5)
	data.Add(c, y, 0.5)
	for _, z := range c {
		sum += z
	}
	return divergence(name, x, c, sum) + divergence(name, y, c, sum)
}

// scaled returns v as the distortion reads it: of sum 1 for KL.
func scaled(distortion string, v data.Vec, buf []float64) data.Vec {
	if distortion != KL {
		return v
	}
	sum := 0.0
	for _, x := range v.Val {
		sum += x
	}
	if sum == 0 || sum == 1 {
		return v
	}
	buf = buf[:len(v.Val)]
	for p, x := range v.Val {
		buf[p] = x / sum
	}
	return data.Vec{Idx: v.Idx, Val: buf}
}

// checkDivergence refuses rows that a divergence is not defined for.
func checkDivergence(name string, x data.Rows) error {
	if !isDivergence(name) {
		return nil
	}
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		v := x.Row(i, buf)
		for p, y := range v.Val {
			f := p
			if v.Idx != nil {
				f = int(v.Idx[p])
			}
			if y < 0 || y == 0 && name == ItakuraSaito {
				least := "from 0"
				if name == ItakuraSaito {
					least = "above 0"
				}
				return cluster.Badf("x", "row %d, column %d is %v, the distortion %s needs values %s", i, f, y, name, least)
			}
		}
		if v.Idx != nil && len(v.Val) < x.Dim() && name == ItakuraSaito {
			return cluster.Badf("x", "row %d has zeros, the distortion %s needs values above 0", i, name)
		}
	}
	return nil
}

// dividedRows returns x with rows as the distortion reads them.
func dividedRows(distortion string, x data.Rows) data.Rows {
	if distortion != KL {
		return x
	}
	if s, ok := x.(*data.Sparse); ok {
		out := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: slices.Clone(s.Val)}
		for i := range s.Len() {
			part := out.Val[s.Start[i]:s.Start[i+1]]
			copy(part, scaled(distortion, s.Row(i, nil), make([]float64, len(part))).Val)
		}
		return out
	}
	out, buf, room := &data.Dense{Cols: x.Dim()}, make([]float64, x.Dim()), make([]float64, x.Dim())
	for i := range x.Len() {
		out.V = append(out.V, scaled(distortion, x.Row(i, buf), room).Val...)
	}
	return out
}

// apart is the ground on which every cluster measures in its own way: by its
// own metric, or by a divergence.
type apart struct {
	p     *cluster.Problem
	e     *cluster.Env
	model *HMRFModel
	near  []int32
	low   []float64
	next  []float64
	sum   *sums
}

func newApart(p *cluster.Problem, e *cluster.Env) *apart {
	n := p.Len()
	return &apart{p: p, e: e, near: make([]int32, n), low: make([]float64, n), next: make([]float64, n), sum: newSums(p.K, p.X.Dim())}
}

func (a *apart) stand(_ context.Context, m *HMRFModel) error {
	m.prepare()
	a.model = m
	return nil
}

func (a *apart) search(ctx context.Context) ([]int32, []float64, *sums, error) {
	a.sum.clear()
	err := cluster.Sweep(ctx, a.e, a.p.X, a)
	return a.near, a.low, a.sum, err
}

// Block finds the cheapest cluster of each row; it changes its own part of
// near, low and next.
func (a *apart) Block(x data.Rows, lo, hi int) *sums {
	part, buf := newSums(a.p.K, x.Dim()), make([]float64, x.Dim())
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
		a.near[i], a.low[i], a.next[i] = int32(to), least, second
		part.add(to, v, a.p.W(i), 1)
	}
	return part
}

func (a *apart) Merge(_, _ int, part *sums) { a.sum.merge(part) }

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

func (a *apart) total(ctx context.Context, labels []int32) (float64, error) {
	pass := &ownPrices{Model: a.model, Labels: labels, Weight: a.p.Weight}
	err := cluster.Sweep(ctx, a.e, a.p.X, pass)
	return pass.sum, err
}

// ownPrices adds up what rows cost in their own clusters.
type ownPrices struct {
	Model  *HMRFModel
	Labels []int32
	Weight []float64
	sum    float64
}

func (p *ownPrices) Block(x data.Rows, lo, hi int) (s float64) {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		s += float64(weight(p.Weight, i) * p.Model.own(x.Row(i, buf), int(p.Labels[i])))
	}
	return s
}

func (p *ownPrices) Merge(_, _ int, part float64) { p.sum += part }
