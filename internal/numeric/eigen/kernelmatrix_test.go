package eigen_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// A kernel of smooth functions has few eigenvalues above rounding; the others
// are noise around 0, and must not keep the solver from its end.
func TestSymmetricOfKernels(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const n = 300
		x := make([]float64, 2*n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		m, trace := eigen.NewDense(n), 0.0
		for i := range n {
			for j := range n {
				a, b := x[2*i]-x[2*j], x[2*i+1]-x[2*j+1]
				m.V[i*n+j] = math.Exp(-(a*a + b*b))
			}
			trace += m.V[i*n+i]
		}
		for _, k := range []int{1, n} {
			pairs, err := eigen.Symmetric(context.Background(), m, eigen.Options{K: k, End: eigen.High})
			if err != nil {
				t.Fatalf("seed %d, %d pairs: %v", seed, k, err)
			}
			sum := 0.0
			for c, y := range pairs.Values {
				sum += y
				if r := pairs.Residuals[c]; r > 1e-12*trace {
					t.Fatalf("seed %d, pair %d of %d: residual %v", seed, c, k, r)
				}
			}
			if k == n && math.Abs(sum-trace) > 1e-11*trace {
				t.Errorf("seed %d: the eigenvalues add up to %v, want the trace %v", seed, sum, trace)
			}
		}
	}
}
