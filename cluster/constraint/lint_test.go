package constraint

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestLint(t *testing.T) {
	s := &Set{
		Must:    []Pair{{0, 1, 1}, {2, 2, 1}, {1, 0, 3}, {0, 9, 1}, {9, 0, 1}, {2, 3, -1}, {1, 0, 1}},
		Cannot:  []Pair{{3, 2, 1}, {4, 5, 1}, {5, 4, 1}, {1, 0, 1}, {2, 2, 1}},
		Beliefs: []Pair{{0, 1, -1}, {1, 0, 0.5}, {0, 1, 2}},
		Labels:  []Label{{0, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}, {2, 0, 0.5}, {2, 1, 0.5}, {3, 7, 1}, {-1, 0, 1}, {4, 0, math.Inf(1)}},
		Names:   []string{"x", "y"},
	}
	want := []string{
		"must 1 self-pair: point 2 is paired with itself",
		"must 2 duplicate: point 0 and point 1 are paired again (must 0)",
		"must 3 out-of-range: point 9 does not exist; points are 0 to 5",
		"must 4 out-of-range: point 9 does not exist; points are 0 to 5",
		"must 5 bad-weight: the weight of point 2 and point 3 must be above 0 and at most 1e+100, got -1",
		"must 6 duplicate: point 0 and point 1 are paired again (must 0)",
		"cannot 0 both-kinds: point 2 and point 3 must and cannot be together (must 5)",
		"cannot 2 duplicate: point 4 and point 5 are paired again (cannot 1)",
		"cannot 3 both-kinds: point 0 and point 1 must and cannot be together (must 0)",
		"cannot 4 self-pair: point 2 is paired with itself",
		"beliefs 1 duplicate: point 0 and point 1 are paired again (beliefs 0)",
		"beliefs 2 bad-weight: the belief about point 0 and point 1 must be from -1 to 1, got 2",
		"beliefs 2 duplicate: point 0 and point 1 are paired again (beliefs 0)",
		"labels 2 two-labels: point 0 is both x and y (labels 0)",
		"labels 3 duplicate: point 0 is labelled x again (labels 0)",
		"labels 6 out-of-range: class 7 has no name, there are 2 names",
		"labels 7 out-of-range: point -1 does not exist; points are 0 to 5",
		"labels 8 bad-weight: the weight of point 4 as x must be above 0 and at most 1e+100, got +Inf",
	}
	var got []string
	for _, p := range Lint(6, s) {
		line := fmt.Sprintf("%s %d %s: %s", p.List, p.Index, p.Kind, p.Message)
		if p.EarlierList != "" {
			line += fmt.Sprintf(" (%s %d)", p.EarlierList, p.Earlier)
		} else if p.Earlier != -1 {
			t.Errorf("%s: earlier is %d", line, p.Earlier)
		}
		got = append(got, line)
	}
	for at := range max(len(got), len(want)) {
		if at >= len(got) || at >= len(want) || got[at] != want[at] {
			t.Fatalf("line %d of\n%q, want\n%q", at, got, want)
		}
	}
}

func TestProblemDescribe(t *testing.T) {
	s := &Set{Must: []Pair{{1, 0, 1}, {0, 1, 1}, {0, 7, 1}}}
	got := Lint(2, s)
	if text := got[0].Describe(letter); text != "a and b are paired again" {
		t.Errorf("got %q", text)
	}
	if text := got[1].Describe(func(int) string { panic("no such point") }); text != "point 7 does not exist; points are 0 to 1" {
		t.Errorf("got %q", text)
	}
}

// TestLintBrute compares the pairs said twice with a map, and expects the
// order of a pair not to matter.
func TestLintBrute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		s := drawSet(t, n)
		var want, got []string
		must := map[[2]int]bool{}
		for _, l := range s.pairLists() {
			first := map[[2]int]int{}
			for at, p := range l.pairs {
				key := [2]int{min(p.I, p.J), max(p.I, p.J)}
				old, again := first[key]
				switch {
				case p.I == p.J:
					want = append(want, fmt.Sprint(l.name, at, SelfPair, -1))
				case again:
					want = append(want, fmt.Sprint(l.name, at, Duplicate, old))
				default:
					first[key] = at
					if l.name == ListCannot && must[key] {
						want = append(want, fmt.Sprint(l.name, at, BothKinds))
					}
				}
				if l.name == ListMust {
					must[key] = true
				}
			}
		}
		turned := s.clone()
		for at, p := range turned.Must {
			turned.Must[at].I, turned.Must[at].J = p.J, p.I
		}
		problems := Lint(n, s)
		if !reflect.DeepEqual(problems, Lint(n, turned)) {
			t.Fatalf("the order of pairs matters")
		}
		for _, p := range problems {
			switch {
			case p.List == ListLabels:
			case p.Kind == BothKinds:
				got = append(got, fmt.Sprint(p.List, p.Index, p.Kind))
			default:
				got = append(got, fmt.Sprint(p.List, p.Index, p.Kind, p.Earlier))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		clash := slices.ContainsFunc(problems, func(p EntryError) bool { return p.Kind == TwoLabels })
		if clash != (len(readLabels(n, s.Labels).clashing) > 0) {
			t.Fatalf("two labels: %v", clash)
		}
	})
}

func TestDropEmptyClasses(t *testing.T) {
	s := &Set{Labels: []Label{{I: 4, Class: 3, W: 1}, {I: 2, Class: 1, W: 1}, {I: 5, Class: 3, W: 1}}, Names: []string{"a", "b", "c", "d", "e"}}
	s.DropEmptyClasses()
	want := &Set{Labels: []Label{{I: 4, Class: 1, W: 1}, {I: 2, Class: 0, W: 1}, {I: 5, Class: 1, W: 1}}, Names: []string{"b", "d"}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %v, want %v", s, want)
	}
	s.DropEmptyClasses()
	if !reflect.DeepEqual(s, want) {
		t.Errorf("once more: %v", s)
	}
}
