package combinatorial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// cheapest tries every assignment of the rows from row on to the columns that
// are not taken.
func cheapest(cost []float64, cols, row int, taken []bool) float64 {
	if row*cols == len(cost) {
		return 0
	}
	least := math.Inf(1)
	for j := range cols {
		if !taken[j] {
			taken[j] = true
			least = min(least, cost[row*cols+j]+cheapest(cost, cols, row+1, taken))
			taken[j] = false
		}
	}
	return least
}

func TestAssignIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	impossible := 0
	for range 2000 {
		cols := 1 + rng.IntN(5)
		rows := rng.IntN(cols + 1)
		cost := make([]float64, rows*cols)
		for at := range cost {
			cost[at] = float64(rng.IntN(9) - 4) // small numbers, so that there are ties
			if rng.IntN(4) == 0 {
				cost[at] = math.Inf(1)
			}
		}
		want := cheapest(cost, cols, 0, make([]bool, cols))
		column, sum := Assign(cost, cols)
		if sum != want {
			t.Fatalf("%v in %d columns: %v, want %v", cost, cols, sum, want)
		}
		if math.IsInf(want, 1) {
			impossible++
			if column != nil {
				t.Fatalf("%v in %d columns: %v at an infinite cost", cost, cols, column)
			}
			continue
		}
		used, added := make([]bool, cols), 0.0
		for i, j := range column {
			if used[j] {
				t.Fatalf("column %d is taken twice: %v", j, column)
			}
			used[j] = true
			added += cost[i*cols+int(j)]
		}
		if len(column) != rows || added != sum {
			t.Fatalf("%v in %d columns: %v costs %v, not %v", cost, cols, column, added, sum)
		}
	}
	if impossible < 100 {
		t.Errorf("only %d tables without a finite assignment", impossible)
	}
}

// Assignments by hand: taking the least of the first row, 1, forces 9 on the
// second; 2 + 3 is less.
func TestAssignByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		table []float64
		k     int
		sum   float64
	}{
		{[]float64{1, 2, 3, 9}, 2, 5},
		{[]float64{1, 2, inf, 3, inf, inf}, 3, 5},
		{[]float64{1, inf, 2, inf}, 2, inf},
		{[]float64{4, 1, 3, 2, 0, 5, 3, 2, 2}, 3, 5},
		{[]float64{7}, 1, 7},
	} {
		if _, sum := Assign(c.table, c.k); sum != c.sum {
			t.Errorf("%v in rows of %d: %v, by hand %v", c.table, c.k, sum, c.sum)
		}
	}
}

func randomGraph(rng *rand.Rand) *Graph {
	n, k := 1+rng.IntN(9), 1+rng.IntN(4)
	g := &Graph{K: k, Fixed: rng.IntN(k + 1), Adj: make([][]int32, n), Banned: make([][]int32, n)}
	dense := rng.Float64()
	for v := range n {
		for u := range v {
			if rng.Float64() < dense {
				g.Adj[v] = append(g.Adj[v], int32(u))
				g.Adj[u] = append(g.Adj[u], int32(v))
			}
		}
		for h := range g.Fixed {
			if rng.IntN(4) == 0 {
				g.Banned[v] = append(g.Banned[v], int32(h))
			}
		}
	}
	return g
}

// colourable tries every colouring of the vertices from v on.
func colourable(g *Graph, colour []int32, v int) bool {
	if v == g.Len() {
		return true
	}
	for h := range int32(g.K) {
		colour[v] = h
		clash := slices.ContainsFunc(g.Adj[v], func(u int32) bool { return int(u) < v && colour[u] == h })
		if !clash && !slices.Contains(g.Banned[v], h) && colourable(g, colour, v+1) {
			return true
		}
	}
	return false
}

func proper(g *Graph, colour []int32) bool {
	for v, h := range colour {
		clash := slices.ContainsFunc(g.Adj[v], func(u int32) bool { return colour[u] == h })
		if clash || h < 0 || int(h) >= g.K || slices.Contains(g.Banned[v], h) {
			return false
		}
	}
	return len(colour) == g.Len()
}

func TestColouringsAgreeWithTryingAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	yes, no := 0, 0
	for range 3000 {
		g := randomGraph(rng)
		want := colourable(g, make([]int32, g.Len()), 0)
		budget := 1 << 20
		exact, done := g.ExactColouring(&budget)
		if !done || (exact != nil) != want {
			t.Fatalf("%+v: exact search finds %v, %v", g, exact, done)
		}
		budget = 1 << 12
		for name, found := range map[string][]int32{"DSATUR": g.DSATUR(), "smallest last": g.SmallestLast(), "tabu search": g.TabuColouring(&budget), "exact search": exact} {
			if found != nil && !proper(g, found) {
				t.Fatalf("%+v: %s finds %v, which is not proper", g, name, found)
			}
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	if yes < 500 || no < 500 {
		t.Errorf("%d graphs that can be coloured and %d that cannot: too few", yes, no)
	}
}

func TestCliquesAreCliques(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 3000 {
		g := randomGraph(rng)
		budget := 1 << 20
		for _, c := range []*Clique{g.FindClique(&budget), g.greedyClique()} {
			if c == nil {
				continue
			}
			found++
			if len(c.Vertices)+len(c.Fixed) <= g.K {
				t.Fatalf("%+v: a clique of %d and %d, want more than %d", g, len(c.Vertices), len(c.Fixed), g.K)
			}
			for at, v := range c.Vertices {
				for _, u := range c.Vertices[:at] {
					if !slices.Contains(g.Adj[v], u) {
						t.Fatalf("%+v: %d and %d are not neighbours", g, u, v)
					}
				}
				for _, h := range c.Fixed {
					if !slices.Contains(g.Banned[v], h) {
						t.Fatalf("%+v: %d may have colour %d", g, v, h)
					}
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d cliques", found)
	}
}

// The counts that a Recolouring keeps are those counted again.
func TestRecolouringKeepsCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	large := &Graph{K: 4, Adj: make([][]int32, 60), Banned: make([][]int32, 60)}
	for v := range int32(60) {
		for u := range v {
			if rng.IntN(8) == 0 { // about eight neighbours of each
				large.Adj[v], large.Adj[u] = append(large.Adj[v], u), append(large.Adj[u], v)
			}
		}
	}
	for round := range 51 {
		g := large
		if round > 0 {
			g = randomGraph(rng)
		}
		r := NewRecolouring(g.Adj, g.K)
		for v := range g.Len() {
			r.Recolour(int32(v), int32(rng.IntN(g.K)))
		}
		for range 200 {
			r.Recolour(int32(rng.IntN(g.Len())), int32(rng.IntN(g.K)))
			edges, clashing := 0, 0
			for v, h := range r.Colours() {
				clashes := 0
				for _, u := range g.Adj[v] {
					if r.Colours()[u] == h {
						clashes++
					}
				}
				if edges += clashes; clashes > 0 {
					clashing++
				}
			}
			if 2*r.ClashingEdges() != edges || len(r.clashing) != clashing {
				t.Fatalf("%d edges and %d vertices are kept, %d and %d counted", r.ClashingEdges(), len(r.clashing), edges/2, clashing)
			}
		}
	}
}

func TestGreedyColouringsStop(t *testing.T) {
	const n = 800 // a complete graph: 319,600 edges
	g := Graph{K: n, Adj: make([][]int32, n), Banned: make([][]int32, n)}
	for v := range n {
		for u := range n {
			if u != v {
				g.Adj[v] = append(g.Adj[v], int32(u))
			}
		}
	}
	for _, find := range []func() []int32{g.DSATUR, g.SmallestLast} {
		g.Stop = nil
		if find() == nil {
			t.Error("n colours are not enough")
		}
		asked := 0
		g.Stop = func() bool { asked++; return true }
		if find() != nil || asked != 1 {
			t.Errorf("it was not stopped at once: asked %d times", asked)
		}
	}
}
