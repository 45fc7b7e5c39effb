package kernel

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Work that takes long is not done once the time is over, even where nothing
// can be returned without it. The contract of all methods wants a clustering
// for problems on which it takes a moment.
func TestLongStartsEndWithTheContext(t *testing.T) {
	rows := func(n, d int) *cluster.Problem {
		v := make([]float64, n*d)
		for i := range v {
			v[i] = float64(i * 7919 % 10007)
		}
		return &cluster.Problem{X: &data.Dense{Cols: d, V: v}, K: 3}
	}
	cut, ss := NewGraphCut(), NewSSKernelKMeans()
	cut.KNN, ss.KNN = 5, 5
	features := NewKernelKMeans()
	features.Features = 500
	tall, wide, ring := rows(15_000, 1), rows(1_001, 1_000), &cluster.Problem{K: 3}
	edges := make([]data.Edge, 600_000)
	for i := range edges {
		edges[i] = data.Edge{U: i, V: (i + 1) % len(edges), W: 1}
	}
	var err error
	if ring.Graph, err = data.NewGraph(len(edges), edges); err != nil {
		t.Fatal(err)
	}
	linked := *ring
	linked.Constraints = &constraint.Set{Must: []constraint.Pair{{I: 0, J: 9, W: 1}}}
	for name, c := range map[string]struct {
		a cluster.Algorithm
		p *cluster.Problem
	}{
		"kernel-kmeans":      {NewKernelKMeans(), tall},
		"kernel-hmrf-kmeans": {NewKernelHMRF(), tall},
		"features":           {features, tall},
		"graph-cut":          {cut, wide},
		"ss-kernel-kmeans":   {ss, wide},
		"cut of a graph":     {NewGraphCut(), ring},
		"cut with links":     {NewGraphCut(), &linked},
	} {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		r, err := cluster.Fit(ctx, c.p, c.a, cluster.Default())
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, although the time was over", name, err)
		}
		var bad *cluster.ProblemError
		if errors.As(err, &bad) {
			t.Errorf("%s: the end of the time is put down to %s", name, bad.Field)
		}
	}
}

// Many clusters take no time and memory for all pairs of clusters.
func TestAboutAsManyClustersAsNodes(t *testing.T) {
	const n, k = 40_000, 39_000
	edges := make([]data.Edge, n)
	for i := range edges {
		edges[i] = data.Edge{U: i, V: (i + 1) % n, W: 1}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute) // for all pairs several minutes
	defer stop()
	s := cluster.Default()
	s.Effort, s.Restarts = cluster.EffortLow, 1
	r, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, K: k}, NewGraphCut(), s)
	if err != nil {
		t.Fatal(err)
	}
	if filled := len(slices.Compact(slices.Sorted(slices.Values(r.Labels)))); filled != k {
		t.Errorf("%d clusters instead of %d", filled, k)
	}
}

// The sums of rows over clusters are estimated before there is memory for them.
func TestSumsBeyondMemoryAreRefused(t *testing.T) {
	s := cluster.Default()
	s.Memory = 1 << 20
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, 1000)}, K: 500}
	for i := range p.X.Len() {
		p.X.(*data.Dense).V[i] = float64(i * i)
	}
	var memory *cluster.MemoryError
	if _, err := cluster.Fit(context.Background(), p, NewKernelKMeans(), s); !errors.As(err, &memory) {
		t.Errorf("got %v", err)
	}
}
