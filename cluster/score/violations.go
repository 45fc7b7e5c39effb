package score

import "github.com/inklinghq/inkling/cluster/constraint"

// A Kind is the kind of constraint that a violation breaks.
type Kind string

// The kinds of constraints on a pair.
const (
	Must   Kind = "must"
	Cannot Kind = "cannot"
	Belief Kind = "belief"
)

// A Violation is a given pair that a clustering does not satisfy: points A and
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

// Misplaced lists the hard labels that are not satisfied, in the given order: those
// of points whose cluster is not named after their class. It counts as
// Satisfied does.
func Misplaced(s *constraint.Set, labels []int) []constraint.Label {
	if s == nil {
		return nil
	}
	var out []constraint.Label
	soft, names := s.SoftSeeds(), matchClasses(agreements(s, labels))
	for _, l := range s.Labels {
		if soft[l.I] {
			continue
		}
		if name, ok := names[clusterOf(labels, l.I)]; !ok || name != l.Class {
			out = append(out, l)
		}
	}
	return out
}

func together(labels []int, p constraint.Pair) bool {
	if p.I == p.J {
		return true
	}
	a, b := clusterOf(labels, p.I), clusterOf(labels, p.J)
	return a >= 0 && a == b
}
