package kernel

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
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

// lowestEigenvalue returns an estimate of the lowest eigenvalue and the norm of its
// residual.
func (f *weightedKMeans) lowestEigenvalue(ctx context.Context, rng *rand.Rand) (value, residual float64, err error) {
	v := make([]float64, f.numNodes())
	for i := range v {
		if v[i] = rng.NormFloat64(); f.alpha[i] <= 0 {
			v[i] = 0 // such a node adds to no mean
		}
	}
	return eigen.Lowest(v, func(x []float64) ([]float64, error) { return f.scaledProduct(ctx, x) })
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
