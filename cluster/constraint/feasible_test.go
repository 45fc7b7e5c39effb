package constraint

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// checkVerdict fails unless v and the colouring agree with the matrix of what
// is apart.
func checkVerdict(t fataler, c *Closure, apart [][]bool, k int) Verdict {
	v := c.Feasible(k)
	if v.Why == "" {
		t.Fatalf("k = %d: no reason for %v", k, v.Answer)
	}
	if v.Clique != nil {
		if v.Answer != No || len(v.Clique) <= k {
			t.Fatalf("k = %d: clique %v for %v", k, v.Clique, v.Answer)
		}
		for at, a := range v.Clique {
			for _, b := range v.Clique[:at] {
				if !apart[a][b] {
					t.Fatalf("k = %d: %d and %d of clique %v are not apart", k, a, b, v.Clique)
				}
			}
		}
	}
	if v.Cycle != nil {
		if v.Answer != No || k != 2 || len(v.Cycle)%2 == 0 {
			t.Fatalf("k = %d: cycle %v for %v", k, v.Cycle, v.Answer)
		}
		for at, a := range v.Cycle {
			if b := v.Cycle[(at+1)%len(v.Cycle)]; !apart[a][b] {
				t.Fatalf("%d and %d of cycle %v are not apart", a, b, v.Cycle)
			}
		}
	}
	if v.Core != nil {
		checkCore(t, c, apart, k, v)
	}
	if proof := v.Proof(); (v.Answer == No) != (len(proof) > 0) {
		t.Fatalf("k = %d: %v with the proof %v", k, v.Answer, proof)
	}
	colour, ok := c.Colouring(k)
	if ok != (v.Answer == Yes) {
		t.Fatalf("k = %d: colouring %v for %v", k, ok, v.Answer)
	}
	if ok {
		checkColouring(t, c, apart, k, colour)
	}
	return v
}

// checkCore fails unless k colours do not do for the core, but do without any
// one of its components that has no class.
func checkCore(t fataler, c *Closure, apart [][]bool, k int, v Verdict) {
	if v.Answer != No || divides(apart, v.Core, k) {
		t.Fatalf("k = %d: core %v for %v", k, v.Core, v.Answer)
	}
	for at, q := range v.Core {
		if c.Class(q) < 0 && !divides(apart, slices.Delete(slices.Clone(v.Core), at, at+1), k) {
			t.Fatalf("k = %d: the core %v does not need %d", k, v.Core, q)
		}
	}
}

// divides says whether k colours do for the components, by trying.
func divides(apart [][]bool, of []int, k int) bool {
	colour := make([]int, len(of))
	var try func(at, used int) bool
	try = func(at, used int) bool {
		if at == len(of) {
			return true
		}
		for h := range min(used+1, k) {
			fits := true
			for b := range at {
				fits = fits && !(apart[of[at]][of[b]] && colour[b] == h)
			}
			colour[at] = h
			if fits && try(at+1, max(used, h+1)) {
				return true
			}
		}
		return false
	}
	return try(0, 0)
}

func checkColouring(t fataler, c *Closure, apart [][]bool, k int, colour []int32) {
	if len(colour) != c.Components() {
		t.Fatalf("%d colours for %d components", len(colour), c.Components())
	}
	small := true
	for q := range colour {
		small = small && c.Class(q) < k
	}
	for a, h := range colour {
		if h < 0 || int(h) >= k {
			t.Fatalf("colour %d of component %d, k = %d", h, a, k)
		}
		if small && c.Class(a) >= 0 && int(h) != c.Class(a) {
			t.Fatalf("class %d has colour %d", c.Class(a), h)
		}
		for b, g := range colour {
			if apart[a][b] && h == g {
				t.Fatalf("%d and %d are apart and both have colour %d of %d", a, b, h, k)
			}
		}
	}
}

// TestFeasibleBrute compares with every colouring of few points.
func TestFeasibleBrute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		s := drawConsistent(t, n)
		if rapid.Bool().Draw(t, "free") {
			s = drawSet(t, n)
			for range rapid.IntRange(0, 20).Draw(t, "more") {
				s.Cannot = append(s.Cannot, Pair{rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j"), 1})
			}
			s = agreeing(n, s)
		}
		c, err := Close(n, s)
		if err != nil {
			t.Fatal(err)
		}
		apart := separated(c, s)
		for k := range 5 {
			v := checkVerdict(t, c, apart, k)
			want := No
			if colourable(apart, k) {
				want = Yes
			}
			if v.Answer != want {
				t.Fatalf("k = %d: %v (%s), want %v", k, v.Answer, v.Why, want)
			}
			if v.Answer == No && k < 2 && v.Clique == nil || v.Answer == No && k == 2 && v.Clique == nil && v.Cycle == nil {
				t.Fatalf("k = %d: no proof", k)
			}
		}
	})
}

