package spectral

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/eigen"
)

// climb is LOBPCG (Knyazev 2001) for the largest θ of S y = θ L̄ y on the
// complement of z: each step looks for the best vectors among those at hand,
// their preconditioned residuals and the last changes. It costs one cycle of
// multigrid per vector and step, where Lanczos costs a linear system.
type climb struct {
	s     *schur
	x     []trial
	theta []float64
	resid []float64 // ‖Sx − θL̄x‖ / (‖Sx‖ + |θ|‖L̄x‖)
	last  []trial
	pre   *eigen.AMG
	shift float64
}

// trial is a vector with its products.
type trial struct{ v, lv, sv []float64 }

func (t trial) each(f func(x []float64)) { f(t.v); f(t.lv); f(t.sv) }

func (s *schur) trial(v []float64) trial {
	n := len(v)
	t := trial{v: append([]float64(nil), v...), lv: make([]float64, n), sv: make([]float64, n)}
	s.offTrivial(t.v)
	s.multiply(t)
	return t
}

func (s *schur) multiply(t trial) {
	s.l.Apply(t.lv, t.v)
	s.offTrivial(t.lv)
	s.Apply(t.sv, t.v)
	s.offTrivial(t.sv)
}

// offTrivial takes the part along z off x.
func (s *schur) offTrivial(x []float64) { addTo(x, -inner(s.z, x), s.z) }

func addTo(dst []float64, c float64, x []float64) {
	for i, y := range x {
		dst[i] += float64(c * y)
	}
}

// lowest returns the count solutions of lowest λ > 0 that can be reached from
// the vectors of start, and whether all of them are exact to tol. There may be
// fewer.
func (s *schur) lowest(ctx context.Context, start [][]float64, count, most int, tol float64) ([]solution, bool, error) {
	c := &climb{s: s}
	var basis []trial
	for _, v := range start {
		basis = append(basis, s.trial(v))
	}
	width := min(count+1, s.Dim()-1)
	if err := c.choose(ctx, basis, width, 0); err != nil {
		return nil, false, err
	}
	done := false
	for step := 0; step < most && !done; step++ {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if err := c.step(ctx, width); err != nil {
			return nil, false, err
		}
		s.steps++
		done = c.done(count, tol)
	}
	var out []solution
	for j, theta := range c.theta[:min(count, len(c.theta))] {
		if theta > tiny*math.Abs(c.theta[0]) && theta > 0 {
			out = append(out, s.finish(1/theta, c.x[j].v))
		}
	}
	return out, done, nil
}

func (c *climb) done(count int, tol float64) bool {
	for j, r := range c.resid[:min(count, len(c.resid))] {
		if r > tol && c.theta[j] > 0 {
			return false
		}
	}
	return len(c.theta) > 0 && c.theta[0] > 0
}

// step improves the vectors once.
func (c *climb) step(ctx context.Context, width int) error {
	if err := c.prepare(); err != nil {
		return err
	}
	n, p := c.s.Dim(), len(c.x)
	r, w := make([]float64, n*p), make([]float64, n*p)
	for j, x := range c.x {
		for i := range x.v {
			r[i*p+j] = x.sv[i] - float64(c.theta[j]*x.lv[i])
		}
	}
	c.pre.PreconditionBlock(w, r, p)
	basis := append([]trial(nil), c.x...)
	for j := range p {
		v := make([]float64, n)
		for i := range v {
			v[i] = w[i*p+j]
		}
		basis = append(basis, c.s.trial(v))
	}
	err := c.choose(ctx, append(basis, c.last...), width, p)
	if err != nil && c.last != nil && ctx.Err() == nil {
		err = c.choose(ctx, basis, width, p)
	}
	return err
}

// prepare makes the preconditioner for L̄ − λS, of which only the part L̄ + λbI
// is taken, and makes it anew when λ has become another.
func (c *climb) prepare() (err error) {
	shift := 0.0
	if c.theta[0] > 0 && c.s.b > 0 {
		shift = min(c.s.b/c.theta[0], 10)
	}
	if c.pre != nil && shift <= 3*c.shift && c.shift <= 3*shift {
		return nil
	}
	c.shift = shift
	c.pre, err = c.s.multigrid(shift)
	return err
}

// choose takes the best vectors of the span of basis, whose first old are those
// at hand.
func (c *climb) choose(ctx context.Context, basis []trial, width, old int) error {
	kept, from := orthonormal(basis)
	m := len(kept)
	gs, gl := eigen.NewDense(m), eigen.NewDense(m)
	for i := range m {
		for j := range i + 1 {
			gs.V[i*m+j] = inner(kept[i].v, kept[j].sv)
			gl.V[i*m+j] = inner(kept[i].v, kept[j].lv)
			gs.V[j*m+i], gl.V[j*m+i] = gs.V[i*m+j], gl.V[i*m+j]
		}
	}
	pairs, err := eigen.Definite(ctx, gs, gl, eigen.Options{K: width, End: eigen.High})
	if err != nil {
		return err
	}
	c.theta = pairs.Values
	var x, last []trial
	for _, y := range pairs.Vectors {
		x = append(x, combine(kept, y, func(int) bool { return true }))
		if old > 0 {
			last = append(last, combine(kept, y, func(i int) bool { return from[i] >= old }))
		}
	}
	c.x, c.last, c.resid = x, last, c.resid[:0]
	for j, t := range x {
		size := math.Sqrt(inner(t.v, t.v))
		t.each(func(v []float64) {
			for i := range v {
				v[i] /= size
			}
		})
		r, theta := 0.0, c.theta[j]
		for i := range t.v {
			e := t.sv[i] - float64(theta*t.lv[i])
			r += float64(e * e)
		}
		c.resid = append(c.resid, math.Sqrt(r)/(math.Sqrt(inner(t.sv, t.sv))+math.Abs(theta)*math.Sqrt(inner(t.lv, t.lv))))
	}
	return nil
}

// combine returns the sum of the vectors by the factors y, of those that use
// allows.
func combine(basis []trial, y []float64, use func(int) bool) trial {
	n := len(basis[0].v)
	t := trial{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, b := range basis {
		if use(i) {
			addTo(t.v, y[i], b.v)
			addTo(t.lv, y[i], b.lv)
			addTo(t.sv, y[i], b.sv)
		}
	}
	return t
}

// orthonormal makes the vectors orthonormal in turn, drops those that the
// others span, and tells which ones are left. It changes all but the products
// of copies.
func orthonormal(basis []trial) (kept []trial, from []int) {
	for at, b := range basis {
		t := trial{append([]float64(nil), b.v...), append([]float64(nil), b.lv...), append([]float64(nil), b.sv...)}
		was := math.Sqrt(inner(t.v, t.v))
		if !(was > 0) {
			continue
		}
		t.each(func(v []float64) {
			for i := range v {
				v[i] /= was
			}
		})
		for range 2 {
			for _, k := range kept {
				c := inner(k.v, t.v)
				addTo(t.v, -c, k.v)
				addTo(t.lv, -c, k.lv)
				addTo(t.sv, -c, k.sv)
			}
		}
		size := math.Sqrt(inner(t.v, t.v))
		if size < 1e-7 || math.IsNaN(size) {
			continue
		}
		t.each(func(v []float64) {
			for i := range v {
				v[i] /= size
			}
		})
		kept, from = append(kept, t), append(from, at)
	}
	return kept, from
}
