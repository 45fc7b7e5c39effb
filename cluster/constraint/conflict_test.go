package constraint

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestConflictsByHand(t *testing.T) {
	tests := []struct {
		name  string
		s     *Set
		sizes []int
		text  []string
	}{
		{"consistent", &Set{Must: []Pair{{0, 1, 1}}, Cannot: []Pair{{1, 2, 1}}}, nil, nil},
		{"chain", &Set{Must: []Pair{{0, 1, 1}, {2, 1, 1}, {2, 3, 1}}, Cannot: []Pair{{3, 0, 1}}},
			[]int{4}, []string{"a and d cannot be together, yet a = b = c = d"}},
		{"short cut", &Set{Must: []Pair{{0, 1, 1}, {2, 1, 1}, {2, 3, 1}, {0, 2, 1}}, Cannot: []Pair{{3, 0, 1}, {0, 3, 1}}},
			[]int{3}, []string{"a and d cannot be together, yet a = c = d"}},
		{"self", &Set{Cannot: []Pair{{2, 2, 1}, {2, 2, 1}}}, []int{1}, []string{"c cannot be together with itself"}},
		{"one label twice", &Set{Labels: []Label{{0, 1, 1}, {0, 1, 1}}}, nil, nil},
		{"two labels", &Set{Labels: []Label{{0, 1, 1}, {0, 2, 1}, {0, 0, 1}}, Names: []string{"x", "y", "z"}},
			[]int{2, 2}, []string{"a is both y and z", "a is both y and x"}},
		{"soft seed", &Set{Labels: []Label{{0, 1, 1}, {0, 2, 0.5}, {1, 1, 1}, {2, 2, 1}}}, nil, nil},
		{"labels joined", &Set{Must: []Pair{{3, 1, 1}, {1, 0, 1}}, Labels: []Label{{3, 0, 0.2}, {0, 1, 1}}, Names: []string{"x", "y"}},
			[]int{4}, []string{"a is y and d is x, yet a = b = d"}},
		{"same class", &Set{Must: []Pair{{0, 1, 1}, {3, 4, 1}}, Labels: []Label{{1, 0, 1}, {3, 0, 1}}, Cannot: []Pair{{4, 0, 1}}},
			[]int{5}, []string{"a and e cannot be together, yet a = b, b and d are both class 0, d = e"}},
		{"labels are two constraints", &Set{Must: []Pair{{0, 1, 1}}, Labels: []Label{{0, 0, 1}, {1, 0, 1}}, Cannot: []Pair{{0, 1, 1}}},
			[]int{2}, []string{"a and b cannot be together, yet a = b"}},
		{"three classes joined take two chains", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}, Labels: []Label{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}},
			[]int{3, 3}, []string{"a is class 0 and b is class 1, yet a = b", "a is class 0 and c is class 2, yet a = c"}},
		{"shortest first", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 1}, {3, 4, 1}}, Cannot: []Pair{{0, 2, 1}, {3, 4, 1}}},
			[]int{2, 3}, []string{"d and e cannot be together, yet d = e", "a and c cannot be together, yet a = b = c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Conflicts(5, tt.s, -1)
			if !slices.Equal(sizes(got), tt.sizes) {
				t.Fatalf("sizes %v, want %v", sizes(got), tt.sizes)
			}
			for at, c := range got {
				checkConflict(t, 5, tt.s, c)
				if text := c.Describe(letter); text != tt.text[at] {
					t.Errorf("got %q, want %q", text, tt.text[at])
				}
			}
			_, err := Close(5, tt.s)
			if len(got) == 0 && err != nil || len(got) > 0 && !reflect.DeepEqual(err, error(got[0])) {
				t.Errorf("Close says %v", err)
			}
		})
	}
}

func letter(i int) string { return string(rune('a' + i)) }

func TestConflictLimit(t *testing.T) {
	s := &Set{Cannot: []Pair{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}}
	for limit, want := range map[int]int{-1: 3, 0: 0, 1: 1, 2: 2, 3: 3, 9: 3} {
		if got := len(Conflicts(3, s, limit)); got != want {
			t.Errorf("limit %d: %d conflicts, want %d", limit, got, want)
		}
	}
	if Conflicts(2, s, 5) != nil {
		t.Error("a Set that fails Check has conflicts")
	}
}

