package constraint

import (
	"fmt"
	"math"
)

// Check returns the first reason why s cannot hold constraints on n points: a
// point outside [0, n), a weight that is not above 0 and at most MaxWeight, a belief
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
	for _, l := range s.pairLists() {
		for at, p := range l.pairs {
			if kind := l.fault(p, n); kind != "" {
				return l.entryError(n, at, kind)
			}
		}
	}
	for at, l := range s.Labels {
		if kind := s.labelFault(l, n); kind != "" {
			return s.labelError(n, at, kind)
		}
	}
	return nil
}

// A pairList is one of the three lists of pairs with its name.
type pairList struct {
	name  string
	pairs []Pair
}

func (s *Set) pairLists() [3]pairList {
	return [3]pairList{{ListMust, s.Must}, {ListCannot, s.Cannot}, {ListBeliefs, s.Beliefs}}
}

// fault returns what makes p unusable, "" if nothing does.
func (l pairList) fault(p Pair, n int) Kind {
	switch {
	case p.I < 0 || p.I >= n || p.J < 0 || p.J >= n:
		return OutOfRange
	case l.name == ListBeliefs && !(p.W >= -1 && p.W <= 1):
		return BadWeight
	case l.name != ListBeliefs && !(p.W > 0 && p.W <= MaxWeight):
		return BadWeight
	}
	return ""
}

func (s *Set) labelFault(l Label, n int) Kind {
	switch {
	case l.I < 0 || l.I >= n:
		return OutOfRange
	case l.Class < 0 || l.Class >= math.MaxInt32 || len(s.Names) > 0 && l.Class >= len(s.Names):
		return OutOfRange
	case !(l.W > 0 && l.W <= MaxWeight):
		return BadWeight
	}
	return ""
}

// entryError makes the error of entry at of the list.
func (l pairList) entryError(n, at int, kind Kind) *EntryError {
	p := l.pairs[at]
	a, b := min(p.I, p.J), max(p.I, p.J)
	out := &EntryError{Kind: kind, List: l.name, Index: at, Earlier: -1, a: a, b: b, w: p.W}
	if kind == OutOfRange {
		bad := a
		if a >= 0 && a < n {
			bad = b
		}
		out.detail = missingPoint(bad, n)
	}
	return out.withMessage()
}

// labelError makes the error of label at.
func (s *Set) labelError(n, at int, kind Kind) *EntryError {
	l := s.Labels[at]
	out := &EntryError{Kind: kind, List: ListLabels, Index: at, Earlier: -1, a: l.I, b: l.I, w: l.W, classA: s.Name(l.Class)}
	switch {
	case kind != OutOfRange:
	case l.I < 0 || l.I >= n:
		out.detail = missingPoint(l.I, n)
	case l.Class < 0 || l.Class >= math.MaxInt32:
		out.detail = fmt.Sprintf("the class must be from 0 to %d, got %d", math.MaxInt32-1, l.Class)
	default:
		out.detail = fmt.Sprintf("class %d has no name, there are %d names", l.Class, len(s.Names))
	}
	return out.withMessage()
}

func missingPoint(i, n int) string {
	if n == 0 {
		return fmt.Sprintf("point %d does not exist, there are no points", i)
	}
	return fmt.Sprintf("point %d does not exist; points are 0 to %d", i, n-1)
}

// MaxWeight is the largest weight of a pair or a label: far beyond any that means
// something, and so far from overflow that every method can add up squares of weights.
const MaxWeight = 1e100

// maxEntries bounds a list so that both directions of all edges can be counted
// in 32 bits.
const maxEntries = 1<<29 - 1

// checkSize keeps everything countable in 32 bits.
func checkSize(n int, s *Set) error {
	if n < 0 || n >= math.MaxInt32 {
		return fmt.Errorf("the number of points must be from 0 to %d, got %d", math.MaxInt32-1, n)
	}
	if s == nil {
		return nil
	}
	for _, size := range []int{len(s.Must), len(s.Cannot), len(s.Beliefs), len(s.Labels)} {
		if size > maxEntries {
			return fmt.Errorf("a list must have at most %d entries, got %d", maxEntries, size)
		}
	}
	return nil
}
