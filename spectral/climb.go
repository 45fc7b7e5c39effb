package spectral

import (
	"context"
	"errors"
	"math"

	"github.com/inklinghq/inkling/eigen"
)

// climb is LOBPCG (Knyazev 2001) for the largest θ of S y = θ L̄ y on the
// complement of z: each step looks for the best vectors among those at hand,
// their preconditioned residuals and the last changes. It costs one cycle of
// multigrid per vector and step, where Lanczos costs a linear system.
type climb struct {
	s     *schurComplement
	x     *bundle
	last  *bundle
	theta []float64
	resid []float64 // ‖Sx − θL̄x‖ / (‖Sx‖ + |θ|‖L̄x‖), 0 if it is rounding
	pre   *eigen.AMG
	shift float64
}

// lowest returns the solutions of lowest λ > 0 that can be reached from the
// vectors of start, and whether the first count of them are exact to tol. One
// more may be among them if it is nearly so. There may be fewer.
func (s *schurComplement) solveIteratively(ctx context.Context, start [][]float64, count, most int, tol float64) ([]feasibleVector, bool, error) {
	c, width := &climb{s: s}, min(count+1, s.Dim()-1)
	first := newBundle(s.Dim(), len(start))
	for at, v := range start {
		for i, y := range v {
			first.v[i*first.p+at] = y
		}
	}
	s.multiply(first)
	if err := c.choose(ctx, []*bundle{first}, width); err != nil {
		return nil, false, err
	}
	done := false
	for step := 0; step < most && !done; step++ {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		err := c.step(ctx, width)
		if not := (*eigen.NotDefiniteError)(nil); errors.As(err, &not) {
			break // rounding is all that is left to go by
		}
		if err != nil {
			return nil, false, err
		}
		s.iterations++
		done = c.done(count, tol)
	}
	var out []feasibleVector
	for j, theta := range c.theta {
		if theta > negligibleTheta*math.Abs(c.theta[0]) && theta > 0 && (j < count || c.resid[j] < 10*tol) {
			v := make([]float64, s.Dim())
			for i := range v {
				v[i] = c.x.v[i*c.x.p+j]
			}
			out = append(out, s.solutionOf(1/theta, v))
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
	return c.theta[0] > 0
}

// step improves the vectors once.
func (c *climb) step(ctx context.Context, width int) error {
	if err := c.prepare(); err != nil {
		return err
	}
	s, p := c.s, c.x.p
	r, w := make([]float64, len(c.x.v)), newBundle(c.s.Dim(), p)
	s.rows(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, theta := range c.theta {
				r[i*p+j] = c.x.sv[i*p+j] - float64(theta*c.x.lv[i*p+j])
			}
		}
	})
	c.pre.PreconditionBlock(w.v, r, p)
	s.apart(w, c.x)
	s.multiply(w)
	if c.last != nil {
		if err := c.choose(ctx, []*bundle{c.x, w, c.last}, width); err == nil || ctx.Err() != nil {
			return err
		}
		s.multiply(c.x) // the products have come away from the vectors
	}
	return c.choose(ctx, []*bundle{c.x, w}, width)
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

// choose takes the best vectors of the span of the bundles, of which the first
// holds those at hand if there are several.
func (c *climb) choose(ctx context.Context, list []*bundle, width int) error {
	vv, vl, vs := c.s.grams(list)
	cols := independent(vv, vl)
	pairs, err := generalizedPairs(ctx, within(vs, cols), within(vl, cols), eigen.Options{K: width, End: eigen.High})
	if err != nil {
		return err
	}
	var y [][]float64
	for _, v := range pairs.Vectors {
		sum := make([]float64, vv.N)
		for at, col := range cols {
			addTo(sum, v[at], col)
		}
		gx := make([]float64, vv.N)
		vv.Apply(gx, sum)
		size := math.Sqrt(inner(gx, sum))
		for i := range sum {
			sum[i] /= size
		}
		y = append(y, sum)
	}
	c.theta = pairs.Values
	c.x, c.last = c.s.mix(list, y, 0), nil
	if len(list) > 1 {
		c.last = c.s.mix(list, y, 1)
	}
	c.measure()
	return nil
}

// measure computes the residuals.
func (c *climb) measure() {
	p := c.x.p
	sum := make([]float64, 3*p)
	c.s.sums(3*p, func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			for j, theta := range c.theta {
				a, b := c.x.sv[i*p+j], c.x.lv[i*p+j]
				e := a - float64(theta*b)
				part[j] += float64(e * e)
				part[p+j] += float64(a * a)
				part[2*p+j] += float64(b * b)
			}
		}
	}, sum)
	c.resid = c.resid[:0]
	for j, theta := range c.theta {
		r := math.Sqrt(sum[j]) / (math.Sqrt(sum[p+j]) + math.Abs(theta)*math.Sqrt(sum[2*p+j]))
		if math.Sqrt(sum[j]) <= 1e-14*math.Abs(theta) { // of L̄x, x being of unit length
			r = 0
		}
		c.resid = append(c.resid, r)
	}
}
