package infer

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A linearProgram is the linear program of a core, equations (8), (9), (12), (13)
// and (15), as a saddle point problem in y and p:
//
//	min over y, max over p:  constant + Σ_i u_i·y_i + Σ_l Σ_a p_l(a) (y_i(a) ∓ y_j(a) − s)
//
// Each y_i lies in the simplex, which is (9). A must-link has y_i − y_j, s = 0
// and |p| ≤ ½|c|: its best p costs ½|c| |y_i(a) − y_j(a)|, to which (12) and (13)
// reduce z in (8). A cannot-link has y_i + y_j − 1 and 0 ≤ p ≤ c: it costs
// c·max(0, y_i(a) + y_j(a) − 1), which is (15). Equation (14) never binds in a
// minimum.
//
// Costs that depend on the label only change the limits of p by label, and the
// program stays below every labelling: at integral labels |y_i(a) − y_j(a)| and
// max(0, …) are what the field counts. If c < 0, its reward c·min(y_i, y_j) is
// c/2 (y_i + y_j) + ½|c| |y_i − y_j|; the first part is linear and moves to u.
//
// Both sides are feasible throughout, so each iterate proves something: the
// optimum is at most the value of any y, and at least that of any p, constant +
// Σ_i min_a (u_i + what p adds) − Σ s p.
type linearProgram struct {
	*core
	unaryCosts []float64
	constant   float64
}

func newLinearProgram(p *core) *linearProgram {
	q := &linearProgram{core: p, unaryCosts: p.unary}
	if p.costWidth > 1 {
		q.unaryCosts = append([]float64(nil), p.unary...)
	}
	for l, e := range p.links {
		for a, c := range p.linkCost[l*p.costWidth:][:p.costWidth] {
			switch {
			case c >= 0:
			case p.costWidth == 1:
				q.constant += c
			default:
				q.unaryCosts[int(e.I)*p.k+a] += c / 2
				q.unaryCosts[int(e.J)*p.k+a] += c / 2
			}
		}
	}
	return q
}

// dualLimits returns the range of p for a link of cost c, the sign with which its
// second end counts, and s.
func dualLimits(c float64) (lo, hi, sign, s float64) {
	if c < 0 {
		return c / 2, -c / 2, -1, 0
	}
	return 0, c, 1, 1
}

// primalValue returns the value of a point y.
func (q *linearProgram) primalValue(ctx context.Context, y []float64, workers int) (sum float64, err error) {
	sum = q.constant
	add := func(_, _ int, part float64) { sum += part }
	err = blocks.Each(ctx, workers, q.n, func(lo, hi int) (part float64) {
		for at := lo * q.k; at < hi*q.k; at++ {
			part += float64(q.unaryCosts[at] * y[at])
		}
		return part
	}, add)
	if err != nil {
		return sum, err
	}
	err = blocks.Each(ctx, workers, len(q.links), func(lo, hi int) (part float64) {
		for l := lo; l < hi; l++ {
			yi, yj := labelRow(y, q.links[l].I, q.k), labelRow(y, q.links[l].J, q.k)
			for a, v := range yi {
				if c := linkCostAt(q.linkCost, q.costWidth, int32(l), int32(a)); c < 0 {
					part -= float64(c / 2 * math.Abs(v-yj[a]))
				} else if both := v + yj[a] - 1; both > 0 {
					part += float64(c * both)
				}
			}
		}
		return part
	}, add)
	return sum, err
}

// dualBound returns what p proves: no labels, and no fractional point, cost less.
func (q *linearProgram) dualBound(ctx context.Context, p []float64, workers int) (sum float64, err error) {
	sum = q.constant
	add := func(_, _ int, part float64) { sum += part }
	err = blocks.Each(ctx, workers, q.n, func(lo, hi int) (part float64) {
		g := make([]float64, q.k)
		for i := lo; i < hi; i++ {
			q.reducedCosts(g, int32(i), p)
			part += g[cheapestLabel(g)]
		}
		return part
	}, add)
	if err != nil {
		return sum, err
	}
	err = blocks.Each(ctx, workers, len(q.links), func(lo, hi int) (part float64) {
		for l := lo; l < hi; l++ {
			for a, v := range labelRow(p, int32(l), q.k) {
				if linkCostAt(q.linkCost, q.costWidth, int32(l), int32(a)) >= 0 {
					part -= v
				}
			}
		}
		return part
	}, add)
	return sum, err
}

// reducedCosts sets g to the costs of variable i with what p adds.
func (q *linearProgram) reducedCosts(g []float64, i int32, p []float64) {
	copy(g, labelRow(q.unaryCosts, i, q.k))
	for _, h := range q.graph.linksOf(i) {
		v := labelRow(p, h.link, q.k)[:len(g)]
		switch {
		case q.links[h.link].I == i || q.costWidth == 1 && q.linkCost[h.link] >= 0:
			for a := range g {
				g[a] += v[a]
			}
		case q.costWidth == 1:
			for a := range g {
				g[a] -= v[a]
			}
		default:
			for a, c := range labelRow(q.linkCost, h.link, q.k) {
				if c < 0 {
					g[a] -= v[a]
				} else {
					g[a] += v[a]
				}
			}
		}
	}
}

// projectToSimplex replaces y by the nearest point whose entries are not negative
// and add up to 1: max(0, y − t), with t raised until it fits (Michelot 1986).
// Entries are counted from the largest one, so that rounding cannot remove it.
func projectToSimplex(y []float64) {
	top := slices.Max(y)
	t, count := -inf, len(y)+1
	for {
		sum, above := 0.0, 0
		for _, v := range y {
			if v -= top; v > t {
				sum += v
				above++
			}
		}
		if above >= count || above == 0 {
			break
		}
		count, t = above, (sum-1)/float64(above)
	}
	for a, v := range y {
		y[a] = max(0, v-top-t)
	}
}
