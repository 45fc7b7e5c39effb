package density

import (
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// nodeScores are what the choice of clusters counts, by node.
type nodeScores struct {
	mass []float64 // excess of mass of the node as a cluster, weighted by the points
	// Of links each end counts half (Campello et al. 2013, section 4.2): together is what
	// cannot-links violate in the node, apart what must-links do, noise what must-links do whose
	// end falls out of the node.
	together, apart, noise []float64
	// Of labels each counts 1: mixed are those of a node that are not of its commonest class,
	// fallen those whose point falls out of the node.
	mixed, fallen []float64
}

// newNodeScores sums links and labels up over the tree, in time O(nodes + links · depth).
func newNodeScores(t *hierarchy.Tree, mass []float64, must, cannot []constraint.Pair, labels []constraint.Label) *nodeScores {
	n := len(t.Parent)
	s := &nodeScores{mass: mass, together: make([]float64, n), apart: make([]float64, n), noise: make([]float64, n),
		mixed: make([]float64, n), fallen: make([]float64, n)}
	for _, q := range must {
		a, b := t.Node[q.I], t.Node[q.J]
		s.noise[a] += q.W / 2
		s.noise[b] += q.W / 2
		s.apart[a] += q.W / 2
		s.apart[b] += q.W / 2
		s.apart[commonNode(t, a, b)] -= q.W
	}
	for _, q := range cannot {
		s.together[commonNode(t, t.Node[q.I], t.Node[q.J])] += q.W
	}
	for v := n - 1; v > 0; v-- {
		s.apart[t.Parent[v]] += s.apart[v]
		s.together[t.Parent[v]] += s.together[v]
	}
	s.countLabels(t, labels)
	return s
}

// commonNode returns the lowest node that holds both.
func commonNode(t *hierarchy.Tree, a, b int32) int32 {
	for a != b { // a parent precedes its children
		if a > b {
			a = t.Parent[a]
		} else {
			b = t.Parent[b]
		}
	}
	return a
}

// countLabels counts the classes of each node; the smaller of two counts is added to the larger.
func (s *nodeScores) countLabels(t *hierarchy.Tree, labels []constraint.Label) {
	if len(labels) == 0 {
		return
	}
	count := make([]map[int]int, len(t.Parent))
	all, most := make([]int, len(t.Parent)), make([]int, len(t.Parent))
	add := func(v int32, class, number int) {
		if count[v] == nil {
			count[v] = map[int]int{}
		}
		count[v][class] += number
		all[v] += number
		most[v] = max(most[v], count[v][class])
	}
	for _, l := range labels {
		v := t.Node[l.I]
		s.fallen[v]++
		add(v, l.Class, 1)
	}
	for v := int32(len(t.Parent) - 1); v >= 0; v-- {
		s.mixed[v] = float64(all[v] - most[v])
		if v == 0 || count[v] == nil {
			continue
		}
		up := t.Parent[v]
		if len(count[up]) < len(count[v]) {
			count[up], count[v] = count[v], count[up]
			all[up], all[v] = all[v], all[up]
			most[up], most[v] = most[v], most[up]
		}
		for class, number := range count[v] { // sums of whole numbers: the order does not matter
			add(up, class, number)
		}
		count[v] = nil
	}
}

// costs returns what nodes cost where a unit of violated links costs link, and a violated label costs label, as
// much as so much mass.
func (s *nodeScores) costs(link, label float64) choiceCosts {
	c := choiceCosts{take: make([]float64, len(s.mass)), leave: make([]float64, len(s.mass))}
	for v := range s.mass {
		c.take[v] = -s.mass[v] + float64(link*(s.together[v]+s.apart[v])) + float64(label*s.mixed[v])
		c.leave[v] = float64(link*s.noise[v]) + float64(label*s.fallen[v])
	}
	return c
}
