package kernel

import (
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// softEdges returns the entries of the constraint matrix W as the paper has them:
// the given pairs, +w for a must-link and −w for a cannot-link, each times its own
// weight. Beliefs enter by their sign and strength. A label counts as a must-link
// to the first point of its class, and the first points of two classes as a
// cannot-link. They are for a pair of weight 1.
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
	mixed := s.SoftSeeds()
	first := map[int]int{}
	var classes []int
	for _, l := range s.Labels {
		if mixed[l.I] {
			continue
		}
		i, ok := first[l.Class]
		if !ok {
			first[l.Class] = l.I
			classes = append(classes, l.Class)
			continue
		}
		edges = append(edges, data.Edge{U: i, V: l.I, W: l.W})
	}
	for at, c := range classes {
		for _, d := range classes[:at] {
			edges = append(edges, data.Edge{U: first[c], V: first[d], W: -1})
		}
	}
	return edges
}

// cannotEdges returns what it costs to violate each cannot-link, cost times the
// weight of the link, and to put two points of different classes together. It is
// for graphs in which must-links and labels are contracted and need no reward.
func cannotEdges(s *constraint.Set, closed *constraint.Closure, cost float64) (edges []data.Edge) {
	if s.Empty() {
		return nil
	}
	for _, p := range s.Cannot {
		edges = append(edges, data.Edge{U: p.I, V: p.J, W: cost * p.W})
	}
	classed := closed.Labelled()
	for at, q := range classed {
		for _, r := range classed[:at] {
			edges = append(edges, data.Edge{U: int(closed.Members(int(q))[0]), V: int(closed.Members(int(r))[0]), W: cost})
		}
	}
	return edges
}

// scaleOf returns by how much the entries of g are larger than those that the edges make.
func scaleOf(g *sparseMatrix, edges []data.Edge) float64 {
	if g.Start == nil {
		return 0
	}
	unit := newSparseMatrix(g.Len(), edges)
	sum, of := 0.0, 0.0
	for _, w := range g.W {
		sum += abs(w)
	}
	for _, w := range unit.W {
		of += abs(w)
	}
	return quotient(sum, of)
}
