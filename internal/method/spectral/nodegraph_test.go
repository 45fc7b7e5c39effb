package spectral

import (
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// A graph in another order is the same graph.
func TestOrderOfNodes(t *testing.T) {
	r, n := cuttest.Rand(4), reorderFrom+777
	var edges []data.Edge
	perm := r.Perm(n)
	for i := range n - 1 { // the last few have no edges
		if i < n-5 {
			edges = append(edges, data.Edge{U: perm[i], V: perm[(i+1)%(n-5)], W: 1 + r.Float64()}, data.Edge{U: perm[i], V: perm[(i+3)%(n-5)], W: r.Float64()})
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	was, f := NewNodeGraph(g, nil), NewNodeGraph(g, nil)
	if err := f.reorderNodes(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = r.IntN(3)
	}
	a, _ := NCut(was, labels, 3)
	b, _ := NCut(f, labels, 3)
	if len(f.Points) != len(was.Points) || a-b > 1e-9 || b-a > 1e-9 {
		t.Errorf("%d nodes cut at %v, before %d at %v", len(f.Points), b, len(was.Points), a)
	}
	far, before := 0, 0
	for i := range f.Points {
		if f.NodeOf[f.Points[i]] != i {
			t.Fatalf("node %d is point %d, which is node %d", i, f.Points[i], f.NodeOf[f.Points[i]])
		}
		to, w := f.Graph.Neighbours(i)
		if !slices.IsSorted(to) {
			t.Fatalf("neighbours of node %d: %v", i, to)
		}
		sum := 0.0
		for q, j := range to {
			sum += w[q]
			if far += 1; max(i, int(j))-min(i, int(j)) < 100 {
				far--
			}
		}
		at := was.NodeOf[f.Points[i]]
		if d := was.Graph.Degree(at) - sum; d > 1e-12 || d < -1e-12 {
			t.Fatalf("degree of point %d is %v, before %v", f.Points[i], sum, was.Graph.Degree(at))
		}
		to, _ = was.Graph.Neighbours(at)
		for _, j := range to {
			if before += 1; max(at, int(j))-min(at, int(j)) < 100 {
				before--
			}
		}
	}
	if 10*far > before {
		t.Errorf("%d edges lead far, before %d", far, before)
	}
}
