package metric

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// invertible returns the scatter of cluster h, raised where it is too small to be
// inverted: no feature, and no axis of a full metric, keeps less than the floor's
// share of what the rows alone scatter there. A feature that is constant within
// h takes the scatter of all clusters, one that is constant everywhere the
// largest of any feature, so that its weight is small and finite.
func (e *estimate) invertible(ctx context.Context, h int, r *Report) ([]float64, error) {
	d, n := e.s.D, e.s.Mass[h]
	base := make([]float64, d)
	bare := make([]bool, d)
	for f := range base {
		share := e.pooled[f] * n / e.mass
		if n <= 0 {
			share = e.pooled[f] / e.mass
		}
		own := e.o.Base.Block(h)[e.s.slot(f)]
		bare[f] = e.flat[f] || own <= 1e-12*share
		if base[f] = own; bare[f] {
			base[f] = share
		}
	}
	if e.s.Form.Shape == Full {
		return e.invertibleFull(ctx, h, base, bare, r)
	}
	out := make([]float64, d)
	for f, b := range base {
		least := e.o.Floor * b
		if bare[f] {
			least = b
		}
		out[f] = e.s.Block(h)[f]
		if out[f] < least {
			if !bare[f] {
				r.Clamped = append(r.Clamped, Clamp{h, f, out[f] / b, e.o.Floor})
			}
			out[f] = least
		}
	}
	return out, nil
}

// invertibleFull is sound for a full metric, in features of unit scatter: there the
// mean eigenvalue of the rows' scatter is 1, whatever the features' units.
func (e *estimate) invertibleFull(ctx context.Context, h int, base []float64, bare []bool, r *Report) ([]float64, error) {
	d, s := e.s.D, e.s.Block(h)
	unit := make([]float64, d)
	for f, b := range base {
		unit[f] = math.Sqrt(b)
	}
	c := make([]float64, d*d)
	for i := range d {
		for j := i; j < d; j++ {
			y := s[i*d+j] / unit[i] / unit[j]
			if bare[i] || bare[j] {
				y = 0
				if i == j {
					y = max(1, s[i*d+i]/base[i])
				}
			}
			c[i*d+j], c[j*d+i] = y, y
		}
	}
	least := e.o.Floor
	for f := range d { // beside a pair far larger than the scatter, rounding alone is more than the floor
		least = max(least, 1e-12*math.Abs(c[f*d+f]))
	}
	test := append([]float64(nil), c...)
	for f := range d {
		test[f*d+f] -= least
	}
	if cholesky(test, d) >= 0 {
		var err error
		if c, err = raiseEigenvalues(ctx, c, d, least, func(from, to float64) {
			r.Clamped = append(r.Clamped, Clamp{h, -1, from, to})
		}); err != nil {
			return nil, err
		}
	}
	for i := range d {
		for j := range d {
			c[i*d+j] = float64(c[i*d+j]*unit[min(i, j)]) * unit[max(i, j)]
		}
	}
	return c, nil
}

// raiseEigenvalues returns the symmetric c with every eigenvalue below least raised to it. It
// is computed again, so that a large negative one leaves no rounding behind.
func raiseEigenvalues(ctx context.Context, c []float64, d int, least float64, tell func(from, to float64)) ([]float64, error) {
	p, err := eigen.Symmetric(ctx, &eigen.Dense{N: d, V: c}, eigen.Options{K: d})
	if err != nil {
		return nil, err
	}
	for _, v := range p.Values {
		least = max(least, 1e-12*v)
	}
	out := make([]float64, d*d)
	for q, v := range p.Values {
		if v < least {
			tell(v, least)
			v = least
		}
		vector := p.Vectors[q]
		for i, x := range vector {
			row, x := out[i*d:(i+1)*d], float64(v*x)
			for j := i; j < d; j++ {
				row[j] += float64(x * vector[j])
			}
		}
	}
	for i := range d {
		for j := range i {
			out[i*d+j] = out[j*d+i]
		}
	}
	return out, nil
}
