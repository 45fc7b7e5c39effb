package dedupe

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// weighted returns a graph of n rows, each a node unless links hold it to others, with these
// weights of pairs of rows.
func weighted(t interface{ Fatal(...any) }, n int, weights map[pair]float64, known *constraint.Set) *graph {
	closed, err := constraint.Close(n, known)
	if err != nil {
		t.Fatal(err)
	}
	d := &distinct{rows: n, copies: make([][]int32, n)}
	for i := range d.copies {
		d.copies[i] = []int32{int32(i)}
	}
	var pairs []pair
	for p := range weights {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, comparePairs)
	list := make([]float64, len(pairs))
	for i, p := range pairs {
		list[i] = weights[p]
	}
	return newGraph(d, closed, pairs, list, func(int32) float64 { return 0 })
}

// cost is the objective by its definition, over pairs of rows that no link holds
// together.
func cost(g *graph, weights map[pair]float64, cluster []int32) (c float64) {
	for i := range g.node {
		for j := range i {
			a, b := g.node[i], g.node[j]
			if a == b {
				continue
			}
			w, known := weights[pair{int32(j), int32(i)}]
			if !known {
				w = uncompared
			}
			if cluster[a] == cluster[b] {
				c += max(-w, 0)
			} else {
				c += max(w, 0)
			}
		}
	}
	return c
}

// Worked by hand. The triangle 0, 1, 2 has weights 3, 2 and −1, row 3 hangs on 2 with 1.
// Together 0, 1, 2 pay 1, and the edge to 3 is cut for 1: with 3 inside, the pairs 0-3 and
// 1-3, which were not compared, would cost 2 each.
func TestObjectiveByHand(t *testing.T) {
	weights := map[pair]float64{{0, 1}: 3, {1, 2}: 2, {0, 2}: -1, {2, 3}: 1}
	g := weighted(t, 4, weights, nil)
	for _, test := range []struct {
		cluster []int32
		want    float64
	}{
		{[]int32{0, 1, 2, 3}, 6}, // all edges above 0 are cut
		{[]int32{0, 0, 0, 3}, 2},
		{[]int32{0, 0, 0, 0}, 5},
		{[]int32{0, 0, 2, 2}, 2},
		{[]int32{0, 0, 2, 3}, 3},
	} {
		if got := g.objective(test.cluster); got != test.want {
			t.Errorf("%v: objective %v, want %v", test.cluster, got, test.want)
		}
		if got := cost(g, weights, test.cluster); got != test.want {
			t.Errorf("%v: cost %v, want %v", test.cluster, got, test.want)
		}
	}
	found, err := correlate(context.Background(), g, 1, func(float64) {})
	if err != nil || g.objective(found) != 2 {
		t.Errorf("%v, objective %v, %v", found, g.objective(found), err)
	}
}

// drawProblem draws a small problem with links that do not contradict each other.
func drawProblem(t *rapid.T) (n int, weights map[pair]float64, known *constraint.Set) {
	n = rapid.IntRange(1, 9).Draw(t, "n")
	weights = map[pair]float64{}
	for i := range int32(n) {
		for j := range i {
			if rapid.IntRange(0, 3).Draw(t, "compared") > 0 {
				weights[pair{j, i}] = float64(rapid.IntRange(-32, 32).Draw(t, "weight")) / 4
			}
		}
	}
	truth := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "truth")
	known = &constraint.Set{}
	for range rapid.IntRange(0, 5).Draw(t, "links") {
		i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
		if p := (constraint.Pair{I: i, J: j, W: 1}); i != j && truth[i] == truth[j] {
			known.Must = append(known.Must, p)
		} else if i != j {
			known.Cannot = append(known.Cannot, p)
		}
	}
	return n, weights, known
}

func feasible(g *graph, cluster []int32) bool {
	for a := range int32(len(cluster)) {
		for b := range a {
			if cluster[a] == cluster[b] && g.apart(a, b) {
				return false
			}
		}
	}
	return true
}

