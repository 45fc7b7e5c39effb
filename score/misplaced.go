package score

import "github.com/inklinghq/inkling/constraint"

// Misplaced lists the hard labels that are not kept, in the given order: those
// of points whose cluster is not named after their class. It counts as
// Satisfied does.
func Misplaced(s *constraint.Set, labels []int) []constraint.Label {
	if s == nil {
		return nil
	}
	var out []constraint.Label
	soft, names := s.SoftSeeds(), match(agreements(s, labels))
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
