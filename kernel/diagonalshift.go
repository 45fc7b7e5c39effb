package kernel

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/eigen"
)

// setShift sets σ to the given number or computes it, see needsExactShift. The
// simple bound by absolute row sums is never used: it is so large that no point
// ever moves.
func (f *weightedKMeans) setShift(ctx context.Context, shift cluster.Number, objective Objective, rng *rand.Rand) (err error) {
	sigma := fixedValue(shift)
	if needsExactShift(shift, objective) {
		if sigma, err = f.exactShift(ctx, rng); err != nil {
			return err
		}
	}
	f.sigma = sigma
	for i, a := range f.alpha {
		f.selfWeight[i] += sigma * a
	}
	return nil
}

// exactShift returns the least σ ≥ 0 that makes K positive semidefinite: minus
// the lowest eigenvalue of diag(α)^−½ (B + W) diag(α)^−½. The Lanczos method with
// full reorthogonalisation estimates it; the estimate is lowered by the norm of
// the residual, because some eigenvalue lies within that distance.
func (f *weightedKMeans) exactShift(ctx context.Context, rng *rand.Rand) (float64, error) {
	low, residual, err := f.lowestEigenvalue(ctx, rng)
	if err != nil {
		return 0, err
	}
	return max(0, residual-low), nil
}

// lanczosSteps is the maximum number of steps; far fewer find the end of a
// spectrum.
const lanczosSteps = 200

// lowestEigenvalue returns the lowest Ritz value and the norm of its residual.
func (f *weightedKMeans) lowestEigenvalue(ctx context.Context, rng *rand.Rand) (value, residual float64, err error) {
	n := f.numNodes()
	v := make([]float64, n)
	for i := range v {
		if v[i] = rng.NormFloat64(); f.alpha[i] <= 0 {
			v[i] = 0 // such a node adds to no mean
		}
	}
	if scale(v, 1/norm(v)) == 0 {
		return 0, 0, nil
	}
	basis := [][]float64{v}
	var diagonal, beside []float64
	for step := 1; ; step++ {
		w, err := f.scaledProduct(ctx, basis[step-1])
		if err != nil {
			return 0, 0, err
		}
		diagonal = append(diagonal, dot(w, basis[step-1]))
		for range 2 { // twice is enough
			for _, u := range basis {
				axpy(w, u, -dot(w, u))
			}
		}
		b := norm(w)
		value, last := eigen.LowestTridiagonal(diagonal, beside)
		residual = b * math.Abs(last)
		size := math.Abs(value) + math.Abs(diagonal[0])
		if residual <= 1e-10*size || b <= 1e-14*size || step == min(lanczosSteps, n) {
			return value, residual, nil
		}
		beside = append(beside, b)
		scale(w, 1/b)
		basis = append(basis, w)
	}
}

// scaledProduct returns diag(α)^−½ (B + W) diag(α)^−½ x.
func (f *weightedKMeans) scaledProduct(ctx context.Context, x []float64) ([]float64, error) {
	n := f.numNodes()
	scaled := make([]float64, n)
	for i, a := range f.alpha {
		if a > 0 {
			scaled[i] = x[i] / math.Sqrt(a)
		}
	}
	y := make([]float64, n)
	if err := f.matrix.Multiply(ctx, f.workers, scaled, y); err != nil {
		return nil, err
	}
	for i, z := range scaled {
		y[i] += f.selfWeight[i] * z
		to, w := f.pairWeights.neighbours(int32(i))
		for q, j := range to {
			y[j] += float64(w[q] * z)
		}
	}
	for i, a := range f.alpha {
		if a > 0 {
			y[i] /= math.Sqrt(a)
		} else {
			y[i] = 0
		}
	}
	return y, nil
}

func dot(x, y []float64) (s float64) {
	for i, a := range x {
		s += float64(a * y[i])
	}
	return s
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }

func axpy(y, x []float64, a float64) {
	for i, z := range x {
		y[i] += float64(a * z)
	}
}

// scale multiplies x by a and returns a; if a is not finite, it leaves x
// unchanged and returns 0.
func scale(x []float64, a float64) float64 {
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return 0
	}
	for i := range x {
		x[i] *= a
	}
	return a
}