// least returns the lowest cost of all partitions that keep apart what must be apart.
func least(g *graph, weights map[pair]float64) float64 {
	best := math.Inf(1)
	cluster := make([]int32, len(g.size))
	var try func(u int, used int32)
	try = func(u int, used int32) {
		if u == len(cluster) {
			if feasible(g, cluster) {
				best = min(best, cost(g, weights, cluster))
			}
			return
		}
		for c := range used + 1 {
			cluster[u] = c
			try(u+1, max(used, c+1))
		}
	}
	try(0, 0)
	return best
}

// On all problems of up to 9 records, correlate reaches the lowest cost of all partitions,
// with must-links and cannot-links.
func TestCorrelateIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, weights, known := drawProblem(t)
		g := weighted(t, n, weights, known)
		found, err := correlate(context.Background(), g, 1, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		if !feasible(g, found) {
			t.Fatalf("%v violates a cannot-link", found)
		}
		got, best := cost(g, weights, found), least(g, weights)
		if math.Abs(got-best) > 1e-9 || math.Abs(g.objective(found)-got) > 1e-9 {
			t.Fatalf("cost %v, objective %v, lowest %v", got, g.objective(found), best)
		}
	})
}

// The search for larger parts keeps what must be apart apart, and no single move or
// merge lowers its objective.
func TestSearchEndsInLocalMinimum(t *testing.T) {
	gaps, tries := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, weights, known := drawProblem(t)
		g := weighted(t, n, weights, known)
		part, local := g.connectedParts()
		cluster := make([]int32, len(g.size))
		for u := range cluster {
			cluster[u] = int32(u)
		}
		for _, p := range g.problems(part, local) {
			for i, c := range p.search(context.Background()) {
				cluster[p.nodes[i]] = p.nodes[c]
			}
		}
		if !feasible(g, cluster) {
			t.Fatalf("%v violates a cannot-link", cluster)
		}
		now := cost(g, weights, cluster)
		if best := least(g, weights); now > best+1e-9 {
			gaps++
		}
		tries++
		for u := range cluster {
			for to := range int32(len(cluster) + 1) {
				moved := slices.Clone(cluster)
				moved[u] = to
				if feasible(g, moved) && cost(g, weights, moved) < now-1e-9 {
					t.Fatalf("moving node %d of %v to %d lowers the objective from %v to %v", u, cluster, to, now, cost(g, weights, moved))
				}
				merged := slices.Clone(cluster)
				for v := range merged {
					if merged[v] == cluster[u] {
						merged[v] = to
					}
				}
				if feasible(g, merged) && cost(g, weights, merged) < now-1e-9 {
					t.Fatalf("merging cluster %d of %v into %d lowers the objective", cluster[u], cluster, to)
				}
			}
		}
	})
	t.Logf("above the lowest objective in %d of %d problems", gaps, tries)
	if gaps*5 > tries {
		t.Errorf("above the lowest objective in %d of %d problems", gaps, tries)
	}
}

// Planted clusters in one large part, far above what is solved exactly, are found.
func TestSearchFindsPlanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, k = 400, 40
	weights := map[pair]float64{}
	known := &constraint.Set{}
	for i := range int32(n) {
		for j := range i {
			switch same := i%k == j%k; {
			case same:
				weights[pair{j, i}] = rng.NormFloat64() + 2
			case rng.IntN(20) == 0:
				weights[pair{j, i}] = rng.NormFloat64() - 1.5
			}
			if i%k != j%k && rng.IntN(1000) == 0 {
				known.Cannot = append(known.Cannot, constraint.Pair{I: int(i), J: int(j), W: 1})
			}
		}
	}
	g := weighted(t, n, weights, known)
	found, err := correlate(context.Background(), g, 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	planted := make([]int32, len(g.size))
	for i, u := range g.node {
		planted[u] = int32(i % k)
	}
	if !feasible(g, found) || g.objective(found) > g.objective(planted) {
		t.Errorf("feasible %v, objective %v, of the planted clusters %v", feasible(g, found), g.objective(found), g.objective(planted))
	}
}
