package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/example"
	"github.com/inklinghq/inkling/kernel"
	"github.com/inklinghq/inkling/score"
)

// knn cuts the graphs of the ten nearest neighbours of blobs, without
// knowledge and with 500 true pairs.
func knn(ctx context.Context, o options) error {
	sizes, err := numbers(o.sizes, 10_000, 100_000)
	if err != nil {
		return err
	}
	printHeader()
	const k, d = 10, 16
	for _, n := range sizes {
		x, truth, err := example.Blobs(n, k, d, 1.5, 1, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			return err
		}
		near, err := affinity.KNN(ctx, x, 10, affinity.KNNOptions{Workers: o.workers})
		if err != nil {
			return err
		}
		g, err := near.Graph(ctx, affinity.Weights{Kind: "binary"})
		if err != nil {
			return err
		}
		j := job{g: g, truth: truth, k: k}
		if err := j.save(o.write, fmt.Sprintf("knn-%d", n)); err != nil {
			return err
		}
		for _, cycles := range []int{0, kernel.NewGraphCut().Cycles} {
			a := kernel.NewGraphCut()
			a.Cycles = cycles
			if err := j.fit(ctx, o, fmt.Sprintf("10-NN n=%d cycles=%d", n, cycles), a); err != nil {
				return err
			}
		}
		j.known = constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(5, 5)))
		if err := j.fit(ctx, o, fmt.Sprintf("10-NN n=%d pairs=%d", n, pairs), kernel.NewGraphCut()); err != nil {
			return err
		}
		if n <= 20_000 {
			if err := j.draws(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairs is how many true pairs are given.
const pairs = 500

// draws tells what pairs are worth: fits from the same seeds without them and
// with them, for several draws.
func (j job) draws(ctx context.Context, o options) error {
	const draws = 20
	rose, sum, first := 0, 0.0, 0.0
	for at := range uint64(draws) {
		s := cluster.Default()
		s.Restarts, s.Workers, s.Seed = 1, o.workers, at
		var ari [2]float64
		for with := range ari {
			p := &cluster.Problem{Graph: j.g, K: j.k}
			if with == 1 {
				p.Known = constraint.RandomPairs(j.truth, pairs, rand.New(rand.NewPCG(6, at)))
			}
			r, err := cluster.Fit(ctx, p, kernel.NewGraphCut(), s)
			if err != nil {
				return err
			}
			if ari[with], err = score.ARI(j.truth, r.Labels); err != nil {
				return err
			}
		}
		first += ari[0] / draws
		sum += (ari[1] - ari[0]) / draws
		if ari[1] > ari[0] {
			rose++
		}
	}
	fmt.Printf("  %d draws of %d pairs: ari %.4f without, %+.4f with; higher in %d\n", draws, pairs, first, sum, rose)
	return nil
}
