package constraint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// strongestPath tries all simple paths of must-links from i to j and returns the
// largest of their least weights: +Inf for i itself, 0 where there is no path.
func strongestPath(must []Pair, i, j int, visited []bool) (most float64) {
	if i == j {
		return math.Inf(1)
	}
	visited[i] = true
	for _, p := range must {
		for _, e := range [2][2]int{{p.I, p.J}, {p.J, p.I}} {
			if e[0] == i && !visited[e[1]] {
				most = max(most, min(p.W, strongestPath(must, e[1], j, visited)))
			}
		}
	}
	visited[i] = false
	return most
}

// An entailed pair is as strong as the weakest link of its strongest chain: all chains
// of small graphs are tried.
func TestStrengthsAreThoseOfTheStrongestChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	const n = 7
	entailed := [2]int{}
	for range 2000 {
		s := &Set{}
		draw := func() Pair {
			w := float64(1 + rng.IntN(4))
			if rng.IntN(2) == 0 {
				w = rng.ExpFloat64() + 1e-3
			}
			return Pair{rng.IntN(n), rng.IntN(n), w}
		}
		for range rng.IntN(9) {
			s.Must = append(s.Must, draw())
		}
		for range rng.IntN(6) {
			s.Cannot = append(s.Cannot, draw())
		}
		closed, err := Close(n, s)
		if err != nil {
			continue
		}
		got := NewStrengths(n, s, closed)
		for i := range n {
			for j := range n {
				if i == j {
					continue
				}
				must := strongestPath(s.Must, i, j, make([]bool, n))
				cannot := 0.0
				for _, p := range s.Cannot {
					for _, e := range [2][2]int{{p.I, p.J}, {p.J, p.I}} {
						cannot = max(cannot, min(strongestPath(s.Must, i, e[0], make([]bool, n)), p.W, strongestPath(s.Must, e[1], j, make([]bool, n))))
					}
				}
				if got.Must(i, j) != must || got.Cannot(i, j) != cannot {
					t.Fatalf("%v, %d and %d: must %v and cannot %v, by all chains %v and %v", s, i, j, got.Must(i, j), got.Cannot(i, j), must, cannot)
				}
				if must > 0 {
					entailed[0]++
				}
				if cannot > 0 {
					entailed[1]++
				}
			}
		}
	}
	if min(entailed[0], entailed[1]) < 1000 {
		t.Errorf("only %v pairs were entailed", entailed)
	}
}

// The strongest of several chains counts, and in it the weakest link.
func TestStrengthsByHand(t *testing.T) {
	s := &Set{Must: []Pair{{0, 1, 5}, {1, 2, 3}, {0, 3, 1}, {3, 2, 9}}, Cannot: []Pair{{2, 4, 4}, {3, 4, 2}}}
	closed, err := Close(6, s)
	if err != nil {
		t.Fatal(err)
	}
	got := NewStrengths(6, s, closed)
	for _, c := range []struct {
		i, j         int
		must, cannot float64
	}{{0, 2, 3, 0}, {0, 3, 3, 0}, {1, 3, 3, 0}, {0, 4, 0, 3}, {3, 4, 0, 4}, {4, 2, 0, 4}, {0, 5, 0, 0}, {4, 5, 0, 0}} {
		if m, n := got.Must(c.i, c.j), got.Cannot(c.i, c.j); m != c.must || n != c.cannot {
			t.Errorf("%d and %d: must %v, cannot %v; want %v, %v", c.i, c.j, m, n, c.must, c.cannot)
		}
	}
}

func TestLevelsAreWeightsEvenlySpaced(t *testing.T) {
	s := &Set{Must: []Pair{{0, 1, 3}, {1, 2, 1}, {2, 3, 3}}, Cannot: []Pair{{0, 4, 2}, {0, 5, 7}}}
	for most, want := range map[int][]float64{2: {1, 3}, 4: {1, 2, 3, 7}, 9: {1, 2, 3, 7}} {
		if got := Levels(s, most); !slices.Equal(got, want) {
			t.Errorf("at most %d: %v, want %v", most, got, want)
		}
	}
}
