package constraint

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// without returns s without the constraints of d except one of them.
func (d *Dropped) without(s *Set, but int) *Set {
	out := s.clone()
	out.Must, out.Cannot, out.Labels = nil, nil, nil
	at := 0
	gone := func(list []int, i int) bool {
		if !slices.Contains(list, i) {
			return false
		}
		at++
		return at-1 != but
	}
	for i, p := range s.Must {
		if !gone(d.Must, i) {
			out.Must = append(out.Must, p)
		}
	}
	for i, p := range s.Cannot {
		if !gone(d.Cannot, i) {
			out.Cannot = append(out.Cannot, p)
		}
	}
	for i, l := range s.Labels {
		if !gone(d.Labels, i) {
			out.Labels = append(out.Labels, l)
		}
	}
	return out
}

func TestRepairByHand(t *testing.T) {
	tests := []struct {
		name string
		s    *Set
		want Dropped
	}{
		{"nothing wrong", &Set{Must: []Pair{{0, 1, 1}}, Cannot: []Pair{{1, 2, 1}}}, Dropped{}},
		{"a cannot-link within a chain", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 1}}, Cannot: []Pair{{2, 0, 1}}}, Dropped{Cannot: []int{0}}},
		{"the same, heavy", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 0.5}}, Cannot: []Pair{{2, 0, 3}}}, Dropped{Must: []int{1}}},
		{"a must-link between two groups",
			&Set{Must: []Pair{{0, 1, 1}, {1, 3, 1}, {3, 4, 1}}, Cannot: []Pair{{0, 3, 1}, {1, 4, 1}, {0, 4, 1}}}, Dropped{Must: []int{1}}},
		{"the same, given twice",
			&Set{Must: []Pair{{0, 1, 1}, {1, 3, 1}, {3, 4, 1}, {3, 1, 1}}, Cannot: []Pair{{0, 3, 1}, {1, 4, 1}, {0, 4, 1}, {1, 3, 1}}}, Dropped{Must: []int{1, 3}}},
		{"with itself", &Set{Cannot: []Pair{{1, 1, 1}, {1, 1, 1}}}, Dropped{Cannot: []int{0, 1}}},
		{"three labels against one", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}},
			Labels: []Label{{0, 0, 1}, {1, 0, 1}, {2, 1, 1}, {3, 0, 1}}}, Dropped{Labels: []int{2}}},
		{"three against two", &Set{Must: []Pair{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}},
			Labels: []Label{{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {3, 1, 1}, {4, 0, 1}}}, Dropped{Labels: []int{1, 3}}},
		{"labels that join", &Set{Labels: []Label{{0, 0, 1}, {1, 0, 1}}, Cannot: []Pair{{0, 1, 1}, {1, 0, 1}}}, Dropped{Labels: []int{0}}},
		{"a soft seed joins nothing", &Set{Labels: []Label{{0, 0, 0.5}, {0, 1, 0.5}, {1, 0, 1}, {2, 1, 1}}, Cannot: []Pair{{0, 1, 1}, {0, 2, 1}}}, Dropped{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Repair(5, tt.s); !reflect.DeepEqual(*got, tt.want) {
				t.Errorf("got %+v, want %+v", *got, tt.want)
			}
		})
	}
	if Repair(1, tests[1].s).Len()+Repair(3, nil).Len() != 0 {
		t.Error("something is dropped where there is nothing to repair")
	}
}

// Without what is dropped nothing contradicts itself, and none of it could stay.
func TestRepairIsEnoughAndNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		s := drawSet(t, n)
		d := Repair(n, s)
		if _, err := Close(n, d.without(s, -1)); err != nil {
			t.Fatalf("%+v: %v", *d, err)
		}
		for one := range d.Len() {
			if _, err := Close(n, d.without(s, one)); err == nil {
				t.Fatalf("of %+v number %d could have stayed", *d, one)
			}
		}
	})
}

// Where mistakes are few, hardly more is dropped than is wrong, although most
// of them join groups and so contradict hundreds of pairs.
func TestRepairFindsFewMistakes(t *testing.T) {
	const wrong = 9
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 3))
		truth := make([]int, 400)
		for i := range truth {
			truth[i] = i % 8
		}
		s, err := FlipPairs(RandomPairs(truth, 3000, rng), wrong/3000.0, rng)
		if err != nil {
			t.Fatal(err)
		}
		d := Repair(len(truth), s)
		if d.Len() == 0 || d.Len() > wrong+1 {
			t.Errorf("seed %d: %d constraints are dropped, %d are wrong", seed, d.Len(), wrong)
		}
		if again := Repair(len(truth), s); !reflect.DeepEqual(d, again) {
			t.Errorf("seed %d: %v, and then %v", seed, d, again)
		}
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 4))
			truth := make([]int, n)
			for i := range truth {
				truth[i] = rng.IntN(n / 100)
			}
			s := RandomPairs(truth, 4*n, rng)
			s, err := FlipPairs(s, 0.001, rng)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Repair(n, s)
			}
		})
	}
}
