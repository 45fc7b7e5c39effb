package kernel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// The words for a shift; a number is one too.
const (
	ShiftAuto  = "auto"
	ShiftExact = "exact"
)

// parseShift reads a shift: auto, exact or a number that is not negative.
func parseShift(text string) (sigma float64, err error) {
	if text == ShiftAuto || text == ShiftExact {
		return 0, nil
	}
	sigma, err = strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(sigma) || math.IsInf(sigma, 0) || sigma < 0 {
		return 0, fmt.Errorf("shift %q, it must be auto, exact or a number that is not negative", text)
	}
	return sigma, nil
}

// settleShift sets σ. Auto is 0 where batch steps without it do well, and the
// exact one for the ratio cut, whose K without it is negative definite. The
// bound by absolute row sums, which is easy to have, is never used: it is so
// large that no point ever moves.
func (f *weightedKMeans) setShift(ctx context.Context, shift, objective string, rng *rand.Rand) error {
	sigma, err := parseShift(shift)
	if err != nil {
		return err
	}
	if shift == ShiftExact || shift == ShiftAuto && objective == RatioCut {
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
// the lowest eigenvalue of diag(α)^−½ (B + W) diag(α)^−½, by Lanczos with full
// reorthogonalisation, lowered by the residual of its Ritz vector: there is an
// eigenvalue that near.
func (f *weightedKMeans) exactShift(ctx context.Context, rng *rand.Rand) (float64, error) {
	low, residual, err := f.lowestEigenvalue(ctx, rng)
	if err != nil {
		return 0, err
	}
	return max(0, residual-low), nil
}
