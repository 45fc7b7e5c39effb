package kernel

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
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
