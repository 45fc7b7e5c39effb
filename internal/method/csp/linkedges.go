package csp

import (
	"math"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// maxLinkWeight is what a link counts for at most: beyond it, rounding is all that
// is left of the edges beside it.
const maxLinkWeight = 1e6

// linkEdges are the constraints, as edges between the nodes of a graph: a link of
// weight 1 weighs as much as the mean of the degrees of its ends, times factor.
type linkEdges struct {
	nodes      *spectral.NodeGraph
	sqrtDegree []float64 // √degree
	factor     float64
	class      [][]constraint.Label // those of nodes, so that products of weights are at most the smaller one
}

func newLinkEdges(f *spectral.NodeGraph, s *constraint.Set, factor float64) *linkEdges {
	l := &linkEdges{nodes: f, sqrtDegree: make([]float64, len(f.Points)), factor: factor, class: make([][]constraint.Label, s.Classes())}
	for i := range l.sqrtDegree {
		l.sqrtDegree[i] = math.Sqrt(f.Graph.Degree(i))
	}
	top := min(s.MaxLabelWeight(), math.Sqrt(maxLinkWeight))
	for _, y := range s.Labels {
		if f.NodeOf[y.I] >= 0 && y.W > 0 {
			y.W = min(y.W, top) / math.Sqrt(top)
			l.class[y.Class] = append(l.class[y.Class], y)
		}
	}
	return l
}

// edgesOfPairs returns those of the list whose sign is that of sign, as edges.
func (l *linkEdges) edgesOfPairs(list []constraint.Pair, sign float64) (out []data.Edge) {
	for _, p := range list {
		i, j := l.nodes.NodeOf[p.I], l.nodes.NodeOf[p.J]
		if w := min(sign*p.W, maxLinkWeight); i >= 0 && j >= 0 && i != j && w > 0 {
			out = append(out, data.Edge{U: min(i, j), V: max(i, j), W: l.factor * w * l.sqrtDegree[i] * l.sqrtDegree[j]})
		}
	}
	return out
}

// mustEdges returns the edges that join G.
func (l *linkEdges) mustEdges(s *constraint.Set) []data.Edge {
	out := append(l.edgesOfPairs(s.Must, 1), l.edgesOfPairs(s.Beliefs, 1)...)
	for _, class := range l.class {
		for step := 1; step < len(class); step *= 2 {
			for q, a := range class[:len(class)-step] {
				b := class[q+step]
				out = append(out, l.edgesOfPairs([]constraint.Pair{{I: a.I, J: b.I, W: a.W * b.W}}, 1)...)
			}
		}
	}
	return out
}

// cannotLaplacian returns L_C, the Laplacian of the cannot-links, as a demand over nodes
// of the given degrees in G.
func (l *linkEdges) cannotLaplacian(s *constraint.Set, degree []float64) (*spectral.ConstraintMatrix, error) {
	d := &spectral.ConstraintMatrix{InvSqrtDegree: make([]float64, len(degree))}
	for i, y := range degree {
		d.InvSqrtDegree[i] = 1 / math.Sqrt(y)
	}
	diag, total, sums := make([]float64, len(degree)), 0.0, make([]float64, len(l.class))
	for c, class := range l.class {
		if len(class) == 0 {
			continue
		}
		g := spectral.Group{}
		for _, y := range class {
			i := l.nodes.NodeOf[y.I]
			g.AddNode(i, y.W*l.sqrtDegree[i]*math.Sqrt(l.factor))
		}
		for h := range d.Groups {
			d.Couplings = append(d.Couplings, spectral.Coupling{G: h, H: len(d.Groups), W: -1})
		}
		d.Groups = append(d.Groups, g)
		for _, w := range g.W {
			sums[c] += w
		}
		total += sums[c]
	}
	if len(d.Groups) < 2 { // one class is apart from nothing
		d.Groups, d.Couplings = nil, nil
	}
	at := 0
	for c, class := range l.class {
		if len(class) == 0 || d.Groups == nil {
			continue
		}
		for q, i := range d.Groups[at].Node {
			diag[i] += float64(d.Groups[at].W[q] * (total - sums[c]))
		}
		at++
	}
	apart := append(l.edgesOfPairs(s.Cannot, 1), l.edgesOfPairs(s.Beliefs, -1)...)
	for q := range apart {
		diag[apart[q].U] += apart[q].W
		diag[apart[q].V] += apart[q].W
		apart[q].W = -apart[q].W
	}
	for i, y := range diag {
		if y > 0 {
			apart = append(apart, data.Edge{U: i, V: i, W: y})
		}
	}
	var err error
	if d.Pairs, err = data.NewGraph(len(degree), apart); err != nil {
		return nil, err
	}
	d.Support = d.FindSupport()
	return d, nil
}
