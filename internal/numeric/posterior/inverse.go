package posterior

import (
	"context"

	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// mostDense is the largest number of points whose whole inverse is computed.
const mostDense = 1500

// isDense says whether the columns of (I − c S)⁻¹ that belong to m points are taken from the whole
// inverse, which has n³/2 products: more columns than these take longer one by one.
func (k *Kernel) isDense(m int) bool {
	return k.n <= exactDiagonal || k.n <= mostDense && 2*m >= k.n
}

// inverse returns (I − c S)⁻¹, row by row in the order of the points. It is computed once.
func (k *Kernel) inverse(ctx context.Context) (*eigen.Dense, error) {
	k.kept.inverseOf.Lock()
	defer k.kept.inverseOf.Unlock()
	if k.kept.inverse != nil {
		return k.kept.inverse, nil
	}
	l := eigen.ToDense(ctx, k.laplace) // I − S
	m := eigen.NewDense(k.n)
	for i := range k.n {
		for j := range k.n {
			m.V[i*k.n+j] = damping * l.V[k.placeOf(i)*k.n+k.placeOf(j)]
		}
		m.V[i*k.n+i] += 1 - damping
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	factor, err := eigen.NewCholesky(ctx, m)
	if err != nil {
		return nil, err
	}
	all, err := factor.Inverse(ctx, k.workers)
	if err != nil {
		return nil, err
	}
	k.kept.inverse = all
	return all, nil
}
