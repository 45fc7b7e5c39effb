package csp

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// solveIteratively returns the feasible vectors of lowest λ > 0 that can be
// reached from the vectors of start, and whether the first count of them are
// exact to tol. One more may be among them if it is nearly so. There may be
// fewer.
func (s *schurComplement) solveIteratively(ctx context.Context, start [][]float64, count, most int, tol float64) ([]feasibleVector, bool, error) {
	pairs, err := eigen.LargestGeneralized(ctx, &preconditioned{schurComplement: s}, start,
		eigen.GeneralizedOptions{K: count, Width: min(count+1, s.Dim()-1), Tol: tol, Max: most, Workers: s.laplacian.Workers})
	if err != nil {
		return nil, false, err
	}
	s.iterations += pairs.Iterations
	var out []feasibleVector
	for j, theta := range pairs.Values {
		if theta > negligibleTheta*math.Abs(pairs.Values[0]) && theta > 0 && (j < count || pairs.Residuals[j] < 10*tol) {
			out = append(out, s.solutionOf(1/theta, pairs.Vectors[j]))
		}
	}
	return out, pairs.Converged, nil
}

// preconditioned is the pencil with its preconditioner: eigen.BlockPencil.
type preconditioned struct {
	*schurComplement
	amg   *eigen.AMG
	shift float64
}

// Preconditioner returns one for L̄ − λS, of which only the part L̄ + λbI is
// taken, and makes another when λ has become another.
func (c *preconditioned) Preconditioner(theta float64) (_ eigen.BlockPreconditioner, err error) {
	shift := 0.0
	if theta > 0 && c.b > 0 {
		shift = min(c.b/theta, 10)
	}
	if c.amg != nil && shift <= 3*c.shift && c.shift <= 3*shift {
		return c.amg, nil
	}
	c.shift = shift
	c.amg, err = c.multigrid(shift)
	return c.amg, err
}

// MultiplyBlock takes the part along z off the vectors x, and sets sx and lx to
// their products with S and L̄, without their parts along z.
func (s *schurComplement) MultiplyBlock(sx, lx, x []float64, p int) {
	s.offTrivial(x, p)
	s.laplacian.ApplyBlock(lx, x, p)
	s.offTrivial(lx, p)
	blocks.Rows(s.laplacian.Workers, s.Dim(), func(lo, hi int) { addTo(lx[lo*p:hi*p], costOffset, x[lo*p:hi*p]) })
	s.applyBlock(sx, x, p)
	s.offTrivial(sx, p)
}

// offTrivial takes the part along z off p vectors.
func (s *schurComplement) offTrivial(x []float64, p int) {
	along := s.along(s.z, x, p)
	blocks.Rows(s.laplacian.Workers, s.Dim(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c, y := range along {
				x[i*p+c] -= float64(y * s.z[i])
			}
		}
	})
}

// along returns the products of a with p vectors.
func (s *schurComplement) along(a, x []float64, p int) []float64 {
	out := make([]float64, p)
	blocks.Sums(s.laplacian.Workers, s.Dim(), func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			for c, y := range x[i*p : (i+1)*p] {
				part[c] += float64(a[i] * y)
			}
		}
	}, out)
	return out
}

// applyBlock is S for p vectors.
func (s *schurComplement) applyBlock(dst, x []float64, p int) {
	along := s.along(s.bz, x, p)
	blocks.Rows(s.laplacian.Workers, s.Dim(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c := range p {
				dst[i*p+c] = -float64(s.b*x[i*p+c]) - float64(along[c]/s.zbz*s.bz[i])
			}
		}
	})
	s.constraints.AddBlock(dst, x, p)
}

// addTo adds c x to dst.
func addTo(dst []float64, c float64, x []float64) {
	for i, y := range x {
		dst[i] += float64(c * y)
	}
}
