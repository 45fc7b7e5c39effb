package score

import "github.com/inklinghq/inkling/constraint"

// Count says how many pieces of knowledge of one kind were given and how many
// of them a clustering satisfies.
type Count struct {
	Given     int `json:"given"`
	Satisfied int `json:"satisfied"`
}

// Share returns Satisfied/Given; of nothing given, all is satisfied: 1.
func (c Count) Share() float64 { return share(uint64(c.Satisfied), uint64(c.Given)) }

// LabelCount says how many hard labels were given and how many were kept.
type LabelCount struct {
	Given int `json:"given"`
	Kept  int `json:"kept"`
}

// Share returns Kept/Given, and 1 where nothing was given.
func (c LabelCount) Share() float64 { return share(uint64(c.Kept), uint64(c.Given)) }

// Kept says how far a clustering honours what was known, by kind.
type Kept struct {
	Must    Count      `json:"must"`
	Cannot  Count      `json:"cannot"`
	Beliefs Count      `json:"beliefs"` // those that are not 0, which says nothing
	Labels  LabelCount `json:"labels"`
}

// Satisfied counts the given knowledge, not what follows from it, that the
// labels honour. A label below 0 is no cluster, and neither is that of a point
// beyond the labels: such a point is together with no other. A hard label is
// kept if its point's cluster is named after its class (see NameClusters);
// the labels of a soft seed are not counted.
func Satisfied(s *constraint.Set, labels []int) Kept {
	var k Kept
	if s == nil {
		return k
	}
	k.Must.Given, k.Cannot.Given = len(s.Must), len(s.Cannot)
	for _, p := range s.Must {
		if together(labels, p) {
			k.Must.Satisfied++
		}
	}
	for _, p := range s.Cannot {
		if !together(labels, p) {
			k.Cannot.Satisfied++
		}
	}
	for _, p := range s.Beliefs {
		if p.W > 0 || p.W < 0 {
			k.Beliefs.Given++
			if together(labels, p) == (p.W > 0) {
				k.Beliefs.Satisfied++
			}
		}
	}
	k.Labels = keptLabels(s, labels)
	return k
}

func keptLabels(s *constraint.Set, labels []int) (c LabelCount) {
	soft := s.SoftSeeds()
	for _, l := range s.Labels {
		if !soft[l.I] {
			c.Given++
		}
	}
	c.Kept = c.Given - len(Misplaced(s, labels))
	return c
}

func together(labels []int, p constraint.Pair) bool {
	if p.I == p.J {
		return true
	}
	a, b := clusterOf(labels, p.I), clusterOf(labels, p.J)
	return a >= 0 && a == b
}

func clusterOf(labels []int, i int) int {
	if i < 0 || i >= len(labels) {
		return -1
	}
	return labels[i]
}

// Kind says what sort of knowledge about a pair a violation breaks.
type Kind string

// The kinds of knowledge about a pair.
const (
	Must   Kind = "must"
	Cannot Kind = "cannot"
	Belief Kind = "belief"
)

// A Violation is a given pair that a clustering does not honour: points A and
// B, and the weight or the belief that was given for them.
type Violation struct {
	A      int     `json:"a"`
	B      int     `json:"b"`
	Kind   Kind    `json:"kind"`
	Weight float64 `json:"weight"`
}

// Violations lists the given pairs, not the entailed ones, that the labels
// break: must-links, then cannot-links, then beliefs, each in the given order.
// It counts as Satisfied does.
func Violations(s *constraint.Set, labels []int) []Violation {
	if s == nil {
		return nil
	}
	var v []Violation
	add := func(pairs []constraint.Pair, kind Kind, broken func(constraint.Pair) bool) {
		for _, p := range pairs {
			if broken(p) {
				v = append(v, Violation{p.I, p.J, kind, p.W})
			}
		}
	}
	add(s.Must, Must, func(p constraint.Pair) bool { return !together(labels, p) })
	add(s.Cannot, Cannot, func(p constraint.Pair) bool { return together(labels, p) })
	add(s.Beliefs, Belief, func(p constraint.Pair) bool {
		return p.W > 0 && !together(labels, p) || p.W < 0 && together(labels, p)
	})
	return v
}
