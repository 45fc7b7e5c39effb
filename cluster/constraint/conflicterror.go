package constraint

import (
	"fmt"
	"strconv"
	"strings"
)

// How constraints contradict each other. The fourth way is TwoLabels: one point
// of several classes, all of weight 1.
const (
	CannotJoined Kind = "cannot-joined" // a cannot-link within a component
	CannotSelf   Kind = "cannot-self"   // a cannot-link of a point with itself
	LabelsJoined Kind = "labels-joined" // two points of different classes joined by must-links
)

// A ConflictError is a contradiction with the shortest chain that proves it: no
// proof of the same contradiction uses fewer constraints.
type ConflictError struct {
	Kind Kind
	A, B int    // the ends of the chain, A <= B
	Pair int    // index in Set.Cannot of the cannot-link, -1 for the kinds about labels
	Ends [2]End // the labels of A and of B, for the kinds about labels
	// Chain leads from A to B; it is empty where one point is enough.
	Chain []Step

	names []string
}

// An End is a label at an end of a chain: its class and its index in
// Set.Labels, both -1 where the conflict is about a cannot-link.
type End struct{ Class, Label int }

var noEnds = [2]End{{-1, -1}, {-1, -1}}

// A Step of a chain leads from one point to the next: by a must-link, or
// because both have a label of the same class.
type Step struct {
	From, To int
	Must     int    // index in Set.Must, -1 for a step by labels
	Class    int    // the shared class, -1 for a must-link
	Labels   [2]int // indices in Set.Labels of the two labels, -1 for a must-link
}

// constraintCount returns how many constraints the proof takes: the must-links,
// the labels and the cannot-link. Without any one of them the others do not
// contradict each other in this way.
func (c *ConflictError) constraintCount() int {
	n := 2 // the labels of the ends
	if c.Pair >= 0 {
		n = 1 // the cannot-link
	}
	for _, s := range c.Chain {
		if s.Must >= 0 {
			n++
		} else {
			n += 2
		}
	}
	return n
}

func (c *ConflictError) Error() string { return c.Describe(strconv.Itoa) }

// maxShown is how many steps of a chain are written out; longer chains lose
// their middle.
const maxShown = 40

// Describe returns the contradiction in one line, with points called by name,
// for example their ids:
//
//	a and d cannot be together, yet a = b, b and c are both setosa, c = d
//
// A chain of more than 40 steps is shortened in the middle; Chain has it all.
func (c *ConflictError) Describe(name func(int) string) string {
	a, b := name(c.A), name(c.B)
	switch c.Kind {
	case CannotSelf:
		return a + " cannot be together with itself"
	case TwoLabels:
		return fmt.Sprintf("%s is both %s and %s", a, c.class(0), c.class(1))
	case LabelsJoined:
		return fmt.Sprintf("%s is %s and %s is %s, yet %s", a, c.class(0), b, c.class(1), c.describeChain(name))
	}
	return fmt.Sprintf("%s and %s cannot be together, yet %s", a, b, c.describeChain(name))
}

func (c *ConflictError) class(end int) string { return className(c.names, c.Ends[end].Class) }

// describeChain writes runs of must-links as a = b = c and puts commas around
// the steps by labels.
func (c *ConflictError) describeChain(name func(int) string) string {
	left := len(c.Chain) - maxShown
	if left <= 0 {
		return c.describeSteps(c.Chain, name)
	}
	head, tail := c.Chain[:maxShown/2], c.Chain[len(c.Chain)-maxShown/2:]
	return fmt.Sprintf("%s, … %d more …, %s", c.describeSteps(head, name), left, c.describeSteps(tail, name))
}

func (c *ConflictError) describeSteps(steps []Step, name func(int) string) string {
	var b strings.Builder
	run := false // within a run of must-links
	for at, s := range steps {
		if at > 0 && !(run && s.Must >= 0) {
			b.WriteString(", ")
		}
		switch {
		case s.Must < 0:
			fmt.Fprintf(&b, "%s and %s are both %s", name(s.From), name(s.To), className(c.names, s.Class))
		case run:
			b.WriteString(" = " + name(s.To))
		default:
			b.WriteString(name(s.From) + " = " + name(s.To))
		}
		run = s.Must >= 0
	}
	return b.String()
}
