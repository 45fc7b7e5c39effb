package kernel

import (
	"github.com/inklinghq/inkling/constraint"
)

// A pull is one entry of the constraint matrix W, and its mirror image.
type pull struct {
	i, j int32
	w    float64
}

// soft returns the entries of W as the paper has them: the given pairs, +w for
// a must-link and −w for a cannot-link, each times its own weight. Beliefs
// enter by their sign and strength. A label counts as a must-link to the first
// point of its class, and the first points of two classes as a cannot-link.
// Without a weight of the user's w is n/(kC), C being the number of pairs
// (section 5.1.4).
func softEdges(n, k int, s *constraint.Set, weight float64) []pull {
	if s.Empty() {
		return nil
	}
	var out []pull
	for _, p := range s.Must {
		out = append(out, pull{int32(p.I), int32(p.J), p.W})
	}
	for _, p := range s.Cannot {
		out = append(out, pull{int32(p.I), int32(p.J), -p.W})
	}
	for _, p := range s.Beliefs {
		if p.W != 0 {
			out = append(out, pull{int32(p.I), int32(p.J), p.W})
		}
	}
	out = append(out, labelEdges(s)...)
	if weight == 0 {
		weight = float64(n) / (float64(k) * float64(max(1, len(out))))
	}
	for at := range out {
		out[at].w *= weight
	}
	return out
}

func labelEdges(s *constraint.Set) (out []pull) {
	mixed := s.SoftSeeds()
	first := map[int]int32{}
	var classes []int
	for _, l := range s.Labels {
		if mixed[l.I] {
			continue
		}
		i, ok := first[l.Class]
		if !ok {
			first[l.Class] = int32(l.I)
			classes = append(classes, l.Class)
			continue
		}
		out = append(out, pull{i, int32(l.I), l.W})
	}
	for at, c := range classes {
		for _, d := range classes[:at] {
			out = append(out, pull{first[c], first[d], -1})
		}
	}
	return out
}

// apart returns what it costs to break a cannot-link, for each of them and for
// any two points of different classes, where must-links and labels are
// contracted and need no reward: price times the weight of the link.
func cannotEdges(s *constraint.Set, closed *constraint.Closure, price float64) (out []pull) {
	if s.Empty() {
		return nil
	}
	for _, p := range s.Cannot {
		out = append(out, pull{int32(p.I), int32(p.J), price * p.W})
	}
	classed := closed.Labelled()
	for at, q := range classed {
		for _, r := range classed[:at] {
			out = append(out, pull{closed.Members(int(q))[0], closed.Members(int(r))[0], price})
		}
	}
	return out
}
