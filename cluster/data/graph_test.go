package data_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

// Weights are small whole numbers, so that sums are exact in any order.
func TestNewGraphAgainstMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) data.Edge {
			return data.Edge{U: node.Draw(t, "u"), V: node.Draw(t, "v"), W: float64(rapid.IntRange(-3, 9).Draw(t, "w"))}
		}), 0, 30).Draw(t, "edges")

		type cell struct {
			w     float64
			there bool
		}
		want, count := make([]cell, n*n), 0
		for _, e := range edges {
			at := []int{e.U*n + e.V, e.V*n + e.U}
			if e.U == e.V {
				at = at[:1] // a loop stands once
			}
			if !want[at[0]].there {
				count++
			}
			for _, c := range at {
				want[c] = cell{want[c].w + e.W, true}
			}
		}

		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		if g.Len() != n || g.Edges() != count {
			t.Fatalf("%d nodes and %d edges, wanted %d and %d", g.Len(), g.Edges(), n, count)
		}
		for i := range n {
			to, w := g.Neighbours(i)
			seen, degree := 0, 0.0
			for p, j := range to {
				if p > 0 && j <= to[p-1] {
					t.Fatalf("the neighbours of %d do not ascend: %v", i, to)
				}
				if c := want[i*n+int(j)]; !c.there || c.w != w[p] {
					t.Fatalf("edge %d-%d weighs %v, by the matrix %+v", i, j, w[p], c)
				}
			}
			for j := range n {
				if want[i*n+j].there {
					seen++
					degree += want[i*n+j].w
				}
			}
			if seen != len(to) || degree != g.Degree(i) {
				t.Fatalf("node %d: %d neighbours, degree %v; by the matrix %d and %v", i, len(to), g.Degree(i), seen, degree)
			}
		}
	})
}

// Both halves of an edge add up in the same order: their bits are equal.
func TestGraphIsSymmetricToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var edges []data.Edge
		for _, w := range rapid.SliceOfN(rapid.Float64Range(-1, 1), 2, 9).Draw(t, "w") {
			u := rapid.IntRange(0, 1).Draw(t, "u")
			edges = append(edges, data.Edge{U: u, V: 1 - u, W: w})
		}
		g, err := data.NewGraph(2, edges)
		if err != nil {
			t.Fatal(err)
		}
		if _, a := g.Neighbours(0); true {
			if _, b := g.Neighbours(1); len(a) != 1 || len(b) != 1 || a[0] != b[0] {
				t.Fatalf("%v one way, %v the other", a, b)
			}
		}
	})
}

func TestNewGraphRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		n    int
		edge []data.Edge
		says string
	}{
		"a node below 0":     {3, []data.Edge{{U: 0, V: 1, W: 1}, {U: -1, V: 2, W: 1}}, "edge 1"},
		"a node beyond":      {3, []data.Edge{{U: 0, V: 3, W: 1}}, "edge 0"},
		"a weight of NaN":    {3, []data.Edge{{U: 0, V: 1, W: math.NaN()}}, "NaN"},
		"a weight of +Inf":   {3, []data.Edge{{U: 0, V: 1, W: math.Inf(1)}}, "+Inf"},
		"a sum of +Inf":      {3, []data.Edge{{U: 2, V: 1, W: math.MaxFloat64}, {U: 1, V: 2, W: math.MaxFloat64}}, "between 1 and 2"},
		"fewer than 0 nodes": {-2, nil, "got -2"},
		"too many nodes":     {math.MaxInt32 + 1, nil, "nodes"},
	} {
		if _, err := data.NewGraph(c.n, c.edge); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, it should say %q", name, err, c.says)
		}
	}
}

func TestGraphOfNothing(t *testing.T) {
	g, err := data.NewGraph(0, nil)
	if err != nil || g.Len() != 0 || g.Edges() != 0 {
		t.Errorf("%+v, %v", g, err)
	}
	if n := (&data.Graph{}).Len(); n != 0 {
		t.Errorf("the zero graph has %d nodes", n)
	}
	g, err = data.NewGraph(4, []data.Edge{{U: 1, V: 1, W: 2}})
	if err != nil || g.Edges() != 1 || g.Degree(1) != 2 || g.Degree(3) != 0 {
		t.Errorf("one loop: %+v, %v", g, err)
	}
}
