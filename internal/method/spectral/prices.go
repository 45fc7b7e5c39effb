package spectral

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// Pricing returns the graph whose normalized cut is the objective; nil before there is
// one.
func (r *Run) Pricing() cluster.Pricing {
	if r.Nodes == nil {
		return nil
	}
	return r.Nodes
}

// Prices are those of the normalized cut of labels. Constraints shape the eigenvectors, or
// the edges; they have no terms of their own.
func (f *NodeGraph) Prices(p *cluster.Problem, labels []int) cluster.PointPrices {
	s := &prices{nodes: f, labels: labels, clusters: make([]cutShare, p.K)}
	for i, c := range labels {
		x, loop := s.describe(i, c)
		x.inside = (x.inside + loop) / 2 // the other ends add theirs
		s.clusters[c].add(x, 1)
	}
	return s
}

// prices are the prices of a clustering of a graph.
type prices struct {
	nodes    *NodeGraph
	labels   []int
	clusters []cutShare
}

// A cutShare is what a cluster, or a point that joins one, has of the volume.
type cutShare struct {
	size           int
	volume, inside float64 // of all edges, and of those within the cluster, each from both its ends
}

func (a *cutShare) add(b cutShare, sign float64) {
	a.size += int(sign) * b.size
	a.volume += sign * b.volume
	a.inside += sign * b.inside
}

// cut returns what the cluster adds to the objective (see ncut); what is left of the
// volume after a point has moved away may be rounding.
func (a cutShare) cut(before float64) float64 {
	switch {
	case a.size == 0:
		return 2 // 1 in the cut, and 1 in a term of its own
	case a.volume > 1e-12*before:
		return (a.volume - a.inside) / a.volume
	}
	return 0
}

// describe returns what point i adds to cluster c, its edges from both their ends, and
// what of that is an edge to itself.
func (s *prices) describe(i, c int) (x cutShare, loop float64) {
	x.size = 1
	at := s.nodes.NodeOf[i]
	if at < 0 {
		return x, 0
	}
	to, w := s.nodes.Graph.Neighbours(at)
	for q, j := range to {
		x.volume += w[q]
		switch {
		case int(j) == at:
			x.inside += w[q]
			loop += w[q]
		case s.labels[s.nodes.Points[j]] == c:
			x.inside += 2 * w[q]
		}
	}
	return x, loop
}

// MoveCost is the difference of the normalized cut between two clusterings.
func (s *prices) MoveCost(i, to int) float64 {
	from := s.labels[i]
	a, b := s.clusters[from], s.clusters[to]
	was := a.cut(a.volume) + b.cut(b.volume)
	before := a.volume
	leaves, _ := s.describe(i, from)
	joins, _ := s.describe(i, to)
	a.add(leaves, -1)
	b.add(joins, 1)
	return a.cut(before) + b.cut(b.volume) - was
}

func (s *prices) PairPenalty(cluster.Kind, constraint.Pair) (float64, bool) { return 0, false }

func (s *prices) LabelPenalty(constraint.Label) (float64, bool) { return 0, false }
