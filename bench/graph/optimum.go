package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// optimum prints how often one run, from one start, reaches the least objective
// that any clustering of a tiny graph into k filled clusters has.
func optimum(ctx context.Context, o options) error {
	const n, k = 9, 3
	graphs := o.runs
	if graphs < 2 {
		graphs = 200
	}
	fmt.Printf("share of %d random graphs of %d nodes, k = %d, on which one run reaches the optimum\n\n", graphs, n, k)
	fmt.Printf("%-20s %12s %12s %12s %12s %14s\n", "objective", "pairs", "batch alone", "with moves", "as shipped", "graph-cut")
	for _, objective := range []kernel.Objective{kernel.RatioAssociation, kernel.RatioCut, kernel.NormalizedCut} {
		for _, pairs := range []int{0, 4} {
			var hits [4]int
			for at := range graphs {
				p := tiny(n, k, pairs, rand.New(rand.NewPCG(uint64(at), 9)))
				batch := kernel.NewSSKernelKMeans()
				batch.Objective, batch.Refine, batch.Init = objective, false, kernel.GraphInitFarthest
				moves := kernel.NewSSKernelKMeans()
				moves.Objective, moves.Init = objective, kernel.GraphInitFarthest
				shipped := kernel.NewSSKernelKMeans()
				shipped.Objective = objective
				cut := kernel.NewGraphCut()
				cut.Objective = objective
				for q, a := range []cluster.Algorithm{batch, moves, shipped, cut} {
					hit, err := reaches(ctx, p, a)
					if err != nil {
						return err
					}
					if hit {
						hits[q]++
					}
				}
			}
			share := func(q int) string { return fmt.Sprintf("%.0f %%", 100*float64(hits[q])/float64(graphs)) }
			fmt.Printf("%-20s %12d %12s %12s %12s %14s\n", objective, pairs, share(0), share(1), share(2), share(3))
		}
	}
	return nil
}

// reaches fits once and compares with every clustering that fills k clusters.
func reaches(ctx context.Context, p *cluster.Problem, a cluster.Algorithm) (bool, error) {
	s := cluster.Default()
	s.Restarts, s.Workers, s.Effort = 1, 1, cluster.EffortNormal
	r, err := cluster.Fit(ctx, p, a, s)
	if err != nil {
		return false, err
	}
	best, err := least(p, a)
	if err != nil {
		return false, err
	}
	return r.Objective.Sum() <= best+1e-9*(1+math.Abs(best)), nil
}

// least tries all clusterings with k filled clusters, each once: the labels
// of new clusters rise.
func least(p *cluster.Problem, a cluster.Algorithm) (float64, error) {
	price, err := kernel.ObjectiveFunc(p, a)
	if err != nil {
		return 0, err
	}
	best, label := math.Inf(1), make([]int, p.Len())
	var try func(i, used int)
	try = func(i, used int) {
		if i == len(label) {
			if used == p.K {
				best = min(best, price(label))
			}
			return
		}
		for c := range min(used+1, p.K) {
			label[i] = c
			try(i+1, max(used, c+1))
		}
	}
	try(0, 0)
	return best, nil
}

// tiny draws a connected graph with two weights of edges, and true-looking
// pairs: consistent, half of either kind.
func tiny(n, k, pairs int, rng *rand.Rand) *cluster.Problem {
	var edges []data.Edge
	for i := range n {
		edges = append(edges, data.Edge{U: i, V: (i + 1) % n, W: 0.1 + rng.Float64()})
		for j := range i {
			if rng.Float64() < 0.3 {
				edges = append(edges, data.Edge{U: i, V: j, W: rng.Float64()})
			}
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		panic(err) // nodes are in range and weights finite
	}
	truth := make([]int, n)
	for i := range truth {
		truth[i] = rng.IntN(k)
	}
	return &cluster.Problem{Graph: g, K: k, Constraints: constraint.RandomPairs(truth, pairs, rng)}
}
