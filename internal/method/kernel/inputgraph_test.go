package kernel

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// nearGraph returns the graph of rows and their nearest.
func nearGraph(t *testing.T, x data.Rows, nearest int, weights affinity.WeightKind) *data.Graph {
	t.Helper()
	near, err := affinity.KNN(context.Background(), x, nearest, affinity.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := near.Graph(context.Background(), affinity.Weights{Kind: weights})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rows joined with their nearest are clustered as their graph is, by both
// methods for graphs; without knn, or with one below 0, rows are refused.
func TestRowsJoinedWithTheirNearest(t *testing.T) {
	x := blobs(t, 300).X
	g := nearGraph(t, x, 7, "self-tuning")
	for name, with := range map[string]func(knn int) cluster.Algorithm{
		"graph-cut":        func(knn int) cluster.Algorithm { a := NewGraphCut(); a.KNN = knn; return a },
		"ss-kernel-kmeans": func(knn int) cluster.Algorithm { a := NewSSKernelKMeans(); a.KNN = knn; return a },
	} {
		rows, graph := fitted(t, &cluster.Problem{X: x, K: 3}, with(7)), fitted(t, &cluster.Problem{Graph: g, K: 3}, with(0))
		if !slices.Equal(rows.Labels, graph.Labels) || rows.Objective.Sum() != graph.Objective.Sum() {
			t.Errorf("%s: J is %v on rows, %v on their graph", name, rows.Objective, graph.Objective)
		}
		_, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 3}, with(0), cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != "graph" || !strings.Contains(string(bad.Advice()), "{knn=10}") {
			t.Errorf("%s on rows without knn: %v", name, err)
		}
		if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 3}, with(-1), cluster.Default()); err == nil || !strings.Contains(err.Error(), "knn must not be negative, got -1") {
			t.Errorf("%s with -1 neighbours: %v", name, err)
		}
		if _, err := ObjectiveFunc(&cluster.Problem{X: x, K: 3}, with(7)); err == nil {
			t.Errorf("%s: a pricer of no graph", name)
		}
	}
}

// Nodes without edges are reported, of a graph that is given and of one made of rows;
// loops and edges of weight 0 lead to no other node.
func TestIsolatedNodesAreReported(t *testing.T) {
	edges := []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 0, W: 1}, {U: 3, V: 4, W: 1}, {U: 5, V: 5, W: 1}, {U: 6, V: 7, W: 0}}
	g, err := data.NewGraph(8, edges)
	if err != nil {
		t.Fatal(err)
	}
	notes := func(p *cluster.Problem, a cluster.Algorithm) []string {
		r := fitted(t, p, a)
		if r.Learned == nil {
			return nil
		}
		return r.Learned.(interface{ Notes() []string }).Notes()
	}
	for _, a := range []cluster.Algorithm{NewGraphCut(), NewSSKernelKMeans()} {
		if got := notes(&cluster.Problem{Graph: g, K: 2}, a); len(got) != 1 || !strings.HasPrefix(got[0], "3 nodes without edges") {
			t.Errorf("%T says %q", a, got)
		}
		if got := notes(planted(t, 60, 2, 0), a); len(got) != 0 {
			t.Errorf("%T says %q of a graph without isolated nodes", a, got)
		}
	}
}
