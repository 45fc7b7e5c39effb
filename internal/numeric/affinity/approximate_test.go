package affinity_test

import (
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"pgregory.net/rapid"
)

func TestApproximateNeighboursAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 1500).Draw(t, "n"), rapid.SampledFrom([]int{1, 2, 5, 40, 100}).Draw(t, "d")
		k, seed := rapid.IntRange(1, 30).Draw(t, "k"), rapid.Uint64().Draw(t, "seed")
		var x data.Rows = blobs(n, d, seed)
		switch rapid.IntRange(0, 2).Draw(t, "rows") {
		case 1:
			x = lattice(n, d, rapid.IntRange(1, 3).Draw(t, "side"), seed)
		case 2:
			x = thin(lattice(n, d, 4, seed), seed)
		}
		nb, err := affinity.KNN(background, x, k, affinity.KNNOptions{Method: "approximate", Seed: seed})
		if err != nil {
			t.Fatalf("%v", err)
		}
		if nb.K != min(k, n-1) || !(nb.Recall >= 0 && nb.Recall <= 1) || nb.Sample < 1 {
			t.Fatalf("K %d, recall %v on %d rows", nb.K, nb.Recall, nb.Sample)
		}
		checkLists(t, x, nb)
	})
}

// checkLists checks that lists hold valid rows, none twice and not the row
// itself, in order, at their true distances.
func checkLists(t rapid.TB, x data.Rows, nb *affinity.Neighbours) {
	buf := make([]float64, x.Dim())
	for i := range nb.N {
		idx, dist := nb.NeighboursOf(i)
		seen := map[int32]bool{int32(i): true}
		a := data.Copy(x, i)
		for p, j := range idx {
			if j < 0 || int(j) >= nb.N || seen[j] {
				t.Fatalf("row %d has neighbours %v", i, idx)
			}
			seen[j] = true
			if p > 0 && (dist[p] < dist[p-1] || dist[p] == dist[p-1] && j < idx[p-1]) {
				t.Fatalf("row %d has neighbours %v at %v: out of order", i, idx, dist)
			}
			want := data.Dist2(x.Row(int(j), buf), a, data.Norm2(a))
			if math.Abs(want-dist[p]) > 1e-9*(1+want) {
				t.Fatalf("rows %d and %d are at %v, not %v", i, j, want, dist[p])
			}
		}
	}
}

// TestRecallIsWhatItSays compares the measured recall with that of all rows.
func TestRecallIsWhatItSays(t *testing.T) {
	x := blobs(4000, 24, 9)
	exact, err := affinity.KNN(background, x, 10, affinity.KNNOptions{Method: "exact"})
	if err != nil {
		t.Fatal(err)
	}
	nb, err := affinity.KNN(background, x, 10, affinity.KNNOptions{Method: "approximate"})
	if err != nil {
		t.Fatal(err)
	}
	all := recall(nb, exact)
	// 512 of 4000 rows: the standard error of the share is below 0.01.
	if math.Abs(all-nb.Recall) > 0.03 || nb.Recall < 0.95 {
		t.Errorf("recall is reported as %v on %d rows, it is %v", nb.Recall, nb.Sample, all)
	}
}

// recall is the share of the neighbours that are among the exact ones.
func recall(nb, exact *affinity.Neighbours) float64 {
	hits := 0
	for i := range nb.N {
		idx, _ := nb.NeighboursOf(i)
		wanted, _ := exact.NeighboursOf(i)
		for _, j := range idx {
			if slices.Contains(wanted, j) {
				hits++
			}
		}
	}
	return float64(hits) / float64(len(nb.Idx))
}

func TestAutoIsExactWhereThatIsCheap(t *testing.T) {
	nb, err := affinity.KNN(background, blobs(20000, 2, 1), 5, affinity.KNNOptions{})
	if err != nil || nb.Method != "tree" || nb.Recall != 1 || nb.Sample != 0 {
		t.Errorf("%v: by %s, recall %v on %d rows", err, nb.Method, nb.Recall, nb.Sample)
	}
}

// TestRoughNeighbours compares neighbours in cells with those of all rows. Some rows are equal, and three are far from all others, in
// cells of their own.
func TestRoughNeighbours(t *testing.T) {
	const n, k, goal = affinity.ExactRows + 500, 8, 0.9
	for _, d := range []int{6, 20} {
		x := blobs(n, d, uint64(d))
		for i := range 3 {
			x.V[i*n/3*d] = 1000 * float64(1+i)
		}
		exact, err := affinity.KNN(background, x, k, affinity.KNNOptions{Method: affinity.SearchExact})
		if err != nil {
			t.Fatal(err)
		}
		var first *affinity.Neighbours
		for _, workers := range []int{1, 3} {
			nb, err := affinity.RoughKNN(background, x, k, affinity.KNNOptions{Recall: goal, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = nb
			}
			if !slices.Equal(nb.Idx, first.Idx) || !slices.Equal(nb.Dist2, first.Dist2) {
				t.Errorf("%d features: %d workers find other neighbours", d, workers)
			}
		}
		checkLists(t, x, first)
		if all := recall(first, exact); first.Method != "cells" || first.Recall < goal || math.Abs(all-first.Recall) > 0.03 {
			t.Errorf("%d features: by %s, recall is reported as %v, it is %v", d, first.Method, first.Recall, all)
		}
	}
}

// TestRoughSearchEndsSoon has rows of which most are equal, too many to be compared with each other, and too few features.
func TestRoughSearchEndsSoon(t *testing.T) {
	x := blobs(70_000, 6, 1)
	for i := range x.Len() {
		if i%8 > 0 {
			copy(x.V[i*6:(i+1)*6], x.V[:6])
		}
	}
	for _, c := range []struct {
		x    data.Rows
		want string
	}{{x, "tree"}, {blobs(20_000, 2, 1), "tree"}} {
		nb, err := affinity.RoughKNN(background, c.x, 3, affinity.KNNOptions{})
		if err != nil || nb.Method != c.want {
			t.Errorf("%v: %d rows by %s", err, c.x.Len(), nb.Method)
		}
	}
}
