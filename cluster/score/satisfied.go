package score

import "github.com/inklinghq/inkling/cluster/constraint"

// Count is how many constraints of one kind were given and how many of them a
// clustering satisfies.
type Count struct {
	Given     int `json:"given"`
	Satisfied int `json:"satisfied"`
}

// LabelCount is how many hard labels were given and how many are satisfied.
type LabelCount struct {
	Given int `json:"given"`
	Kept  int `json:"kept"`
}

// Kept is how many constraints a clustering satisfies, by kind.
type Kept struct {
	Must    Count      `json:"must"`
	Cannot  Count      `json:"cannot"`
	Beliefs Count      `json:"beliefs"` // those that are not 0, which is neutral
	Labels  LabelCount `json:"labels"`
}

// Satisfied counts the given constraints, not the entailed ones, that the labels
// satisfy. A point with a label below 0, or beyond the labels, is in no cluster
// and together with no other point. A hard label is satisfied if its point's cluster is named after its class (see NameClusters);
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
