package constraint

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCloseByHand(t *testing.T) {
	s := &Set{
		Must:    []Pair{{4, 1, 1}, {6, 5, 1}, {7, 7, 1}},
		Cannot:  []Pair{{1, 5, 1}, {6, 4, 2}, {0, 1, 1}},
		Beliefs: []Pair{{0, 2, 1}},
		Labels:  []Label{{2, 7, 1}, {4, 7, 0.3}, {3, 2, 1}, {0, 1, 0.5}, {0, 2, 0.5}},
	}
	c := mustClose(t, 8, s)
	// {0} {1 2 4} {3} {5 6} {7}: 1 and 4 by a must-link, 2 and 4 by class 7;
	// point 0 is a soft seed and stays alone.
	if len(c.component) != 8 || c.Components() != 5 {
		t.Fatalf("%d points in %d components", len(c.component), c.Components())
	}
	want := [][]int32{{0}, {1, 2, 4}, {3}, {5, 6}, {7}}
	for q, members := range want {
		if !slices.Equal(c.Members(q), members) || c.Size(q) != len(members) {
			t.Errorf("component %d is %v, want %v", q, c.Members(q), members)
		}
	}
	classes := []int{-1, 7, 2, -1, -1}
	apart := [][]int32{{1}, {0, 3}, {}, {1}, {}}
	for q := range classes {
		if c.Class(q) != classes[q] || !slices.Equal(c.CannotLinked(q), apart[q]) {
			t.Errorf("component %d: class %d, apart %v, want %d, %v", q, c.Class(q), c.CannotLinked(q), classes[q], apart[q])
		}
	}
	if !slices.Equal(c.Labelled(), []int32{2, 1}) {
		t.Errorf("classed %v", c.Labelled())
	}
	if !c.MustTogether(1, 2) || c.MustTogether(0, 2) || !c.MustApart(2, 6) || !c.MustApart(3, 4) || c.MustApart(3, 5) || c.MustApart(1, 2) {
		t.Error("relations of points are wrong")
	}
	if c.Largest() != 1 {
		t.Errorf("largest %d", c.Largest())
	}
}

func TestCloseNothing(t *testing.T) {
	for _, s := range []*Set{nil, {}} {
		c := mustClose(t, 0, s)
		if c.Components() != 0 || c.Largest() != -1 || len(c.component) != 0 {
			t.Errorf("no points: %d components, largest %d", c.Components(), c.Largest())
		}
		c = mustClose(t, 3, s)
		if c.Components() != 3 || c.Largest() != 0 || c.Class(2) != -1 || len(c.CannotLinked(1)) != 0 {
			t.Errorf("three points: %d components", c.Components())
		}
		if !s.Empty() || s.Classes() != 0 || s.Check(0) != nil || Conflicts(3, s, -1) != nil || Lint(3, s) != nil {
			t.Error("a Set that knows nothing says something")
		}
	}
}

func TestHelpers(t *testing.T) {
	if (&Set{Beliefs: []Pair{{0, 1, 0}}}).Empty() || (&Set{Labels: []Label{{0, 0, 1}}}).Empty() {
		t.Error("a Set with entries is empty")
	}
	s := &Set{Labels: []Label{{0, 4, 1}, {1, 2, 1}}, Names: []string{"a", "b", "", "d", "e"}}
	if s.Classes() != 5 || s.Name(4) != "e" || s.Name(2) != "class 2" || s.Name(9) != "class 9" || (*Set)(nil).Name(1) != "class 1" {
		t.Errorf("classes %d, names %q %q", s.Classes(), s.Name(4), s.Name(2))
	}
}

