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
func (f *flat) settleShift(ctx context.Context, shift, objective string, rng *rand.Rand) error {
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
		f.self[i] += sigma * a
	}
	return nil
}

// exactShift returns the least σ ≥ 0 that makes K positive semidefinite: minus
// the lowest eigenvalue of diag(α)^−½ (B + W) diag(α)^−½, by Lanczos with full
// reorthogonalisation, lowered by the residual of its Ritz vector: there is an
// eigenvalue that near.
func (f *flat) exactShift(ctx context.Context, rng *rand.Rand) (float64, error) {
	low, residual, err := f.lowest(ctx, rng)
	if err != nil {
		return 0, err
	}
	return max(0, residual-low), nil
}

// lanczosSteps is the most that are made; far fewer find the end of a spectrum.
const lanczosSteps = 200

// lowest returns the lowest Ritz value and the norm of its residual.
func (f *flat) lowest(ctx context.Context, rng *rand.Rand) (value, residual float64, err error) {
	n := f.n()
	v := make([]float64, n)
	for i := range v {
		if v[i] = rng.NormFloat64(); f.alpha[i] <= 0 {
			v[i] = 0 // such a node is in no mean
		}
	}
	if scale(v, 1/norm(v)) == 0 {
		return 0, 0, nil
	}
	basis := [][]float64{v}
	var diagonal, beside []float64
	for step := 1; ; step++ {
		w, err := f.product(ctx, basis[step-1])
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
		value, last := lowestRitz(diagonal, beside)
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

// product returns diag(α)^−½ (B + W) diag(α)^−½ x.
func (f *flat) product(ctx context.Context, x []float64) ([]float64, error) {
	n := f.n()
	scaled := make([]float64, n)
	for i, a := range f.alpha {
		if a > 0 {
			scaled[i] = x[i] / math.Sqrt(a)
		}
	}
	y := make([]float64, n)
	if err := f.b.times(ctx, f.work, scaled, y); err != nil {
		return nil, err
	}
	for i, z := range scaled {
		y[i] += f.self[i] * z
		to, w := f.links.row(int32(i))
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

// scale multiplies x by a, and returns 0 where that is no number.
func scale(x []float64, a float64) float64 {
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return 0
	}
	for i := range x {
		x[i] *= a
	}
	return a
}
