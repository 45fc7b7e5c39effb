package data_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// An edited graph is the one that NewGraph makes of all its edges.
func TestEditedGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 200 {
		n := 1 + rng.IntN(9)
		var edges, more, all []data.Edge
		for range rng.IntN(30) {
			edges = append(edges, data.Edge{U: rng.IntN(n), V: rng.IntN(n), W: float64(1 + rng.IntN(9))})
		}
		for range rng.IntN(5) {
			more = append(more, data.Edge{U: rng.IntN(n), V: rng.IntN(n), W: float64(1 + rng.IntN(9))})
		}
		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		weight := func(i, j int, w float64) float64 { return w * float64((i+j)%3) }
		for i := range n {
			to, w := g.Neighbours(i)
			for q, j := range to {
				if y := weight(i, int(j), w[q]); y != 0 && int(j) >= i {
					all = append(all, data.Edge{U: i, V: int(j), W: y})
				}
			}
		}
		want, err := data.NewGraph(n, append(all, more...))
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.Edited(weight, more)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Check(); err != nil || !slices.Equal(got.Start, want.Start) || !slices.Equal(got.To, want.To) || !slices.Equal(got.W, want.W) {
			t.Fatalf("%v and %v: %v, want %v (%v)", edges, more, got, want, err)
		}
	}
	g, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: math.MaxFloat64}})
	if err != nil {
		t.Fatal(err)
	}
	same := func(_, _ int, w float64) float64 { return w }
	if _, err := g.Edited(same, []data.Edge{{U: 1, V: 0, W: math.MaxFloat64}}); err == nil {
		t.Error("a sum of weights that is not finite is accepted")
	}
	if _, err := g.Edited(same, []data.Edge{{U: 1, V: 2, W: 1}}); err == nil {
		t.Error("an edge to a node that there is not is accepted")
	}
}
