package constraint

import (
	"fmt"
	"strconv"
)

// A Kind says what is wrong: with one entry (see EntryError) or with
// several together (see ConflictError).
type Kind string

// What can be wrong with one entry of a Set.
const (
	SelfPair   Kind = "self-pair"    // a pair of a point with itself
	Duplicate  Kind = "duplicate"    // given before in the same list
	BothKinds  Kind = "both-kinds"   // a pair both in Must and in Cannot
	OutOfRange Kind = "out-of-range" // a point or a class that does not exist
	BadWeight  Kind = "bad-weight"   // not above 0, above MaxWeight, or a belief outside [-1, 1]
	TwoLabels  Kind = "two-labels"   // a point of several classes, all of weight 1
)

// The lists of a Set, as EntryError names them.
const (
	ListMust    = "must"
	ListCannot  = "cannot"
	ListBeliefs = "beliefs"
	ListLabels  = "labels"
)

// An EntryError is one entry of a Set with something wrong with it.
type EntryError struct {
	Kind    Kind
	List    string // ListMust, ListCannot, ListBeliefs or ListLabels
	Index   int    // which entry of the list
	Message string // what is wrong, points by number

	// The entry that this one repeats or contradicts; "" and -1 if it does
	// neither.
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
// is only called for points that exist.
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
			return a + " is labelled " + p.classA + " again"
		}
		return a + " and " + b + " are paired again"
	}
	return p.describeWeight(a, b)
}

func (p *EntryError) describeWeight(a, b string) string {
	usual := ""
	if p.w == 0 { // forgotten, most likely
		usual = "; the usual weight is 1"
	}
	switch p.List {
	case ListBeliefs:
		return fmt.Sprintf("the belief about %s and %s must be from -1 to 1, got %v", a, b, p.w)
	case ListLabels:
		return fmt.Sprintf("the weight of %s as %s must be above 0 and at most %g, got %v%s", a, p.classA, MaxWeight, p.w, usual)
	}
	return fmt.Sprintf("the weight of %s and %s must be above 0 and at most %g, got %v%s", a, b, MaxWeight, p.w, usual)
}

// withMessage writes Message once everything else is set.
func (p *EntryError) withMessage() *EntryError {
	p.Message = p.Describe(func(i int) string { return "point " + strconv.Itoa(i) })
	return p
}
