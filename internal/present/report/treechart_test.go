package report

import (
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// aTree has two clusters, the second a branch with two of its own.
func aTree() *hierarchy.Outline {
	return &hierarchy.Outline{Folded: 4, Nodes: []hierarchy.OutlineNode{
		{Node: 0, Parent: -1, Size: 100, Stay: 90, Death: 1, Leave: []float64{0.1, 0.9}},
		{Node: 1, Parent: 0, Size: 60, Birth: 1, Death: 3, Leave: []float64{1.5, 2, 3}, Clusters: []int{0}},
		{Node: 2, Parent: 0, Size: 30, Stay: 30, Birth: 1, Death: 2, Clusters: []int{1}},
		{Node: 3, Parent: 2, Size: 20, Birth: 2, Death: 5, Leave: []float64{4, 5}, Folded: 4},
		{Node: 4, Parent: 2, Size: 10, Birth: 2, Death: 4, Leave: []float64{4}},
	}}
}

func TestTreeChartNamesItsBranches(t *testing.T) {
	clusters := []Cluster{{Name: "wide <b>", Size: 60}, {Name: "7", Size: 30}}
	svg := TreeChart(aTree(), clusters).Inline()
	for _, want := range []string{"wide &lt;b&gt;", "cluster 7", Colour(0).CSS(), Colour(1).CSS(), "60 rows, from distance 1 on", "4 smaller branches not drawn", "part of cluster 7, 10 rows"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	if n := strings.Count(svg, ">cluster 7</text>"); n != 1 {
		t.Errorf("the second cluster is named %d times", n)
	}
	for _, bad := range []string{"NaN", "Inf"} {
		if strings.Contains(svg, bad) {
			t.Errorf("the drawing has %s", bad)
		}
	}
	if note := treeNote(aTree(), "rows"); !strings.Contains(note, "4 smaller branches are not drawn.") {
		t.Errorf("the note is %q", note)
	}
}

// Strips of branches do not overlap, whatever their sizes, and every branch has its place inside its parent's.
func TestTreeChartHasRoomForAll(t *testing.T) {
	o := aTree()
	o.Nodes[1].Size, o.Nodes[3].Size, o.Nodes[0].Size = 59_000_000, 1, 59_000_100
	d := &treeDrawing{Outline: o, children: [][]int{{1, 2}, nil, {3, 4}, nil, nil}, top: make([]float64, 5), tall: make([]float64, 5), unit: treeHigh / 59_000_100}
	d.placeNodes([]string{"", "a", "b", "", ""})
	for v := 1; v < 5; v++ {
		up := o.Nodes[v].Parent
		if d.top[v] < d.top[up]-1e-9 || d.top[v]+d.tall[v] > d.top[up]+d.tall[up]+1e-9 || d.tall[v] < treeBranch {
			t.Errorf("node %d is at %v to %v, its parent at %v to %v", v, d.top[v], d.top[v]+d.tall[v], d.top[up], d.top[up]+d.tall[up])
		}
	}
	for _, pair := range [][2]int{{1, 2}, {3, 4}} {
		if d.top[pair[1]] < d.top[pair[0]]+d.tall[pair[0]]-1e-9 {
			t.Errorf("nodes %v overlap", pair)
		}
	}
	if d.tall[2] < treeRow {
		t.Errorf("a name has %v", d.tall[2])
	}
}

// Trees with nothing to see: no points, all points equal, a root alone.
func TestTreeChartOfLittle(t *testing.T) {
	if TreeChart(nil, nil) != nil || TreeChart(&hierarchy.Outline{}, nil) != nil {
		t.Error("nothing was drawn")
	}
	one := &hierarchy.Outline{Nodes: []hierarchy.OutlineNode{{Parent: -1, Size: 3, Leave: []float64{0, 0, 0}}}}
	if svg := TreeChart(one, nil).Inline(); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("three points without a density: %s", svg)
	}
}
