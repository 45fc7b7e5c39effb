package cop_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/cop"
)

// Overlapping Gaussians with n/10 true pairs: one whole fit, of as many starts
// as it makes by itself on one worker, or of one.
func BenchmarkCOP(b *testing.B) {
	const d, k = 16, 10
	for _, n := range []int{1000, 3000, 10_000, 100_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		x, truth, err := example.Blobs(n, k, d, 1.5, 1, rng)
		if err != nil {
			b.Fatal(err)
		}
		p := &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, n/10, rng)}
		for _, starts := range []int{0, 1} {
			b.Run(fmt.Sprintf("n=%d/d=%d/k=%d/pairs=%d/starts=%d", n, d, k, n/10, starts), func(b *testing.B) {
				for b.Loop() {
					s := cluster.Default()
					s.Restarts, s.Workers = starts, 1
					r, err := cluster.Fit(context.Background(), p, cop.New(), s)
					if err != nil || violations(p.Constraints, r.Labels) > 0 {
						b.Fatal(err)
					}
					b.ReportMetric(r.Objective.Sum(), "J")
					b.ReportMetric(float64(r.Iterations), "iterations")
				}
			})
		}
	}
}
