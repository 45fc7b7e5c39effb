package constraint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How knowledge contradicts itself. The fourth way is TwoLabels: one point of
// several classes, all of weight 1.
const (
	CannotJoined Kind = "cannot-joined" // a cannot-link within a component
	CannotSelf   Kind = "cannot-self"   // a cannot-link of a point with itself
	LabelsJoined Kind = "labels-joined" // two points of different classes joined by must-links
)

// A Conflict is a contradiction with the shortest chain that proves it: no
// proof of the same contradiction uses fewer given pieces of knowledge.
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

// A Step of a chain leads from one point to the next: by a must-link, or
// because both have a label of the same class.
type Step struct {
	From, To int
	Must     int    // index in Set.Must, -1 for a step by labels
	Class    int    // the shared class, -1 for a must-link
	Labels   [2]int // indices in Set.Labels of the two labels, -1 for a must-link
}

// Pieces returns how many given pieces of knowledge the proof takes: the
// must-links, the labels and the cannot-link. Without any one of them the
// others do not contradict each other in this way.
func (c *ConflictError) Pieces() int {
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

// maxShown is how many steps of a chain are written out; of longer chains the
// middle is left out.
const maxShown = 40

// Describe tells the contradiction in one line, with points called by name,
// for example their ids:
//
//	a and d cannot be together, yet a = b, b and c are both setosa, c = d
//
// Of a chain of more than 40 steps the middle is left out; Chain has it all.
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

// Conflicts returns up to limit contradictions in s, all of them if limit is
// below 0, those with the shortest proofs first, then by points. A nil result
// means that there are none, or that s fails Check for n points.
//
// Every cannot-link whose points are joined is one contradiction, however
// often it is given. So is every further class of a point that has several,
// and every further class that must-links join: c classes in one set of
// must-linked points are told by the c-1 shortest chains that join them all,
// for other chains between them are made of these.
//
// Every chain is the shortest for its ends. That none is shorter among those
// left out by limit is certain as long as must-links and labels form a forest
// or the input is small; in large tangles the search gives up after about ten
// passes over the input and chooses by an upper bound on the length.
func Conflicts(n int, s *Set, limit int) []*ConflictError {
	if s == nil || limit == 0 || s.Check(n) != nil {
		return nil
	}
	k := readLabels(n, s.Labels)
	out := selfConflicts(s)
	out = append(out, clashConflicts(s, k)...)
	g := newWeb(n, s, k)
	out = append(out, classConflicts(g, s, k, limit)...)
	out = append(out, cannotConflicts(g, s, limit)...)
	pieces := make(map[*ConflictError]int, len(out)) // counted once, chains can be long
	for _, c := range out {
		pieces[c] = c.Pieces()
		c.names = s.Names
	}
	slices.SortStableFunc(out, func(a, b *ConflictError) int {
		return cmp.Or(cmp.Compare(pieces[a], pieces[b]), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Kind, b.Kind))
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit:limit]
	}
	return out
}

var noEnds = [2]End{{-1, -1}, {-1, -1}}

// selfConflicts finds cannot-links of a point with itself, each point once.
func selfConflicts(s *Set) []*ConflictError {
	var out []*ConflictError
	seen := map[int]bool{}
	for at, p := range s.Cannot {
		if p.I == p.J && !seen[p.I] {
			seen[p.I] = true
			out = append(out, &ConflictError{Kind: CannotSelf, A: p.I, B: p.I, Pair: at, Ends: noEnds})
		}
	}
	return out
}

// clashConflicts finds points of several classes: the first class against
// each of the others.
func clashConflicts(s *Set, k known) []*ConflictError {
	if len(k.clash) == 0 {
		return nil
	}
	type labelled struct{ i, class int }
	seen := map[labelled]bool{}
	first := make(map[int]End, len(k.clash))
	for _, i := range k.clash {
		first[int(i)] = End{-1, -1}
	}
	var out []*ConflictError
	for at, l := range s.Labels {
		e, ok := first[l.I]
		if !ok || seen[labelled{l.I, l.Class}] {
			continue
		}
		seen[labelled{l.I, l.Class}] = true
		if e.Label < 0 {
			first[l.I] = End{l.Class, at}
			continue
		}
		out = append(out, &ConflictError{Kind: TwoLabels, A: l.I, B: l.I, Pair: -1, Ends: [2]End{e, {l.Class, at}}})
	}
	return out
}
