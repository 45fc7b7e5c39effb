package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// knn cuts the graphs of the ten nearest neighbours of blobs, without
// knowledge and with 500 true pairs.
func knn(ctx context.Context, o options) error {
	sizes, err := harness.Sizes(o.sizes, 10_000, 100_000)
	if err != nil {
		return err
	}
	printHeader()
	for _, n := range sizes {
		j, err := neighbourly(ctx, o, n, 1)
		if err != nil {
			return err
		}
		if err := j.save(o.write, fmt.Sprintf("knn-%d", n)); err != nil {
			return err
		}
		if err := j.fitCycles(ctx, o, fmt.Sprintf("10-NN n=%d", n)); err != nil {
			return err
		}
		if err := j.fit(ctx, o, fmt.Sprintf("10-NN n=%d ss-kernel", n), kernel.NewSSKernelKMeans()); err != nil {
			return err
		}
		j.known = constraint.RandomPairs(j.truth, pairs, rand.New(rand.NewPCG(5, 5)))
		if err := j.fitBoth(ctx, o, fmt.Sprintf("10-NN n=%d pairs=%d", n, pairs)); err != nil {
			return err
		}
		if err := worth(ctx, o, n); err != nil {
			return err
		}
	}
	return nil
}

// neighbourly makes ten blobs in 16 features and joins each row with its ten
// nearest.
func neighbourly(ctx context.Context, o options, n int, seed uint64) (job, error) {
	const k, d = 10, 16
	x, truth, err := example.Blobs(n, k, d, 1.5, 1, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return job{}, err
	}
	near, err := affinity.KNN(ctx, x, 10, affinity.KNNOptions{Workers: o.workers})
	if err != nil {
		return job{}, err
	}
	g, err := near.Graph(ctx, affinity.Weights{Kind: "binary"})
	return job{g: g, truth: truth, k: k}, err
}

// pairs is how many true pairs are given.
const pairs = 500

// worth prints what pairs are worth: fits from the same seeds without them and
// with them, on ten draws of the blobs (five where there are many nodes), twice
// each.
func worth(ctx context.Context, o options, n int) error {
	graphs, draws := uint64(10), uint64(2)
	if n > 20_000 {
		graphs = 5
	}
	var gains []float64
	rose, plainCPU, pairsCPU := 0, 0.0, 0.0
	for seed := range graphs {
		j, err := neighbourly(ctx, o, n, seed)
		if err != nil {
			return err
		}
		for at := range draws {
			without, a, err := j.once(ctx, o, at)
			if err != nil {
				return err
			}
			j.known = constraint.RandomPairs(j.truth, pairs, rand.New(rand.NewPCG(6, at)))
			with, b, err := j.once(ctx, o, at)
			if err != nil {
				return err
			}
			j.known = nil
			plainCPU, pairsCPU = plainCPU+a, pairsCPU+b
			if gains = append(gains, with-without); with > without {
				rose++
			}
		}
	}
	mean, deviation := spread(gains)
	fmt.Printf("  %d pairs, %d draws of %d graphs: ari %+.5f ± %.5f, higher in %d of %d; %.2f times the cpu\n",
		pairs, draws, graphs, mean, deviation/math.Sqrt(float64(len(gains))), rose, len(gains), pairsCPU/plainCPU)
	return nil
}

// once fits from that seed and returns the adjusted Rand index and CPU seconds.
func (j job) once(ctx context.Context, o options, seed uint64) (ari, cpu float64, err error) {
	s := cluster.Default()
	s.Restarts, s.Workers, s.Seed = 1, o.workers, seed
	start, _ := harness.Process()
	r, err := cluster.Fit(ctx, &cluster.Problem{Graph: j.g, K: j.k, Constraints: j.known}, kernel.NewGraphCut(), s)
	if err != nil {
		return 0, 0, err
	}
	end, _ := harness.Process()
	ari, err = score.ARI(j.truth, r.Labels)
	return ari, end - start, err
}

// spread returns the mean of x and its standard deviation.
func spread(x []float64) (mean, deviation float64) {
	for _, y := range x {
		mean += y / float64(len(x))
	}
	for _, y := range x {
		deviation += (y - mean) * (y - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(x)-1))
}