// TestFeasibleCores is the same for graphs that are hard to colour: 12 points,
// cannot-links at the density where k colours just do, and some classes.
func TestFeasibleCores(t *testing.T) {
	answers := map[Answer]int{}
	exhausted := 0
	count, least := uint64(600), 100
	if testing.Short() {
		count, least = 60, 10
	}
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 7))
		n, k := 12, 3+int(seed%3)
		density := []float64{0.36, 0.52, 0.66}[k-3]
		s := &Set{}
		for i := range n {
			for j := range i {
				if rng.Float64() < density {
					s.Cannot = append(s.Cannot, Pair{i, j, 1})
				}
			}
			if i < int(seed/3%4) {
				s.Labels = append(s.Labels, Label{i, i, 1})
			}
		}
		c := mustClose(t, n, s)
		apart := separated(c, s)
		v := checkVerdict(t, c, apart, k)
		if want := colourable(apart, k); v.Answer == Unknown || want != (v.Answer == Yes) {
			t.Fatalf("seed %d, k = %d: %v (%s), want %v", seed, k, v.Answer, v.Why, want)
		}
		answers[v.Answer]++
		if v.Answer == No && v.Clique == nil {
			exhausted++
		}
		// The searches alone, without what comes before them.
		for _, g := range coresOf(c, k) {
			budget := workBudget
			got, done := g.graph.ExactColouring(&budget)
			if !done || (got != nil) != g.colourable() {
				t.Fatalf("seed %d, k = %d: exact search finds %v, %v", seed, k, got, done)
			}
			budget = 1 << 14
			if found := g.graph.TabuColouring(&budget); found != nil && !g.proper(found) || got != nil && !g.proper(got) {
				t.Fatalf("seed %d, k = %d: %v or %v is no colouring", seed, k, found, got)
			}
		}
	}
	if answers[Yes] < least || answers[No] < least || exhausted == 0 {
		t.Errorf("answers %v, %d by exhaustion: the test is too easy", answers, exhausted)
	}
}

func coresOf(c *Closure, k int) []*colouringCore {
	if len(c.classed) > k {
		return nil
	}
	p := newColouring(c, k, 0)
	p.colourClasses()
	_, left := p.peel()
	var out []*colouringCore
	for _, components := range p.cores(left) {
		out = append(out, newColouringCore(c, k, p.colour, components))
	}
	return out
}

// proper says whether colour is a colouring of g.
func (g *colouringCore) proper(colour []int32) bool {
	for v, h := range colour {
		if h < 0 || int(h) >= g.graph.K || slices.Contains(g.graph.Banned[v], h) {
			return false
		}
		for _, u := range g.graph.Adj[v] {
			if colour[u] == h {
				return false
			}
		}
	}
	return true
}

// colourable tries everything, the classes as vertices that are all apart.
func (g *colouringCore) colourable() bool {
	size := len(g.components) + len(g.classed)
	m := make([][]bool, size)
	for a := range m {
		m[a] = make([]bool, size)
		for b := range m {
			m[a][b] = a != b && a >= len(g.components) && b >= len(g.components)
		}
	}
	for v := range g.components {
		for _, u := range g.graph.Adj[v] {
			m[v][u] = true
		}
		for _, h := range g.graph.Banned[v] {
			u := len(g.components) + int(h)
			m[v][u], m[u][v] = true, true
		}
	}
	return colourable(m, g.graph.K)
}

// mycielski returns the cannot-links of a graph without triangles that needs
// one colour more than the last, and its points: from two joined points, the
// ring of five, the Grötzsch graph of eleven, …
func mycielski(steps int) ([]Pair, int) {
	edges, n := []Pair{{0, 1, 1}}, 2
	for range steps {
		more := append([]Pair(nil), edges...)
		for _, e := range edges {
			more = append(more, Pair{e.I, n + e.J, 1}, Pair{n + e.I, e.J, 1})
		}
		for i := range n {
			more = append(more, Pair{n + i, 2 * n, 1})
		}
		edges, n = more, 2*n+1
	}
	return edges, n
}

func TestFeasibleWithoutClique(t *testing.T) {
	for steps := range 4 {
		edges, n := mycielski(steps)
		c := mustClose(t, n, &Set{Cannot: edges})
		apart := separated(c, &Set{Cannot: edges})
		chromatic := steps + 2
		if v := checkVerdict(t, c, apart, chromatic); v.Answer != Yes {
			t.Errorf("%d points, k = %d: %v", n, chromatic, v)
		}
		v := checkVerdict(t, c, apart, chromatic-1)
		if v.Answer != No {
			t.Errorf("%d points, k = %d: %v", n, chromatic-1, v)
		}
		if steps == 1 && len(v.Cycle) != 5 {
			t.Errorf("ring of five: cycle %v", v.Cycle)
		}
	}
}

// Only what is needed of a component is the proof: here the graph of Grötzsch, which
// hangs together with three pairs, each apart from the others, that do fit.
func TestFeasibleCoreIsCritical(t *testing.T) {
	edges, n := mycielski(2)
	edges = append(edges, Pair{0, n, 1})
	for a := range 6 {
		for b := range a {
			if a/2 != b/2 {
				edges = append(edges, Pair{n + a, n + b, 1})
			}
		}
	}
	s := &Set{Cannot: edges}
	c := mustClose(t, n+6, s)
	v := checkVerdict(t, c, separated(c, s), 3)
	if v.Answer != No || len(v.Core) != n || slices.Max(v.Core) >= n {
		t.Errorf("%v, want a core of the first %d", v, n)
	}
}

