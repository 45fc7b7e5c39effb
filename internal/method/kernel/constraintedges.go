package kernel

import (
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// softEdges returns the entries of the constraint matrix W as the paper has them:
// the given pairs, +w for a must-link and −w for a cannot-link, each times its own
// weight. Beliefs enter by their sign and strength. A label counts as a must-link
// to the strongest label of its class, and the strongest of two classes as a
// cannot-link, each with the weaker weight of the two. They are for a pair of weight 1.
func softEdges(s *constraint.Set) []data.Edge {
	if s.Empty() {
		return nil
	}
	var edges []data.Edge
	for _, p := range s.Must {
		edges = append(edges, data.Edge{U: p.I, V: p.J, W: p.W})
	}
	for _, p := range s.Cannot {
		edges = append(edges, data.Edge{U: p.I, V: p.J, W: -p.W})
	}
	for _, p := range s.Beliefs {
		if p.W != 0 {
			edges = append(edges, data.Edge{U: p.I, V: p.J, W: p.W})
		}
	}
	return append(edges, labelEdges(s)...)
}

// labelEdges returns the pairs that labels stand for. Points with labels of
// several classes are left out.
func labelEdges(s *constraint.Set) (edges []data.Edge) {
	mixed, strongest := s.SoftSeeds(), s.StrongestLabels()
	for _, l := range s.Labels {
		if first := constraint.OfClass(strongest, l.Class); !mixed[l.I] && l.I != first.I && first.W > 0 {
			edges = append(edges, data.Edge{U: first.I, V: l.I, W: l.W})
		}
	}
	for c, l := range strongest {
		for _, m := range strongest[:c] {
			if w := min(l.W, m.W); w > 0 {
				edges = append(edges, data.Edge{U: l.I, V: m.I, W: -w})
			}
		}
	}
	return edges
}

// cannotEdges returns what it costs to violate each cannot-link, cost times the
// weight of the link, and to put two points of different classes together. It is
// for graphs in which must-links and labels are contracted and need no reward.
func cannotEdges(s *constraint.Set, cost float64) (edges []data.Edge) {
	if s.Empty() {
		return nil
	}
	for _, p := range s.Cannot {
		edges = append(edges, data.Edge{U: p.I, V: p.J, W: cost * p.W})
	}
	for _, e := range labelEdges(s) {
		if e.W < 0 {
			edges = append(edges, data.Edge{U: e.U, V: e.V, W: -cost * e.W})
		}
	}
	return edges
}
