package report_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/report"
)

func graph(t *testing.T, n int, edges ...[2]int) *data.Graph {
	t.Helper()
	var list []data.Edge
	for _, e := range edges {
		list = append(list, data.Edge{U: e[0], V: e[1], W: 1})
	}
	g, err := data.NewGraph(n, list)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Two triangles that one edge joins lie to the two sides of zero; a pair apart
// from them has no place.
func TestGraphProjection(t *testing.T) {
	g := graph(t, 8, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{3, 5}, [2]int{6, 7})
	m, err := report.GraphProjection(context.Background(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if (m.X[i] > 0) != (m.X[0] > 0) == (i < 3) {
			t.Errorf("node %d is at %v, node 0 at %v", i, m.X[i], m.X[0])
		}
	}
	if !math.IsNaN(m.X[6]) || !math.IsNaN(m.Y[7]) {
		t.Error("a node of a smaller part has a place")
	}
	if !strings.Contains(m.Name, "the largest of its 2 components, 6 of 8 nodes") {
		t.Errorf("it is called %q", m.Name)
	}
	p := &report.Page{Labels: []int{0, 0, 0, 1, 1, 1, 1, 1}, Clusters: []report.Cluster{{Name: "a"}, {Name: "b"}}, Maps: []*report.Projection{m},
		Links: []report.Link{{A: 0, B: 7, Kind: "must"}, {A: 0, B: 1, Kind: "must", Satisfied: true}}}
	chart := report.MapChart(p, 0).Inline()
	if n := strings.Count(chart, "h0"); n != 6 || strings.Contains(chart, "NaN") {
		t.Errorf("%d nodes are drawn, %s", n, chart)
	}
}

// What is too small to be placed has no map, and no error.
func TestGraphProjectionOfLittle(t *testing.T) {
	for _, g := range []*data.Graph{graph(t, 0), graph(t, 1), graph(t, 5), graph(t, 2, [2]int{0, 1})} {
		if m, err := report.GraphProjection(context.Background(), g, 1); m != nil || err != nil {
			t.Errorf("%d nodes: %v, %v", g.Len(), m, err)
		}
	}
}
