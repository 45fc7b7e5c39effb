package constraint

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const far = 1 << 20

// drawSet draws a small Set about n points, n > 0, rich in ties and faults of
// logic but valid for Check.
func drawSet(t *rapid.T, n int) *Set {
	point := rapid.IntRange(0, n-1)
	pair := rapid.Custom(func(t *rapid.T) Pair {
		return Pair{point.Draw(t, "i"), point.Draw(t, "j"), 1}
	})
	label := rapid.Custom(func(t *rapid.T) Label {
		return Label{point.Draw(t, "i"), rapid.IntRange(0, 3).Draw(t, "class"), rapid.SampledFrom([]float64{1, 1, 1, 0.5}).Draw(t, "w")}
	})
	return &Set{
		Must:   rapid.SliceOfN(pair, 0, n).Draw(t, "must"),
		Cannot: rapid.SliceOfN(pair, 0, n).Draw(t, "cannot"),
		Labels: rapid.SliceOfN(label, 0, n/2).Draw(t, "labels"),
	}
}

// drawConsistent draws a Set about n points that agrees with some truth.
func drawConsistent(t *rapid.T, n int) *Set {
	truth := rapid.SliceOfN(rapid.IntRange(0, 4), n, n).Draw(t, "truth")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	s := RandomPairs(truth, rapid.IntRange(0, 2*n).Draw(t, "pairs"), rng)
	for i, c := range truth {
		if rng.IntN(5) == 0 && c < 3 {
			s.Labels = append(s.Labels, Label{i, c, 1})
		}
	}
	return s
}

// agreeing returns s without the labels and cannot-links that contradict what
// stands before them.
func agreeing(n int, s *Set) *Set {
	out := &Set{Must: s.Must}
	for _, l := range s.Labels {
		if _, err := Close(n, &Set{Must: out.Must, Labels: append(slices.Clip(out.Labels), l)}); err == nil {
			out.Labels = append(out.Labels, l)
		}
	}
	for _, p := range s.Cannot {
		if _, err := Close(n, &Set{Must: out.Must, Labels: out.Labels, Cannot: append(slices.Clip(out.Cannot), p)}); err == nil {
			out.Cannot = append(out.Cannot, p)
		}
	}
	return out
}

// hardClasses reads the rule of Label naively.
func hardClasses(n int, s *Set) [][]int {
	out := make([][]int, n)
	for i := range out {
		ordinary := true
		for _, l := range s.Labels {
			if l.I == i {
				ordinary = ordinary && l.W == 1
				if !slices.Contains(out[i], l.Class) {
					out[i] = append(out[i], l.Class)
				}
			}
		}
		if len(out[i]) > 1 && !ordinary {
			out[i] = nil
		}
	}
	return out
}

// distances is Floyd and Warshall's algorithm on must-links, and on labels
// too, each one edge between a point and a node for the class, if asked.
func distances(n int, s *Set, labels bool) [][]int {
	size := n + 8
	d := make([][]int, size)
	for i := range d {
		d[i] = make([]int, size)
		for j := range d[i] {
			if i != j {
				d[i][j] = far
			}
		}
	}
	edge := func(a, b int) {
		if a != b {
			d[a][b], d[b][a] = 1, 1
		}
	}
	for _, p := range s.Must {
		edge(p.I, p.J)
	}
	if labels {
		for i, classes := range hardClasses(n, s) {
			for _, c := range classes {
				edge(i, n+c)
			}
		}
	}
	for m := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][m]+d[m][j])
			}
		}
	}
	return d
}

// contradicts says whether s contradicts itself, by definition.
func contradicts(n int, s *Set) bool {
	d := distances(n, s, true)
	for _, p := range s.Cannot {
		if d[p.I][p.J] < far {
			return true
		}
	}
	for x := range 8 {
		for y := range x {
			if d[n+x][n+y] < far {
				return true
			}
		}
	}
	return false
}

// separated returns the matrix of components apart, by cannot-links and by
// classes.
func separated(c *Closure, s *Set) [][]bool {
	m := make([][]bool, c.Components())
	for a := range m {
		m[a] = make([]bool, len(m))
		for b := range m {
			m[a][b] = a != b && c.Class(a) >= 0 && c.Class(b) >= 0
		}
	}
	for _, p := range s.Cannot {
		a, b := c.Component(p.I), c.Component(p.J)
		m[a][b], m[b][a] = true, true
	}
	return m
}

// colourable tries every colouring, vertex by vertex.
func colourable(apart [][]bool, k int) bool {
	colour := make([]int, 0, len(apart))
	var try func() bool
	try = func() bool {
		v := len(colour)
		if v == len(apart) {
			return true
		}
	next:
		for h := range k {
			for u, g := range colour {
				if g == h && apart[u][v] {
					continue next
				}
			}
			colour = append(colour, h)
			if try() {
				return true
			}
			colour = colour[:v]
		}
		return false
	}
	return try()
}

// checkConflict fails unless every constraint of c is given and it proves what it
// says.
func checkConflict(t fataler, n int, s *Set, c *ConflictError) {
	hard := hardClasses(n, s)
	at := c.A
	for _, st := range c.Chain {
		if st.From != at {
			t.Fatalf("step from %d, want %d in %v", st.From, at, c.Chain)
		}
		if st.Must >= 0 {
			p := s.Must[st.Must]
			if !(p.I == st.From && p.J == st.To || p.J == st.From && p.I == st.To) || st.Class != -1 || st.Labels != [2]int{-1, -1} {
				t.Fatalf("step %+v is not must-link %+v", st, p)
			}
		} else {
			for e, i := range []int{st.From, st.To} {
				l := s.Labels[st.Labels[e]]
				if l.I != i || l.Class != st.Class || !slices.Contains(hard[i], st.Class) {
					t.Fatalf("step %+v is not by label %+v", st, l)
				}
			}
		}
		at = st.To
	}
	if at != c.B || c.A > c.B {
		t.Fatalf("chain ends at %d, conflict is %d, %d", at, c.A, c.B)
	}
	if c.Pair >= 0 {
		p := s.Cannot[c.Pair]
		if min(p.I, p.J) != c.A || max(p.I, p.J) != c.B {
			t.Fatalf("conflict %d, %d is not cannot-link %+v", c.A, c.B, p)
		}
		return
	}
	for e, i := range []int{c.A, c.B} {
		l := s.Labels[c.Ends[e].Label]
		if l.I != i || l.Class != c.Ends[e].Class || !slices.Contains(hard[i], l.Class) {
			t.Fatalf("end %+v is not label %+v of %d", c.Ends[e], l, i)
		}
	}
	if c.Ends[0].Class == c.Ends[1].Class {
		t.Fatalf("both ends have class %d", c.Ends[0].Class)
	}
}

func mustClose(t testing.TB, n int, s *Set) *Closure {
	t.Helper()
	c, err := Close(n, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
