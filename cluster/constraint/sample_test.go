package constraint

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// checkPairs fails unless the pairs are distinct, of known points, and linked by the truth.
func checkPairs(t fataler, s *Set, truth []int) map[[2]int]bool {
	seen := map[[2]int]bool{}
	for _, list := range []pairList{{ListMust, s.Must}, {ListCannot, s.Cannot}} {
		for _, p := range list.pairs {
			key := [2]int{p.I, p.J}
			if p.I >= p.J || seen[key] || p.W != 1 || truth[p.I] < 0 || truth[p.J] < 0 {
				t.Fatalf("%s: bad pair %+v", list.name, p)
			}
			if (truth[p.I] == truth[p.J]) != (list.name == ListMust) {
				t.Fatalf("%s: %+v of classes %d and %d", list.name, p, truth[p.I], truth[p.J])
			}
			seen[key] = true
		}
	}
	return seen
}

func drawTruth(t *rapid.T, n int, name string) []int {
	return rapid.SliceOfN(rapid.IntRange(-1, 3), n, n).Draw(t, name)
}

func TestRandomPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := drawTruth(t, rapid.IntRange(0, 12).Draw(t, "n"), "truth")
		known := 0
		for _, c := range truth {
			if c >= 0 {
				known++
			}
		}
		m := rapid.IntRange(-1, 80).Draw(t, "m")
		seed := rapid.Uint64().Draw(t, "seed")
		s := RandomPairs(truth, m, newRand(seed))
		if got, want := len(checkPairs(t, s, truth)), max(0, min(m, known*(known-1)/2)); got != want {
			t.Fatalf("%d pairs, want %d", got, want)
		}
		if !reflect.DeepEqual(s, RandomPairs(truth, m, newRand(seed))) {
			t.Fatalf("one seed, two answers")
		}
	})
}

// TestRandomPairsUniform counts how often each of 10 pairs is among 3: 30 %.
func TestRandomPairsUniform(t *testing.T) {
	rng := newRand(5)
	count := map[[2]int]int{}
	const runs = 20000
	for range runs {
		s := RandomPairs([]int{0, 0, -1, 1, 1, 0}, 3, rng)
		for _, p := range append(s.Must, s.Cannot...) {
			count[[2]int{p.I, p.J}]++
		}
	}
	if len(count) != 10 {
		t.Fatalf("%d different pairs, want 10", len(count))
	}
	for key, c := range count {
		if sd := math.Sqrt(runs * 0.3 * 0.7); math.Abs(float64(c)-0.3*runs) > 5*sd {
			t.Errorf("pair %v drawn %d times of %d", key, c, runs)
		}
	}
}

func TestUnrankPair(t *testing.T) {
	r := int64(0)
	for b := range int64(60) {
		for a := range b {
			if x, y := unrankPair(r); x != a || y != b {
				t.Fatalf("%d is %d, %d, want %d, %d", r, x, y, a, b)
			}
			r++
		}
	}
	for _, b := range []int64{1e6, 94906266, 1 << 31} { // beyond exact squares in float64
		for _, a := range []int64{0, 1, b - 1} {
			if x, y := unrankPair(b*(b-1)/2 + a); x != a || y != b {
				t.Errorf("got %d, %d, want %d, %d", x, y, a, b)
			}
		}
	}
}

func TestLabelFraction(t *testing.T) {
	truth := make([]int, 0, 120)
	for i := range 120 {
		switch {
		case i%10 == 9:
			truth = append(truth, -1)
		case i == 50:
			truth = append(truth, 2)
		default:
			truth = append(truth, i%2)
		}
	}
	sizes := map[int]int{}
	for _, c := range truth {
		sizes[c]++
	}
	for _, fraction := range []float64{0, 0.001, 0.1, 0.5, 1} {
		s, err := LabelFraction(truth, fraction, newRand(3))
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]int{}
		for at, l := range s.Labels {
			if l.Class != truth[l.I] || l.W != 1 || at > 0 && s.Labels[at-1].I >= l.I {
				t.Fatalf("bad label %+v", l)
			}
			got[l.Class]++
		}
		for c, size := range sizes {
			want := int(math.Round(fraction * float64(size)))
			if fraction > 0 {
				want = max(want, 1)
			}
			if c < 0 {
				want = 0
			}
			if got[c] != want {
				t.Errorf("fraction %v: %d labels of class %d, want %d", fraction, got[c], c, want)
			}
		}
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := LabelFraction(truth, bad, newRand(1)); err == nil {
			t.Errorf("fraction %v passes", bad)
		}
	}
}