// TestFeasibleBudget answers Unknown, never wrongly, when effort runs out.
func TestFeasibleBudget(t *testing.T) {
	edges, n := mycielski(3)
	c := mustClose(t, n, &Set{Cannot: edges})
	for budget, want := range map[int]Answer{100: Unknown, workBudget: No} {
		p := newColouring(c, 4, budget)
		if v := p.colourAll(); v.Answer != want || v.Why == "" {
			t.Errorf("budget %d: %v, want %v", budget, v, want)
		}
	}
}

func TestFeasibleByHand(t *testing.T) {
	triangle := []Pair{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}
	tests := []struct {
		name string
		n    int
		s    *Set
		k    int
		want Answer
	}{
		{"no points", 0, nil, 0, Yes},
		{"no clusters", 1, nil, 0, No},
		{"negative k", 1, nil, -3, No},
		{"more clusters than points", 2, nil, 1000000000, Yes},
		{"one cluster", 3, nil, 1, Yes},
		{"one cluster, two apart", 3, &Set{Cannot: []Pair{{0, 2, 1}}}, 1, No},
		{"one cluster, two classes", 3, &Set{Labels: []Label{{0, 0, 1}, {1, 5, 1}}}, 1, No},
		{"one cluster, apart from a class", 3, &Set{Labels: []Label{{0, 9, 1}}, Cannot: []Pair{{1, 0, 1}}}, 1, No},
		{"triangle in two", 3, &Set{Cannot: triangle}, 2, No},
		{"triangle in three", 3, &Set{Cannot: triangle}, 3, Yes},
		{"two classes and one apart from both", 3, &Set{Labels: []Label{{0, 3, 1}, {1, 8, 1}}, Cannot: triangle[1:]}, 2, No},
		{"classes close an odd ring", 4, &Set{Labels: []Label{{0, 0, 1}, {3, 1, 1}}, Cannot: []Pair{{0, 1, 1}, {1, 3, 1}}}, 2, No},
		{"classes close an even ring", 4, &Set{Labels: []Label{{0, 1, 1}, {3, 0, 1}}, Cannot: []Pair{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}}, 2, Yes},
		{"three classes and one apart from all", 4, &Set{Labels: []Label{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}, Cannot: []Pair{{3, 0, 1}, {3, 1, 1}, {3, 2, 1}}}, 3, No},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := mustClose(t, tt.n, tt.s)
			cannot := &Set{}
			if tt.s != nil {
				cannot = tt.s
			}
			if v := checkVerdict(t, c, separated(c, cannot), tt.k); v.Answer != tt.want {
				t.Errorf("%v, want %v", v, tt.want)
			}
		})
	}
}

func TestColouringNamesClasses(t *testing.T) {
	s := &Set{Labels: []Label{{1, 3, 1}, {2, 1, 1}}, Cannot: []Pair{{0, 1, 1}, {0, 2, 1}}}
	c := mustClose(t, 4, s)
	if got, _ := c.Colouring(4); got[1] != 3 || got[2] != 1 {
		t.Errorf("classes 3 and 1 got clusters %d and %d", got[1], got[2])
	}
	// Class 3 does not fit below 3: classes are counted in their order.
	if got, _ := c.Colouring(3); got[1] != 1 || got[2] != 0 || got[0] != 2 {
		t.Errorf("got %v", got)
	}
}

// TestFeasiblePlanted never says No where a colouring was planted, nor Yes
// where a clique was.
func TestFeasiblePlanted(t *testing.T) {
	sizes := []struct{ n, m, k int }{{300, 2500, 4}, {1000, 4500, 3}, {20000, 200000, 8}, {1500, 30000, 30}}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		rng := rand.New(rand.NewPCG(uint64(size.n), 1))
		s := &Set{}
		for range size.m {
			if i, j := rng.IntN(size.n), rng.IntN(size.n); i%size.k != j%size.k {
				s.Cannot = append(s.Cannot, Pair{i, j, 1})
			}
		}
		v := mustClose(t, size.n, s).Feasible(size.k)
		t.Logf("n = %d, m = %d, k = %d: %v, %s", size.n, size.m, size.k, v.Answer, v.Why)
		if v.Answer == No {
			t.Errorf("n = %d: No to a planted colouring", size.n)
		}
		for i := range size.k + 1 {
			for j := range i {
				s.Cannot = append(s.Cannot, Pair{7 * i, 7 * j, 1})
			}
		}
		if v := mustClose(t, size.n, s).Feasible(size.k); v.Answer == Yes {
			t.Errorf("n = %d: Yes with a planted clique", size.n)
		} else {
			t.Logf("with a clique: %v, %s", v.Answer, v.Why)
		}
	}
}

func TestAnswerString(t *testing.T) {
	for a, want := range map[Answer]string{Yes: "yes", No: "no", Unknown: "unknown", 7: "Answer(7)"} {
		if a.String() != want {
			t.Errorf("got %q, want %q", a.String(), want)
		}
	}
}