func TestConflictLongChain(t *testing.T) {
	n := 1000
	s := &Set{Cannot: []Pair{{0, n - 1, 1}}}
	for i := 1; i < n; i++ {
		s.Must = append(s.Must, Pair{i - 1, i, 1})
	}
	c := Conflicts(n, s, 1)[0]
	if len(c.Chain) != n-1 || c.constraintCount() != n {
		t.Fatalf("%d steps, %d constraints", len(c.Chain), c.constraintCount())
	}
	text := c.Error()
	if !strings.HasPrefix(text, "0 and 999 cannot be together, yet 0 = 1 = 2") ||
		!strings.Contains(text, "= 20, … 959 more …, 979 = ") || !strings.HasSuffix(text, "= 998 = 999") {
		t.Error(text)
	}
}

// TestConflictsBrute compares every conflict and its length with Floyd and
// Warshall's distances.
func TestConflictsBrute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		s := drawSet(t, n)
		compareAll(t, n, s)
	})
}

// TestConflictsMany is the same for many small graphs, where chains tie and
// points clash.
func TestConflictsMany(t *testing.T) {
	count := uint64(600)
	if testing.Short() {
		count = 60
	}
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 11))
		n := 8 + rng.IntN(6)
		s := &Set{}
		for range n + rng.IntN(n) {
			s.Must = append(s.Must, Pair{rng.IntN(n), rng.IntN(n), 1})
		}
		for range rng.IntN(2 * n) {
			s.Cannot = append(s.Cannot, Pair{rng.IntN(n), rng.IntN(n), 1})
		}
		for range rng.IntN(n) {
			s.Labels = append(s.Labels, Label{rng.IntN(n), rng.IntN(4), 1})
		}
		compareAll(t, n, s)
	}
}

type fataler interface{ Fatalf(string, ...any) }

func compareAll(t fataler, n int, s *Set) {
	all := Conflicts(n, s, -1)
	for _, c := range all {
		checkConflict(t, n, s, c)
	}
	if (len(all) > 0) != contradicts(n, s) {
		t.Fatalf("%d conflicts, contradicts is %v", len(all), contradicts(n, s))
	}
	compareCannot(t, n, s, all)
	compareClasses(t, n, s, all)
	for limit := 1; limit <= len(all); limit++ {
		part := Conflicts(n, s, limit)
		if len(part) != limit {
			t.Fatalf("limit %d gives %d", limit, len(part))
		}
		for at := range part {
			if part[at].Kind != all[at].Kind || part[at].A != all[at].A || part[at].B != all[at].B || part[at].constraintCount() != all[at].constraintCount() {
				t.Fatalf("limit %d, conflict %d: %v, want %v", limit, at, part[at], all[at])
			}
		}
	}
}

