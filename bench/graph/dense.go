package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// dense clusters blobs through an rbf kernel: by features, by a kernel computed
// again in each step, and by one matrix of float32. Peak memory only ever rises,
// so the lean ones come first. The last two must have the same labels.
func dense(ctx context.Context, o options) error {
	sizes, err := harness.Sizes(o.sizes, 20_000)
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %12s %7s %5s %9s %8s %9s\n", "fit", "J", "ari", "steps", "residual", "cpu s", "peak MB")
	for _, n := range sizes {
		x, truth, err := example.Blobs(n, 10, 16, 1.5, 1, rand.New(rand.NewPCG(1, uint64(n))))
		if err != nil {
			return err
		}
		p := &cluster.Problem{X: x, K: 10}
		var labels [][]int
		for _, c := range []struct {
			name             string
			features, memory int
		}{{"100 features", 100, 0}, {"400 features", 400, 0}, {"on the fly", 0, 0}, {"matrix", 0, 1 << 20}} {
			if n > 50_000 && c.features == 0 {
				continue // n² is too much
			}
			a := kernel.NewKernelKMeans()
			a.Features, a.Memory = c.features, c.memory
			r, err := measured(ctx, o, p, a, fmt.Sprintf("rbf n=%d %s", n, c.name), truth)
			if err != nil {
				return err
			}
			if c.features == 0 {
				labels = append(labels, r.Labels)
			}
		}
		if len(labels) == 2 && !slices.Equal(labels[0], labels[1]) {
			return fmt.Errorf("graph: the kernel in memory and on the fly gave different labels")
		}
	}
	return nil
}

// measured fits once, by ten iterations at the most, and prints a line.
func measured(ctx context.Context, o options, p *cluster.Problem, a cluster.Algorithm, name string, truth []int) (*cluster.Result, error) {
	s := cluster.Default()
	s.Restarts, s.Workers, s.MaxIter = max(1, o.runs), o.workers, 10
	cpu, _ := harness.Process()
	start := time.Now()
	r, err := cluster.Fit(ctx, p, a, s)
	if err != nil {
		return nil, err
	}
	now, peak := harness.Process()
	ari, err := score.ARI(truth, r.Labels)
	if err != nil {
		return nil, err
	}
	info := r.Learned.(*kernel.KernelInfo)
	fmt.Printf("%-34s %12.4f %7.4f %5d %9.4f %8.1f %9.0f  (%.0f s of wall clock)\n", name, r.Objective.Sum(), ari, r.Iterations, info.Residual, now-cpu, peak, time.Since(start).Seconds())
	return r, nil
}
