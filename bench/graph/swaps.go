package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// swaps clusters blobs by kernel k-means at every effort, from one start, and
// prints means over five seeds.
func swaps(ctx context.Context, o options) error {
	sizes, err := harness.Sizes(o.sizes, 2_000, 4_000)
	if err != nil {
		return err
	}
	const seeds = 5
	fmt.Printf("%-34s %-8s %12s %12s %7s %8s\n", "fit", "effort", "mean J", "largest J", "ari", "cpu s")
	for _, n := range sizes {
		k := n / 80
		x, truth, err := example.Blobs(n, k, 16, 4, 1, rand.New(rand.NewPCG(1, uint64(n))))
		if err != nil {
			return err
		}
		for _, features := range []int{0, 100} {
			a := kernel.NewKernelKMeans()
			a.Features = features
			for _, effort := range []cluster.Effort{cluster.EffortLow, cluster.EffortNormal, cluster.EffortHigh} {
				sum, most, agreement := 0.0, 0.0, 0.0
				before, _ := harness.Process()
				for seed := range uint64(seeds) {
					s := cluster.Default()
					s.Restarts, s.Workers, s.Effort, s.Seed = max(1, o.runs), o.workers, effort, seed
					r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: k}, a, s)
					if err != nil {
						return err
					}
					ari, err := score.ARI(truth, r.Labels)
					if err != nil {
						return err
					}
					sum, most, agreement = sum+r.Objective.Sum(), max(most, r.Objective.Sum()), agreement+ari
				}
				after, _ := harness.Process()
				fmt.Printf("%-34s %-8s %12.3f %12.3f %7.4f %8.2f\n", fmt.Sprintf("rbf n=%d k=%d features=%d", n, k, features), effort,
					sum/seeds, most, agreement/seeds, (after-before)/seeds)
			}
		}
	}
	return nil
}