func compareCannot(t fataler, n int, s *Set, all []*ConflictError) {
	d := distances(n, s, true)
	want := map[[2]int]int{}
	for _, p := range s.Cannot {
		if d[p.I][p.J] < far {
			want[[2]int{min(p.I, p.J), max(p.I, p.J)}] = 1 + d[p.I][p.J]
		}
	}
	got := map[[2]int]int{}
	for _, c := range all {
		if c.Pair >= 0 {
			if _, twice := got[[2]int{c.A, c.B}]; twice {
				t.Fatalf("%d, %d reported twice", c.A, c.B)
			}
			got[[2]int{c.A, c.B}] = c.constraintCount()
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("cannot-links %v, want %v", got, want)
	}
}

// compareClasses expects the lengths of a minimum spanning tree over the
// classes of each set of must-linked points, and every chain shortest.
func compareClasses(t fataler, n int, s *Set, all []*ConflictError) {
	d := distances(n, s, false)
	hard := hardClasses(n, s)
	between := func(root, x, y int) int {
		best := far
		for i := range n {
			for j := range n {
				if d[root][i] < far && slices.Contains(hard[i], x) && slices.Contains(hard[j], y) {
					best = min(best, d[i][j])
				}
			}
		}
		return best
	}
	var want []int
	for root := range n {
		if lowest := slices.IndexFunc(d[root][:n], func(x int) bool { return x < far }); lowest < root {
			continue
		}
		want = append(want, spanning(4, func(x, y int) int { return between(root, x, y) })...)
	}
	var got []int
	for _, c := range all {
		if c.Kind == LabelsJoined {
			got = append(got, len(c.Chain))
			if b := between(c.A, c.Ends[0].Class, c.Ends[1].Class); b != len(c.Chain) {
				t.Fatalf("%v has %d steps, want %d", c, len(c.Chain), b)
			}
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("classes joined by %v must-links, want %v", got, want)
	}
}

// spanning returns the lengths above 0 in a minimum spanning unionFind.
func spanning(size int, length func(x, y int) int) []int {
	f := newUnionFind(size)
	var out []int
	for l := range far / 2 {
		if l > 64 {
			break
		}
		for x := range size {
			for y := range x {
				if length(x, y) == l && f.union(int32(x), int32(y)) && l > 0 {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

func TestConflictsPairOrderIrrelevant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		s := drawSet(t, n)
		turned := s.clone()
		for _, list := range [][]Pair{turned.Must, turned.Cannot} {
			for at := range list {
				list[at].I, list[at].J = list[at].J, list[at].I
			}
		}
		if a, b := Conflicts(n, s, -1), Conflicts(n, turned, -1); !reflect.DeepEqual(a, b) {
			t.Fatalf("%v, turned %v", a, b)
		}
	})
}

// TestConflictsCycles runs a graph with cycles large enough for heavy paths and searches
// from both ends, and checks lengths by plain breadth-first search.
func TestConflictsCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 3000
	s := &Set{}
	for range 4500 {
		s.Must = append(s.Must, Pair{rng.IntN(n), rng.IntN(n), 1})
	}
	for range 200 {
		s.Cannot = append(s.Cannot, Pair{rng.IntN(n), rng.IntN(n), 1})
		s.Labels = append(s.Labels, Label{rng.IntN(n), 0, 1})
	}
	g := newLinkGraph(n, s, readLabels(n, s.Labels))
	all := Conflicts(n, s, -1)
	if len(all) < 100 {
		t.Fatalf("%d conflicts, the test wants more", len(all))
	}
	for at, c := range all {
		if testing.Short() && at%10 > 0 {
			continue // it walks through all constraints, for each
		}
		checkConflict(t, n, s, c)
		if want := 1 + bfs(g, int32(c.A))[c.B]; c.constraintCount() != want {
			t.Errorf("%v takes %d constraints, want %d", c, c.constraintCount(), want)
		}
	}
	if ten := Conflicts(n, s, 10); !reflect.DeepEqual(sizes(ten), sizes(all[:10])) {
		t.Errorf("first ten take %v, want %v", sizes(ten), sizes(all[:10]))
	}
}

// TestRefineBudget stops at once and expects upper bounds, but exact chains
// for what is reported.
func TestRefineBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 400
	s := &Set{}
	for range 700 {
		s.Must = append(s.Must, Pair{rng.IntN(n), rng.IntN(n), 1})
		s.Cannot = append(s.Cannot, Pair{rng.IntN(n), rng.IntN(n), 1})
	}
	g := newLinkGraph(n, s, readLabels(n, s.Labels))
	tr, find := newBFSForest(g), newPathSearch(g)
	list := findJoinedCannots(tr, s.Cannot)
	refineLengths(list, tr, find, 5, 0)
	open := 0
	for _, q := range list {
		want := bfs(g, q.a)[q.b]
		if int(q.length) < want || q.exact && int(q.length) != want {
			t.Errorf("%+v, shortest is %d", q, want)
		}
		if !q.exact {
			open++
		}
		if got := len(q.shortestHops(tr, find)); got != want {
			t.Errorf("%+v takes %d, want %d", q, got, want)
		}
	}
	if open == 0 {
		t.Error("everything is exact: the budget did not stop it")
	}
}

func bfs(g *linkGraph, from int32) []int {
	d := make([]int, g.nodes())
	for v := range d {
		d[v] = far
	}
	d[from] = 0
	queue := []int32{from}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for p := g.off[u]; p < g.off[u+1]; p++ {
			if v := g.to[p]; d[v] == far {
				d[v] = d[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return d
}