func TestIncomplete(t *testing.T) {
	s := &Set{Must: []Pair{{0, 1, 1}}, Labels: []Label{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}, Names: []string{"x", "y", "z"}}
	got := Incomplete(s, []int{2, 0})
	want := &Set{Must: s.Must, Labels: []Label{{0, 0, 1}, {2, 2, 1}}, Names: s.Names}
	if !reflect.DeepEqual(got, want) || len(s.Labels) != 3 {
		t.Errorf("got %+v from %+v", got, s)
	}
	if !Incomplete(nil, nil).Empty() {
		t.Error("nil is not empty")
	}
}

func TestFlipLabels(t *testing.T) {
	s := &Set{}
	for i := range 1000 {
		s.Labels = append(s.Labels, Label{i, i % 3, 1})
	}
	s.Labels = append(s.Labels, Label{1000, 0, 0.5}, Label{1000, 1, 0.5}, Label{7, 1, 1})
	before := s.clone()
	for _, fraction := range []float64{0, 0.3, 1} {
		got, err := FlipLabels(s, fraction, 4, newRand(1))
		if err != nil || !reflect.DeepEqual(s, before) {
			t.Fatalf("%v, or the input changed", err)
		}
		changed, to := 0, map[int]int{}
		for at := range 1000 {
			if got.Labels[at].Class != s.Labels[at].Class {
				changed++
				to[got.Labels[at].Class]++
			}
		}
		if want := share(fraction, 1000); changed != want {
			t.Errorf("fraction %v: %d changed, want %d", fraction, changed, want)
		}
		if !reflect.DeepEqual(got.Labels[1000:1002], s.Labels[1000:1002]) || got.Labels[1002].Class != got.Labels[7].Class {
			t.Errorf("fraction %v: soft seed or repeated label is wrong: %v", fraction, got.Labels[1000:])
		}
		if fraction == 1 && (to[3] < 270 || to[3] > 400) { // a third of 1000, 4 sd
			t.Errorf("%v: not uniform over the other classes", to)
		}
	}
	for _, bad := range []struct {
		s        *Set
		fraction float64
		k        int
	}{{s, 0.1, 2}, {s, 2, 4}, {&Set{Labels: []Label{{0, 0, 1}}}, 1, 1}, {&Set{Labels: []Label{{0, -1, 1}}}, 1, 3}} {
		if _, err := FlipLabels(bad.s, bad.fraction, bad.k, newRand(1)); err == nil {
			t.Errorf("fraction %v, k = %d pass", bad.fraction, bad.k)
		}
	}
	if got, err := FlipLabels(nil, 1, 0, newRand(1)); err != nil || !got.Empty() {
		t.Errorf("nil: %v, %v", got, err)
	}
}

func TestFlipPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, 9)
		fraction := rapid.Float64Range(0, 1).Draw(t, "fraction")
		got, err := FlipPairs(s, fraction, newRand(rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		all := len(s.Must) + len(s.Cannot)
		// Counting each pair in each list: changed pairs leave one for the other.
		balance := map[Pair]int{}
		for _, p := range s.Must {
			balance[p]++
		}
		for _, p := range got.Must {
			balance[p]--
		}
		moved := 0
		for _, x := range balance {
			moved += max(x, -x)
		}
		if want := share(fraction, all); len(got.Must)+len(got.Cannot) != all || moved > want || (want-moved)%2 != 0 {
			t.Fatalf("%d moved, want %d", moved, want)
		}
		if back, _ := FlipPairs(s, 1, newRand(1)); !equalPairs(back.Must, s.Cannot) || !equalPairs(back.Cannot, s.Must) {
			t.Fatalf("all flipped: %+v from %+v", back, s)
		}
	})
	if _, err := FlipPairs(nil, -1, newRand(1)); err == nil {
		t.Error("fraction -1 passes")
	}
}

func equalPairs(a, b []Pair) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}
