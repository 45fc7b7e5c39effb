package eigen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

func BenchmarkSymmetric(b *testing.B) {
	for _, c := range []struct{ n, k int }{{500, 10}, {500, 500}, {1000, 10}, {1000, 1000}} {
		b.Run(fmt.Sprintf("n=%d/k=%d", c.n, c.k), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			a := eigen.NewDense(c.n)
			for i := range c.n {
				for j := range i + 1 {
					y := rng.NormFloat64()
					a.V[i*c.n+j], a.V[j*c.n+i] = y, y
				}
			}
			for b.Loop() {
				if _, err := eigen.Symmetric(background, a, eigen.Options{K: c.k}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
