package eigen

import (
	"context"
	"errors"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A BlockPencil is the generalized problem S y = θ M y on a subspace, S and M
// being symmetric and M positive definite there, for blocks of p vectors: number
// i of vector c stands at i·p + c.
type BlockPencil interface {
	// Dim returns the number of rows.
	Dim() int
	// MultiplyBlock projects the vectors x onto the subspace, in place, and sets
	// sx and mx to their products with S and M, projected as well.
	MultiplyBlock(sx, mx, x []float64, p int)
	// Preconditioner returns an approximate inverse of M − S/θ for residuals,
	// theta being the largest value found so far, of any sign.
	Preconditioner(theta float64) (BlockPreconditioner, error)
}

// A BlockPreconditioner sets dst to roughly the solutions for p vectors r.
type BlockPreconditioner interface {
	PreconditionBlock(dst, r []float64, p int)
}

// GeneralizedOptions say which pairs LargestGeneralized looks for.
type GeneralizedOptions struct {
	K       int     // pairs that must be found
	Width   int     // vectors that are iterated together, at least K
	Tol     float64 // of the relative residuals
	Max     int     // iterations
	Workers int
}

// GeneralizedPairs are the Width pairs of largest θ, descending, as far as they
// were found. Vectors have unit length.
type GeneralizedPairs struct {
	Values  []float64
	Vectors [][]float64
	// Residuals hold ‖Sx − θMx‖ / (‖Sx‖ + |θ|‖Mx‖), 0 if that is rounding.
	Residuals []float64
	// Converged reports that the first K residuals met the tolerance and that the
	// largest value is above 0; values that are not are not waited for.
	Converged  bool
	Iterations int
}

// LargestGeneralized returns the pairs of largest θ that can be reached from the
// vectors of start, by LOBPCG (Knyazev 2001): each iteration takes the best
// vectors in the span of the present ones, their preconditioned residuals and
// the last steps. It costs one preconditioning per vector and iteration, where
// Lanczos costs the solution of a linear system.
//
// Smallest has a LOBPCG of its own for the standard problem, which locks vectors
// that have converged and orthonormalises by Cholesky. Here M may be singular
// but for rounding, so the basis is orthonormalised one vector after the other,
// and vectors whose product with M is rounding are left out.
func LargestGeneralized(ctx context.Context, p BlockPencil, start [][]float64, o GeneralizedOptions) (*GeneralizedPairs, error) {
	c := &generalizedLOBPCG{pencil: p, n: p.Dim(), workers: o.Workers, width: o.Width}
	first := c.newBlock(len(start))
	for at, v := range start {
		for i, y := range v {
			first.v[i*first.p+at] = y
		}
	}
	c.multiply(first)
	if err := c.rayleighRitz(ctx, []*vectorBlock{first}); err != nil {
		return nil, err
	}
	out := &GeneralizedPairs{}
	for step := 0; step < o.Max && !out.Converged; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := c.step(ctx)
		if not := (*NotDefiniteError)(nil); errors.As(err, &not) {
			break // only rounding is left
		}
		if err != nil {
			return nil, err
		}
		out.Iterations++
		out.Converged = c.converged(o.K, o.Tol)
	}
	out.Values, out.Residuals = c.theta, c.residuals
	for j := range c.theta {
		v := make([]float64, c.n)
		for i := range v {
			v[i] = c.x.v[i*c.x.p+j]
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out, nil
}

// generalizedLOBPCG is one run.
type generalizedLOBPCG struct {
	pencil     BlockPencil
	n, workers int
	width      int
	x          *vectorBlock // present vectors
	last       *vectorBlock // last steps, nil at first
	theta      []float64
	residuals  []float64
	free       []*vectorBlock // blocks that are no longer needed
}

// converged reports whether the first count vectors have met the tolerance.
func (c *generalizedLOBPCG) converged(count int, tol float64) bool {
	for j, r := range c.residuals[:min(count, len(c.residuals))] {
		if r > tol && c.theta[j] > 0 {
			return false
		}
	}
	return len(c.theta) > 0 && c.theta[0] > 0
}

// step improves the vectors once.
func (c *generalizedLOBPCG) step(ctx context.Context) error {
	if len(c.theta) == 0 {
		return errors.New("no direction is left: the entries of the matrices differ too much in size")
	}
	pre, err := c.pencil.Preconditioner(c.theta[0])
	if err != nil {
		return err
	}
	p := c.x.p
	w := c.newBlock(p)
	r := w.mv // until the products of w are computed
	blocks.Rows(c.workers, c.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, theta := range c.theta {
				r[i*p+j] = c.x.sv[i*p+j] - float64(theta*c.x.mv[i*p+j])
			}
		}
	})
	pre.PreconditionBlock(w.v, r, p)
	c.subtractSpan(w, c.x)
	c.multiply(w)
	if c.last != nil {
		if err := c.rayleighRitz(ctx, []*vectorBlock{c.x, w, c.last}); err == nil || ctx.Err() != nil {
			return err
		}
		c.multiply(c.x) // rounding has driven the products away from the vectors
	}
	return c.rayleighRitz(ctx, []*vectorBlock{c.x, w})
}

// rayleighRitz takes the best vectors in the span of the blocks, of which the
// first holds the present ones if there are several.
func (c *generalizedLOBPCG) rayleighRitz(ctx context.Context, list []*vectorBlock) error {
	vv, vm, vs := c.grams(list)
	cols := orthonormalColumns(vv, vm)
	pairs, err := NearlyDefinite(ctx, inColumns(vs, cols), inColumns(vm, cols), Options{K: c.width, End: High})
	if err != nil {
		return err
	}
	var y [][]float64
	for _, v := range pairs.Vectors {
		sum := make([]float64, vv.N)
		for at, col := range cols {
			addShort(sum, v[at], col)
		}
		gx := make([]float64, vv.N)
		vv.Apply(gx, sum)
		size := math.Sqrt(innerInOrder(gx, sum))
		for i := range sum {
			sum[i] /= size
		}
		y = append(y, sum)
	}
	c.theta = pairs.Values
	c.x, c.last = c.combine(list, y)
	c.free = append(c.free, list...)
	c.measureResiduals()
	return nil
}

// measureResiduals fills in the relative residuals.
func (c *generalizedLOBPCG) measureResiduals() {
	p := c.x.p
	sum := make([]float64, 3*p)
	blocks.Sums(c.workers, c.n, func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			for j, theta := range c.theta {
				a, b := c.x.sv[i*p+j], c.x.mv[i*p+j]
				e := a - float64(theta*b)
				part[j] += float64(e * e)
				part[p+j] += float64(a * a)
				part[2*p+j] += float64(b * b)
			}
		}
	}, sum)
	c.residuals = c.residuals[:0]
	for j, theta := range c.theta {
		r := math.Sqrt(sum[j]) / (math.Sqrt(sum[p+j]) + math.Abs(theta)*math.Sqrt(sum[2*p+j]))
		if math.Sqrt(sum[j]) <= 1e-14*math.Abs(theta) { // of Mx, x being of unit length
			r = 0
		}
		c.residuals = append(c.residuals, r)
	}
}
