package posterior

import (
	"context"

	"github.com/inklinghq/inkling/eigen"
	"github.com/inklinghq/inkling/internal/blocks"
)

// damping is the c of (I − c S)⁻¹.
const damping = 0.99

// chebyshevSteps is the number of steps of a solve. The error is below
// 2·0.868^steps of the solution, in the norm of the matrix: 8e-5.
const chebyshevSteps = 72

// sideBySide is the number of points up to which batches of right sides are solved side
// by side, one worker each; beyond it the workers share the rows of one batch, so that
// memory does not grow with their number.
const sideBySide = 20000

// solveBatches solves (I − c S) X = B for count right sides, some at a time. fill is given
// zeros and sets the right sides from number lo on, p numbers for each node; use gets
// their solutions. Both may run for several batches at once.
func (k *Kernel) solveBatches(ctx context.Context, count int, fill, use func(b []float64, lo, p int)) error {
	wide, batches, workers := k.columnsAtOnce(), 1, k.workers
	l := *k.laplace
	if k.n <= sideBySide && count > wide {
		batches, workers, l.Workers = k.workers, 1, 1
	}
	return blocks.Tasks(ctx, batches, (count+wide-1)/wide, func(i int) {
		lo := i * wide
		p := min(wide, count-lo)
		b := make([]float64, k.n*p)
		fill(b, lo, p)
		if x, err := solveColumns(ctx, &l, b, p, workers); err == nil { // else ctx has ended
			use(x, lo, p)
		}
	})
}

// solveColumns solves (I − c S) X = B for p right sides at once. b holds them node
// by node, p numbers each; the result has the same form, and b is overwritten.
//
// The spectrum lies in [1−c, 1+c] whatever the graph, so the iteration needs no
// inner products: it makes the same number of steps for every right side, and all
// work is done row by row, with the same bits on any number of workers.
func solveColumns(ctx context.Context, l *eigen.Laplacian, b []float64, p, workers int) ([]float64, error) {
	const centre, radius = 1.0, damping
	n := l.Dim()
	r := b
	x, d, ad := make([]float64, n*p), make([]float64, n*p), make([]float64, n*p)
	copy(d, r)
	rho := radius / centre
	for range chebyshevSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.ApplyBlock(ad, d, p) // (I − S) d
		next := 1 / (2*centre/radius - rho)
		keep, add := next*rho, 2*next/radius
		blocks.Rows(workers, n, func(lo, hi int) {
			for i := lo * p; i < hi*p; i++ {
				x[i] += d[i]
				r[i] -= float64(damping*ad[i]) + float64((1-damping)*d[i])
				d[i] = float64(keep*d[i]) + float64(add*r[i])
			}
		})
		rho = next
	}
	return x, nil
}