func TestCheck(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name string
		n    int
		s    *Set
		want string
	}{
		{"nil", 3, nil, ""},
		{"good", 3, &Set{Must: []Pair{{0, 2, 1}}, Beliefs: []Pair{{0, 1, -1}, {1, 2, 0}}, Labels: []Label{{0, 1, 0.5}}, Names: []string{"a", "b"}}, ""},
		{"negative n", -1, nil, "the number of points must be from 0 to 2147483646, got -1"},
		{"point", 3, &Set{Must: []Pair{{0, 1, 1}, {3, 1, 1}}}, "must 1: point 3 does not exist; points are 0 to 2"},
		{"negative point", 3, &Set{Cannot: []Pair{{1, -1, 1}}}, "cannot 0: point -1 does not exist; points are 0 to 2"},
		{"no points", 0, &Set{Labels: []Label{{0, 0, 1}}}, "labels 0: point 0 does not exist, there are no points"},
		{"zero weight", 3, &Set{Must: []Pair{{2, 1, 0}}}, "must 0: the weight of point 1 and point 2 must be above 0 and at most 1e+100, got 0; the usual weight is 1"},
		{"infinite weight", 3, &Set{Cannot: []Pair{{2, 1, math.Inf(1)}}}, "cannot 0: the weight of point 1 and point 2 must be above 0 and at most 1e+100, got +Inf"},
		{"label weight", 3, &Set{Labels: []Label{{2, 0, nan}}, Names: []string{"x"}}, "labels 0: the weight of point 2 as x must be above 0 and at most 1e+100, got NaN"},
		{"belief", 3, &Set{Beliefs: []Pair{{2, 1, 1.5}}}, "beliefs 0: the belief about point 1 and point 2 must be from -1 to 1, got 1.5"},
		{"belief NaN", 3, &Set{Beliefs: []Pair{{2, 1, nan}}}, "beliefs 0: the belief about point 1 and point 2 must be from -1 to 1, got NaN"},
		{"class", 3, &Set{Labels: []Label{{2, -1, 1}}}, "labels 0: the class must be from 0 to 2147483646, got -1"},
		{"names", 3, &Set{Labels: []Label{{2, 1, 1}}, Names: []string{"x"}}, "labels 0: class 1 has no name, there are 1 names"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.s.Check(tt.n)
			if got := errString(err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, got := Close(tt.n, tt.s); errString(got) != tt.want {
				t.Errorf("Close says %v", got)
			}
		})
	}
}

func errString(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCloseBrute compares with the closure by Floyd and Warshall.
func TestCloseBrute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		s := drawSet(t, n)
		if rapid.Bool().Draw(t, "consistent") {
			s = drawConsistent(t, n)
		}
		c, err := Close(n, s)
		var conflict *ConflictError
		if bad := contradicts(n, s); bad != errors.As(err, &conflict) {
			t.Fatalf("contradicts is %v, Close says %v", bad, err)
		}
		if err != nil {
			return
		}
		d := distances(n, s, true)
		apart := separated(c, s)
		for i := range n {
			for j := range n {
				if c.MustTogether(i, j) != (d[i][j] < far) {
					t.Fatalf("%d and %d together: %v", i, j, c.MustTogether(i, j))
				}
				if c.MustApart(i, j) != apart[c.Component(i)][c.Component(j)] {
					t.Fatalf("%d and %d apart: %v", i, j, c.MustApart(i, j))
				}
			}
		}
		checkNumbering(t, c)
	})
}

// checkNumbering fails unless components are numbered by their lowest points
// and the lists agree with each other.
func checkNumbering(t fataler, c *Closure) {
	last, total := int32(-1), 0
	for q := range c.Components() {
		m := c.Members(q)
		if len(m) == 0 || m[0] <= last || !slices.IsSorted(m) {
			t.Fatalf("component %d is %v, the one before starts at %d", q, m, last)
		}
		last, total = m[0], total+len(m)
		for _, i := range m {
			if c.Component(int(i)) != q {
				t.Fatalf("point %d of component %d says %d", i, q, c.Component(int(i)))
			}
		}
		for _, r := range c.CannotLinked(q) {
			if _, ok := slices.BinarySearch(c.CannotLinked(int(r)), int32(q)); !ok || int(r) == q {
				t.Fatalf("components %d and %d disagree on being apart", q, r)
			}
		}
	}
	if total != len(c.component) {
		t.Fatalf("%d of %d points in components", total, len(c.component))
	}
}

