package posterior

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// damping is the c of (I − c S)⁻¹.
const damping = 0.99

// The number of steps of a solve: its error is below 2·0.868^steps of the solution, in the norm of
// the matrix. What an estimate by signVectors random vectors needs is less, since its own error is ten times as large.
const (
	chebyshevSteps = 72 // 8e-5
	estimateSteps  = 36 // 0.012
)

// solveColumns solves (I − c S) X = B for p right sides at once, by so many steps. b holds them node
// by node, p numbers each; the result has the same form, and b is overwritten.
//
// The spectrum lies in [1−c, 1+c] whatever the graph, so the iteration needs no
// inner products: it makes the same number of steps for every right side, and all
// work is done row by row, with the same bits on any number of workers.
func solveColumns(ctx context.Context, l *eigen.Laplacian, b []float64, p, steps int) ([]float64, error) {
	const centre, radius = 1.0, damping
	n := l.Dim()
	r := b
	x, d, after := make([]float64, n*p), make([]float64, n*p), make([]float64, n*p)
	copy(d, r)
	rho := radius / centre
	for range steps {
		next := 1 / (2*centre/radius - rho)
		f := [4]float64{damping, 1 - damping, next * rho, 2 * next / radius}
		err := l.EachRow(ctx, d, p, func(i int, ad []float64) { // (I − S) d
			lo, hi := i*p, (i+1)*p
			simd.Recur(x[lo:hi], r[lo:hi], after[lo:hi], d[lo:hi], ad, &f)
		})
		if err != nil {
			return nil, err
		}
		rho, d, after = next, after, d
	}
	return x, nil
}
