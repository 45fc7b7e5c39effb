// Package constraint holds what is known about points before they are
// clustered: labels of some, pairs that must or cannot be together, and soft
// beliefs about pairs. It closes the knowledge (what follows from it), finds
// contradictions with the chain that proves them, tells whether k clusters can
// honour it, lints it, and draws knowledge from true labels for experiments.
//
// Nothing that follows is ever written out as pairs: labels and must-links
// become components by union-find, cannot-links become edges between
// components, so memory is O(n + m) for n points and m pieces of knowledge.
//
// In comments n is the number of points, k the number of clusters, i and j are
// points and c is a class or a component. A component is a set of points that
// must be together.
package constraint

import (
	"math"
	"strconv"
)

// A Pair links points I and J; their order never matters. W is the weight of
// a must-link or a cannot-link (1 is ordinary), or a belief.
type Pair struct {
	I, J int
	W    float64
}

// A Label says that point I is of class Class, with weight W (1 is ordinary).
// A point with labels of several classes whose weights are not all 1 is a soft
// seed: it counts for each class by weight and stays out of the closure.
type Label struct {
	I, Class int
	W        float64
}

// A Set is what is known. A nil Set knows nothing.
type Set struct {
	Must    []Pair
	Cannot  []Pair
	Beliefs []Pair // W in [-1, 1]: above 0 together, below 0 apart; always soft, never in the closure
	Labels  []Label
	Names   []string // Names[c] is what class c is called; empty where classes have no names
}

// Empty says whether s knows nothing.
func (s *Set) Empty() bool {
	return s == nil || len(s.Must)+len(s.Cannot)+len(s.Beliefs)+len(s.Labels) == 0
}

// Classes returns one more than the highest class that a label names, 0 where
// there are no labels.
func (s *Set) Classes() int {
	if s == nil {
		return 0
	}
	high := -1
	for _, l := range s.Labels {
		high = max(high, l.Class)
	}
	return high + 1
}

// Name returns what class c is called: its name, or "class c" where it has
// none.
func (s *Set) Name(c int) string {
	if s == nil {
		return className(nil, c)
	}
	return className(s.Names, c)
}

func className(names []string, c int) string {
	if c >= 0 && c < len(names) && names[c] != "" {
		return names[c]
	}
	return "class " + strconv.Itoa(c)
}

// Check returns the first reason why s cannot be knowledge about n points: a
// point outside [0, n), a weight that is not finite and above 0, a belief
// outside [-1, 1], a class below 0 or, where classes have names, without one.
// Where one entry is to blame the error is a *EntryError, which says which.
// Check does not look for contradictions; Close and Conflicts do.
func (s *Set) Check(n int) error {
	if err := checkSize(n, s); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	for _, l := range s.lists() {
		for at, p := range l.pairs {
			if kind := l.fault(p, n); kind != "" {
				return l.problem(n, at, kind)
			}
		}
	}
	for at, l := range s.Labels {
		if kind := s.labelFault(l, n); kind != "" {
			return s.labelProblem(n, at, kind)
		}
	}
	return nil
}

// clone copies s, so that the copy can be changed alone.
func (s *Set) clone() *Set {
	if s == nil {
		return &Set{}
	}
	return &Set{
		Must:    append([]Pair(nil), s.Must...),
		Cannot:  append([]Pair(nil), s.Cannot...),
		Beliefs: append([]Pair(nil), s.Beliefs...),
		Labels:  append([]Label(nil), s.Labels...),
		Names:   append([]string(nil), s.Names...),
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// SoftSeeds returns the points that are soft seeds: those with labels of several
// classes whose weights are not all 1.
func (s *Set) SoftSeeds() map[int]bool {
	soft := make(map[int]bool)
	if s == nil {
		return soft
	}
	class := make(map[int]int, len(s.Labels))
	mixed, weighted := make(map[int]bool), make(map[int]bool)
	for _, l := range s.Labels {
		if c, ok := class[l.I]; ok && c != l.Class {
			mixed[l.I] = true
		}
		class[l.I] = l.Class
		if l.W != 1 {
			weighted[l.I] = true
		}
	}
	for i := range mixed {
		if weighted[i] {
			soft[i] = true
		}
	}
	return soft
}
