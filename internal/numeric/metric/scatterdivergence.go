package metric

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// AddDivergences adds Σ_i w_i D_f(x_i, μ_{l_i}) for each feature f, and the
// weights of the rows, as AddRows does with squares: what weights for v are
// estimated from. The scatter must be diagonal, and v not the cosine. Sparse rows
// cost what they hold.
func (s *Scatter) AddDivergences(ctx context.Context, workers int, v Divergence, x data.Rows, labels []int32, weight, centres []float64) error {
	b, ok := v.(*bregman)
	if !ok || s.Form.Shape != Diagonal {
		return fmt.Errorf("%s weights are not learned for %s", s.Form, v.Name())
	}
	d, k := s.D, len(centres)/s.D
	mass := make([]float64, k)
	for i, h := range labels {
		mass[h] += weightAt(weight, i)
	}
	for h, m := range mass {
		s.Mass[min(h, len(s.Mass)-1)] += m
		for f := range d {
			s.Square[f] += float64(m * b.size(b.clampCentre(centres[h*d+f])))
		}
	}
	if _, ok := x.(*data.Sparse); ok {
		return s.divergeSparse(ctx, b, x, labels, weight, centres, mass)
	}
	return blocks.Each(ctx, workers, x.Len(), func(lo, hi int) []float64 {
		part := &Scatter{Form: s.Form, D: d, S: make([]float64, len(s.S)), Mass: s.Mass}
		buf := make([]float64, d)
		for i := lo; i < hi; i++ {
			h, w := int(labels[i]), weightAt(weight, i)
			to, c := part.Block(h), centres[h*d:(h+1)*d]
			for f, y := range x.Row(i, buf).Val {
				to[f] += float64(w * b.part(y, b.clampCentre(c[f])))
			}
		}
		return part.S
	}, func(_, _ int, part []float64) { addTo(s.S, part) })
}

// size returns the order of the divergence of a number from c that is not near:
// what rounding is measured by.
func (b *bregman) size(c float64) float64 {
	if b.name == ItakuraSaito {
		return 1
	}
	return c
}

func (s *Scatter) divergeSparse(ctx context.Context, b *bregman, x data.Rows, labels []int32, weight, centres, mass []float64) error {
	d := s.D
	held := make([]float64, len(centres))
	for i := range x.Len() {
		if i%blocks.Len == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, w, v := int(labels[i]), weightAt(weight, i), x.Row(i, nil)
		to, c, seen := s.Block(h), centres[h*d:(h+1)*d], held[h*d:(h+1)*d]
		for p, f := range v.Idx {
			seen[f] += w
			to[f] += float64(w * b.part(v.Val[p], b.clampCentre(c[f])))
		}
	}
	for h, m := range mass {
		to := s.Block(h)
		for f := range d {
			if rest := m - held[h*d+f]; rest > 1e-12*m {
				to[f] += float64(rest * b.fromZero(b.clampCentre(centres[h*d+f])))
			}
		}
	}
	return nil
}
