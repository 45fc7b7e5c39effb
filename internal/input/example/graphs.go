package example

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
)

// PlantedPartition draws a graph of n nodes in k blocks, where a node has on
// average in neighbours in its own block and out in the others. Each pair of
// nodes is joined independently, with weight 1. Node i is in block i mod k,
// which is truth[i]. The cost is O(n + edges).
func PlantedPartition(n, k int, in, out float64, rng *rand.Rand) (g *data.Graph, truth []int, err error) {
	if k < 1 || n < k || n > math.MaxInt32 {
		return nil, nil, fmt.Errorf("the number of nodes must be from the number of blocks to %d, got %d nodes in %d blocks", math.MaxInt32, n, k)
	}
	least, pairs := n/k, float64(n)*float64(n)
	for b := range k {
		s := float64(blockSize(n, k, b))
		pairs -= s * s
	}
	if !(in >= 0 && in <= float64(least-1)) {
		return nil, nil, fmt.Errorf("the neighbours inside a block of %d nodes must be from 0 to %d, got %v", least, least-1, in)
	}
	if !(out >= 0 && out*float64(n) <= pairs) {
		return nil, nil, fmt.Errorf("the neighbours in other blocks must be from 0 to %v, got %v", pairs/float64(n), out)
	}
	edges := make([]data.Edge, 0, int(1.02*float64(n)*(in+out)/2)+64)
	for b := range k {
		s := blockSize(n, k, b)
		pairsAtRandom(s, in/float64(max(s-1, 1)), rng, func(u, v int) {
			edges = append(edges, data.Edge{U: b + u*k, V: b + v*k, W: 1})
		})
	}
	if pairs > 0 {
		pairsAtRandom(n, out*float64(n)/pairs, rng, func(u, v int) {
			if u%k != v%k {
				edges = append(edges, data.Edge{U: u, V: v, W: 1})
			}
		})
	}
	truth = make([]int, n)
	for i := range truth {
		truth[i] = i % k
	}
	g, err = data.NewGraph(n, edges)
	return g, truth, err
}

// blockSize returns the number of i < n with i mod k = b.
func blockSize(n, k, b int) int { return (n - b + k - 1) / k }

// pairsAtRandom takes each pair v < u < n with probability p. It jumps from
// one pair taken to the next, by a geometric number of pairs left out, so that
// the cost is O(n + pairs taken).
func pairsAtRandom(n int, p float64, rng *rand.Rand, take func(u, v int)) {
	if p <= 0 {
		return
	}
	rate := -math.Log1p(-min(p, 1)) // +Inf at p = 1: every jump is 0
	all := float64(n) * float64(n)
	for u, v := 1, -1; ; {
		jump := rng.ExpFloat64() / rate
		if jump > all {
			return
		}
		v += 1 + int(jump)
		for v >= u {
			v -= u
			if u++; u >= n {
				return
			}
		}
		if u >= n {
			return
		}
		take(u, v)
	}
}

// SixNodes returns the graph of Wang, Qian and Davidson, On Constrained
// Spectral Clustering, section 4.4: two triangles joined by an edge, whose
// nodes 1 to 6 are 0 to 5 here. The truth is the colouring of its figure 2,
// {0, 1, 2, 3} and {4, 5}, which contradicts the edges: they suggest
// {0, 1, 2} and {3, 4, 5}.
func SixNodes() (g *data.Graph, truth []int, err error) {
	g, err = data.NewGraph(6, []data.Edge{
		{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 1, V: 2, W: 1},
		{U: 2, V: 3, W: 1},
		{U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}, {U: 4, V: 5, W: 1},
	})
	return g, []int{0, 0, 0, 0, 1, 1}, err
}

func loadGraph() (*Set, error) {
	g, truth, err := PlantedPartition(400, 4, 8, 3, stream(5))
	return &Set{K: 4, Graph: g, Truth: classNames(truth, []string{"group-0", "group-1", "group-2", "group-3"})}, err
}

func loadSixNodes() (*Set, error) {
	g, truth, err := SixNodes()
	return &Set{
		Source:  "X. Wang, B. Qian and I. Davidson, On Constrained Spectral Clustering and Its Applications, section 4.4",
		Licence: "none needed",
		K:       2, Graph: g, Truth: classNames(truth, []string{"left", "right"}),
	}, err
}
