package constraint

import (
	"fmt"
	"math"
	"strconv"
)

// A Kind says what is wrong: with one entry (see Problem) or with several
// together (see Conflict).
type Kind string

// What can be wrong with one entry of a Set.
const (
	SelfPair   Kind = "self-pair"    // a pair of a point with itself
	Duplicate  Kind = "duplicate"    // said before in the same list
	BothKinds  Kind = "both-kinds"   // a pair both in Must and in Cannot
	OutOfRange Kind = "out-of-range" // a point or a class that does not exist
	BadWeight  Kind = "bad-weight"   // not finite, not above 0, or a belief outside [-1, 1]
	TwoLabels  Kind = "two-labels"   // a point of several classes, all of weight 1
)

// The lists of a Set, as Problem names them.
const (
	ListMust    = "must"
	ListCannot  = "cannot"
	ListBeliefs = "beliefs"
	ListLabels  = "labels"
)

// A Problem is one entry of a Set with something wrong with it.
type EntryError struct {
	Kind    Kind
	List    string // ListMust, ListCannot, ListBeliefs or ListLabels
	Index   int    // which entry of the list
	Message string // what is wrong, points by number

	// The entry that this one repeats or contradicts; "" and -1 where there is
	// none.
	EarlierList string
	Earlier     int

	a, b           int // the points, a == b for a label
	classA, classB string
	w              float64
	detail         string // the whole message where it names no existing point
}

func (p *EntryError) Error() string {
	return fmt.Sprintf("%s %d: %s", p.List, p.Index, p.Message)
}

// Describe is Message with points called by name, for example their ids. name
// is only asked for points that exist.
func (p *EntryError) Describe(name func(int) string) string {
	if p.detail != "" {
		return p.detail
	}
	a, b := name(p.a), name(p.b)
	switch p.Kind {
	case SelfPair:
		return a + " is paired with itself"
	case BothKinds:
		return a + " and " + b + " must and cannot be together"
	case TwoLabels:
		return a + " is both " + p.classA + " and " + p.classB
	case Duplicate:
		if p.List == ListLabels {
			return a + " is said to be " + p.classA + " again"
		}
		return a + " and " + b + " are paired again"
	}
	return p.describeWeight(a, b)
}

func (p *EntryError) describeWeight(a, b string) string {
	usual := ""
	if p.w == 0 { // forgotten, most likely
		usual = "; 1 is ordinary"
	}
	switch p.List {
	case ListBeliefs:
		return fmt.Sprintf("belief %v about %s and %s, want one from -1 to 1", p.w, a, b)
	case ListLabels:
		return fmt.Sprintf("weight %v of %s as %s, want a finite one above 0%s", p.w, a, p.classA, usual)
	}
	return fmt.Sprintf("weight %v of %s and %s, want a finite one above 0%s", p.w, a, b, usual)
}

// A pairList is one of the three lists of pairs with its name.
type pairList struct {
	name  string
	pairs []Pair
}

func (s *Set) lists() [3]pairList {
	return [3]pairList{{ListMust, s.Must}, {ListCannot, s.Cannot}, {ListBeliefs, s.Beliefs}}
}

// fault returns what makes p unusable, "" if nothing does.
func (l pairList) fault(p Pair, n int) Kind {
	switch {
	case p.I < 0 || p.I >= n || p.J < 0 || p.J >= n:
		return OutOfRange
	case l.name == ListBeliefs && !(p.W >= -1 && p.W <= 1):
		return BadWeight
	case l.name != ListBeliefs && !(finite(p.W) && p.W > 0):
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
	case !(finite(l.W) && l.W > 0):
		return BadWeight
	}
	return ""
}

// problem makes the Problem of entry at of the list.
func (l pairList) problem(n, at int, kind Kind) *EntryError {
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
	return out.finish()
}

// labelProblem makes the Problem of label at.
func (s *Set) labelProblem(n, at int, kind Kind) *EntryError {
	l := s.Labels[at]
	out := &EntryError{Kind: kind, List: ListLabels, Index: at, Earlier: -1, a: l.I, b: l.I, w: l.W, classA: s.Name(l.Class)}
	switch {
	case kind != OutOfRange:
	case l.I < 0 || l.I >= n:
		out.detail = missingPoint(l.I, n)
	case l.Class < 0 || l.Class >= math.MaxInt32:
		out.detail = fmt.Sprintf("class %d, want one from 0 to %d", l.Class, math.MaxInt32-1)
	default:
		out.detail = fmt.Sprintf("class %d has no name, there are %d names", l.Class, len(s.Names))
	}
	return out.finish()
}

func missingPoint(i, n int) string {
	if n == 0 {
		return fmt.Sprintf("point %d does not exist, there are no points", i)
	}
	return fmt.Sprintf("point %d does not exist, want one from 0 to %d", i, n-1)
}

// finish writes Message once everything else is known.
func (p *EntryError) finish() *EntryError {
	p.Message = p.Describe(func(i int) string { return "point " + strconv.Itoa(i) })
	return p
}

// maxEntries bounds a list so that both directions of all edges can be counted
// in 32 bits.
const maxEntries = 1<<29 - 1

// checkSize keeps everything countable in 32 bits.
func checkSize(n int, s *Set) error {
	if n < 0 || n >= math.MaxInt32 {
		return fmt.Errorf("%d points, want 0 to %d", n, math.MaxInt32-1)
	}
	if s == nil {
		return nil
	}
	for _, size := range []int{len(s.Must), len(s.Cannot), len(s.Beliefs), len(s.Labels)} {
		if size > maxEntries {
			return fmt.Errorf("a list of %d entries, want at most %d", size, maxEntries)
		}
	}
	return nil
}
