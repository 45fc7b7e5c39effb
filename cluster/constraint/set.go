// Package constraint holds the constraints on points that are to be clustered:
// labels of some points, pairs that must or cannot be together, and soft beliefs
// about pairs. It computes their closure (what follows from them), finds
// contradictions with the chain that proves them, decides whether k clusters can
// satisfy them, lints them, and draws constraints from true labels for
// experiments.
//
// Entailed pairs are never written out: labels and must-links become components
// (also called chunklets) by union-find, cannot-links become edges between
// components, so memory is O(n + m) for n points and m constraints.
//
// In comments n is the number of points, k the number of clusters, i and j are
// points and c is a class or a component. A component is a set of points that
// must be together.
package constraint

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// A Pair links points I and J; their order never matters. W is the weight of
// a must-link or a cannot-link (usually 1), or a belief.
type Pair struct {
	I, J int
	W    float64
}

// A Label says that point I is of class Class, with weight W (usually 1).
// A point with labels of several classes whose weights are not all 1 is a soft
// seed: it counts for each class by weight and stays out of the closure.
type Label struct {
	I, Class int
	W        float64
}

// A Set is constraints on points. A nil Set is empty.
type Set struct {
	Must    []Pair
	Cannot  []Pair
	Beliefs []Pair // W in [-1, 1]: above 0 together, below 0 apart; always soft, never in the closure
	Labels  []Label
	Names   []string // Names[c] is the name of class c; empty where classes have no names
}

// Empty reports whether s has no constraints.
func (s *Set) Empty() bool {
	return s == nil || len(s.Must)+len(s.Cannot)+len(s.Beliefs)+len(s.Labels) == 0
}

// Len returns the number of labels, must-links, cannot-links and beliefs.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.Labels) + len(s.Must) + len(s.Cannot) + len(s.Beliefs)
}

// Rows returns the points that have labels or are in pairs, ascending; a nil set has none.
func (s *Set) Rows() (rows []int) {
	if s == nil {
		return nil
	}
	for _, l := range s.Labels {
		rows = append(rows, l.I)
	}
	for _, pairs := range [][]Pair{s.Must, s.Cannot, s.Beliefs} {
		for _, p := range pairs {
			rows = append(rows, p.I, p.J)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
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

// DropEmptyClasses takes out the classes that no label has, as when their labels were taken back; the
// others keep their order.
func (s *Set) DropEmptyClasses() {
	number := make([]int, max(s.Classes(), len(s.Names)))
	for _, l := range s.Labels {
		number[l.Class] = 1
	}
	if !slices.Contains(number, 0) {
		return
	}
	var names []string
	next := 0
	for c, used := range number {
		if used == 0 {
			continue
		}
		if c < len(s.Names) {
			names = append(names, s.Names[c])
		}
		number[c] = next
		next++
	}
	s.Names = names
	for i := range s.Labels {
		s.Labels[i].Class = number[s.Labels[i].Class]
	}
}

// Name returns the name of class c, or "class c" where it has none.
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

// StrongestLabels returns for each class its label of the largest weight, the first
// of equals, by ascending class; soft seeds, labels of weight 0 and classes without others
// are left out. Any two labels entail a pair through these that is as strong as the weaker
// of them.
func (s *Set) StrongestLabels() (list []Label) {
	if s == nil {
		return nil
	}
	soft, strongest := s.SoftSeeds(), map[int]Label{}
	for _, l := range s.Labels {
		if !soft[l.I] && l.W > strongest[l.Class].W {
			strongest[l.Class] = l
		}
	}
	for _, class := range slices.Sorted(maps.Keys(strongest)) {
		list = append(list, strongest[class])
	}
	return list
}

// OfClass returns the label of the given class from what StrongestLabels returned, one of
// weight 0 if there is none.
func OfClass(strongest []Label, class int) Label {
	at, found := slices.BinarySearchFunc(strongest, class, func(l Label, c int) int { return cmp.Compare(l.Class, c) })
	if !found {
		return Label{}
	}
	return strongest[at]
}

// MaxLabelWeight returns the largest weight of the labels, at least 1. The product of two
// weights divided by it is at most the smaller of them.
func (s *Set) MaxLabelWeight() float64 {
	top := 1.0
	if s != nil {
		for _, l := range s.Labels {
			top = max(top, l.W)
		}
	}
	return top
}

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
