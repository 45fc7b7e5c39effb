package metric

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// AddRows adds Σ_i w_i (x_i − μ_{l_i})(x_i − μ_{l_i})' and the weights of the
// rows; centres are the k rows of μ. A nil weight stands for ones.
//
// Differences from the centres are squared as they are, so that no digits cancel
// out. One metric for all clusters needs no such pass: see Total.
func (s *Scatter) AddRows(ctx context.Context, workers int, x data.Rows, labels []int32, weight, centres []float64) error {
	d, k := s.D, len(centres)/s.D
	mass := make([]float64, k)
	for i, h := range labels {
		mass[h] += weightAt(weight, i)
	}
	for h, m := range mass {
		s.Mass[min(h, len(s.Mass)-1)] += m
		for f := range d {
			c := centres[h*d+f]
			s.Square[f] += float64(m * float64(c*c))
		}
	}
	if _, ok := x.(*data.Sparse); ok && s.Form.Shape != Full {
		return s.addSparse(ctx, x, labels, weight, centres, mass)
	}
	return blocks.Each(ctx, workers, x.Len(), func(lo, hi int) *Scatter {
		part := &Scatter{Form: s.Form, D: d, S: make([]float64, len(s.S)), Mass: s.Mass}
		part.addBlock(x, lo, hi, labels, weight, centres)
		return part
	}, func(_, _ int, part *Scatter) { addTo(s.S, part.S) })
}

func (s *Scatter) addBlock(x data.Rows, lo, hi int, labels []int32, weight, centres []float64) {
	d := s.D
	buf, e := make([]float64, d), make([]float64, d)
	for i := lo; i < hi; i++ {
		h, w, v := int(labels[i]), weightAt(weight, i), x.Row(i, buf)
		c, to := centres[h*d:(h+1)*d], s.Block(h)
		if v.Idx == nil && s.Form.Shape == Diagonal {
			addSquares(to, v.Val, c, w)
			continue
		}
		v.Write(e)
		for f := range e {
			e[f] -= c[f]
		}
		s.AddGap(h, data.Vec{Val: e}, w)
	}
}

// addSparse walks through the values that rows hold. Where a row holds none its
// difference is −μ: how much weight that is follows from the weight of the rows
// that do, so nothing cancels out.
func (s *Scatter) addSparse(ctx context.Context, x data.Rows, labels []int32, weight, centres, mass []float64) error {
	d := s.D
	held := make([]float64, len(centres))
	for i := range x.Len() {
		if i%blocks.Len == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, w, v := int(labels[i]), weightAt(weight, i), x.Row(i, nil)
		to, c, seen := s.Block(h), centres[h*d:(h+1)*d], held[h*d:(h+1)*d]
		for p, f := range v.Idx {
			e := v.Val[p] - c[f]
			seen[f] += w
			to[s.slot(int(f))] += float64(w * float64(e*e))
		}
	}
	for h, m := range mass {
		to := s.Block(h)
		for f := range d {
			if rest := m - held[h*d+f]; rest > 1e-12*m {
				c := centres[h*d+f]
				to[s.slot(f)] += float64(rest * float64(c*c))
			}
		}
	}
	return nil
}

// slot returns where the square of feature f is added up.
func (s *Scatter) slot(f int) int {
	switch s.Form.Shape {
	case None:
		return 0
	case Full:
		return f*s.D + f
	}
	return f
}
