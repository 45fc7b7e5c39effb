package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/example"
	"github.com/inklinghq/inkling/kernel"
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
		for _, pairs := range []int{0, 500} {
			if j.known = nil; pairs > 0 {
				j.known = constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(5, 5)))
			}
			for _, cycles := range []int{0, kernel.NewGraphCut().Cycles} {
				a := kernel.NewGraphCut()
				a.Cycles = cycles
				if err := j.fit(ctx, o, fmt.Sprintf("10-NN n=%d pairs=%d cycles=%d", n, pairs, cycles), a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
