package contraction

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// randomGraph has whole weights, so that sums are exact in any order.
func randomGraph(n, m int, rng *rand.Rand) *data.Graph {
	edges := make([]data.Edge, m)
	for e := range edges {
		edges[e] = data.Edge{U: rng.IntN(n), V: rng.IntN(n), W: float64(1 + rng.IntN(9))}
	}
	return data.BuildGraph(n, edges)
}

// Weights between groups add up, those inside are reported, and the result is the
// same on any number of workers.
func TestContractAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ n, m, count int }{{1, 0, 1}, {12, 30, 4}, {300, 2000, 300}, {9000, 40000, 2500}, {2000, 60000, 40}, {5000, 200000, 700}} {
		g := randomGraph(c.n, c.m, rng)
		of := make([]int32, c.n)
		for i := range of {
			of[i] = int32(rng.IntN(c.count+1)) - 1
		}
		s := NewGroups(of, c.count)
		inside := make([]float64, c.count)
		got, err := s.Contract(context.Background(), 1, g, inside)
		if err != nil {
			t.Fatal(err)
		}
		type pair struct{ a, b int32 }
		want, within := map[pair]float64{}, make([]float64, c.count)
		for i, a := range of {
			to, w := g.Neighbours(i)
			for p, j := range to {
				switch b := of[j]; {
				case a < 0 || b < 0:
				case a != b:
					want[pair{a, b}] += w[p]
				case int(j) != i:
					within[a] += w[p]
				}
			}
		}
		entries := 0
		for a := range got.Len() {
			to, w := got.Neighbours(a)
			for p, b := range to {
				entries++
				if want[pair{int32(a), b}] != w[p] {
					t.Fatalf("%d nodes: %d-%d has weight %v, want %v", c.n, a, b, w[p], want[pair{int32(a), b}])
				}
			}
		}
		if entries != len(want) || !slices.Equal(inside, within) {
			t.Fatalf("%d nodes: %d entries, want %d; inside %v, want %v", c.n, entries, len(want), inside, within)
		}
		again, err := s.Contract(context.Background(), 5, g, nil)
		if err != nil || !slices.Equal(again.Start, got.Start) || !slices.Equal(again.To, got.To) || !slices.Equal(again.W, got.W) {
			t.Fatalf("%d nodes: another graph on five workers (%v)", c.n, err)
		}
	}
}

func TestGroupsListTheirNodes(t *testing.T) {
	s := NewGroups([]int32{1, -1, 0, 1, -1}, 3)
	if s.Count() != 3 || !slices.Equal(s.Start, []int{0, 1, 3, 3}) || !slices.Equal(s.Node, []int32{2, 0, 3, 1, 4}) {
		t.Errorf("%d groups, starts %v, nodes %v", s.Count(), s.Start, s.Node)
	}
}

func TestTotals(t *testing.T) {
	rng, totals := rand.New(rand.NewPCG(3, 4)), NewTotals()
	for range 3 {
		want := map[int32]float64{}
		for range 1000 {
			key, x := int32(rng.IntN(400)*1000), float64(rng.IntN(100))
			totals.AddTo(key, x)
			want[key] += x
		}
		if len(totals.Keys) != len(want) || totals.TotalOf(-7) != 0 {
			t.Fatalf("%d keys, want %d", len(totals.Keys), len(want))
		}
		for p, key := range totals.Keys {
			if totals.Sums[p] != want[key] || totals.TotalOf(key) != want[key] {
				t.Fatalf("the total of %d is %v, want %v", key, totals.Sums[p], want[key])
			}
		}
		totals.Reset()
	}
}