// shuffled returns s with lists shuffled and pairs turned round at random.
func shuffled(s *Set, rng *rand.Rand) *Set {
	out := s.clone()
	for _, list := range [][]Pair{out.Must, out.Cannot} {
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		for at := range list {
			if rng.IntN(2) == 0 {
				list[at].I, list[at].J = list[at].J, list[at].I
			}
		}
	}
	rng.Shuffle(len(out.Labels), func(a, b int) { out.Labels[a], out.Labels[b] = out.Labels[b], out.Labels[a] })
	return out
}

// permuted returns s with point i called perm[i].
func permuted(s *Set, perm []int) *Set {
	out := s.clone()
	for _, list := range [][]Pair{out.Must, out.Cannot} {
		for at := range list {
			list[at].I, list[at].J = perm[list[at].I], perm[list[at].J]
		}
	}
	for at := range out.Labels {
		out.Labels[at].I = perm[out.Labels[at].I]
	}
	return out
}

func TestCloseOrderIrrelevant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		s := drawConsistent(t, n)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "shuffle"), 2))
		a, err := Close(n, s)
		b, err2 := Close(n, shuffled(s, rng))
		if err != nil || err2 != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%v %v: %+v, shuffled %+v", err, err2, a, b)
		}
	})
}

func TestClosePermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		s := drawSet(t, n)
		if rapid.Bool().Draw(t, "consistent") {
			s = drawConsistent(t, n)
		}
		perm := rapid.Permutation(identity(n)).Draw(t, "perm")
		a, err := Close(n, s)
		b, err2 := Close(n, permuted(s, perm))
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v, permuted %v", err, err2)
		}
		if err != nil {
			if x, y := sizes(Conflicts(n, s, -1)), sizes(Conflicts(n, permuted(s, perm), -1)); !slices.Equal(x, y) {
				t.Fatalf("sizes of conflicts %v, permuted %v", x, y)
			}
			return
		}
		for i := range n {
			if a.Class(a.Component(i)) != b.Class(b.Component(perm[i])) {
				t.Fatalf("class of %d changed", i)
			}
			for j := range n {
				if a.MustTogether(i, j) != b.MustTogether(perm[i], perm[j]) || a.MustApart(i, j) != b.MustApart(perm[i], perm[j]) {
					t.Fatalf("relation of %d and %d changed", i, j)
				}
			}
		}
		for k := range 5 {
			if x, y := a.Feasible(k).Answer, b.Feasible(k).Answer; x != y {
				t.Fatalf("k = %d: %v, permuted %v", k, x, y)
			}
		}
	})
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func sizes(list []*ConflictError) []int {
	out := make([]int, len(list))
	for at, c := range list {
		out[at] = c.constraintCount()
	}
	return out
}

// TestCloseIdempotent closes what a closure says and expects it again.
func TestCloseIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		a, err := Close(n, drawConsistent(t, n))
		if err != nil {
			t.Fatal(err)
		}
		again := &Set{}
		for q := range a.Components() {
			m := a.Members(q)
			for _, i := range m {
				again.Must = append(again.Must, Pair{int(m[0]), int(i), 1})
				if a.Class(q) >= 0 {
					again.Labels = append(again.Labels, Label{int(i), a.Class(q), 1})
				}
			}
			for _, r := range a.CannotLinked(q) {
				again.Cannot = append(again.Cannot, Pair{int(m[len(m)-1]), int(a.Members(int(r))[0]), 1})
			}
		}
		b, err := Close(n, again)
		if err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%v: %+v became %+v", err, a, b)
		}
	})
}
