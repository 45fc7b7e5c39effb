package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// TestAgglomerationAroundHubs: where almost all nodes prefer the same few, a round still
// merges a good part of them.
func TestAgglomerationAroundHubs(t *testing.T) {
	const hubs, leaves = 4, 2000
	var edges []data.Edge
	for i := range leaves {
		edges = append(edges, data.Edge{U: i % hubs, V: hubs + i, W: 1})
	}
	for h := range hubs {
		edges = append(edges, data.Edge{U: h, V: (h + 1) % hubs, W: 0.1})
	}
	g, err := data.NewGraph(hubs+leaves, edges)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newGraphProblem(t.Context(), 1, &cluster.Problem{Graph: g, K: hubs}, NormalizedCut, pairOptions{weight: cluster.Fixed(0), term: PairReward})
	if err != nil {
		t.Fatal(err)
	}
	l, rounds := f.finest, 0
	for ; l.numNodes() > hubs; rounds++ {
		n := l.numNodes()
		group, count := mergePairs(l, max(1, min(n-hubs, n/4)), 0, rand.New(rand.NewPCG(1, 1)))
		if l, err = l.contractGroups(t.Context(), 1, group, count); err != nil {
			t.Fatal(err)
		}
	}
	if rounds > 100 {
		t.Errorf("%d rounds for %d nodes", rounds, hubs+leaves)
	}
}
