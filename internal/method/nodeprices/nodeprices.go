// Package nodeprices computes what moves of nodes and what constraints cost in the
// objectives of package kernel, in which a cluster is nothing but its nodes:
//
//	J = constant − Σ_c z_c'(B + W)z_c / α(c) + costs of violated cannot-links
//
// with the affinities B, the constraint matrix W, the indicator z_c of cluster c and the
// node weights α. A move changes mass α(c) and association z_c'(B + W)z_c of two
// clusters, so its cost is the exact difference of J between two clusterings.
package nodeprices

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Nodes are the nodes of a problem, with all of J but the labels. It is a
// cluster.Pricing.
type Nodes struct {
	K           int
	Alpha, Self []float64   // of each node: its weight, and B_ii + W_ii
	Affinity    *data.Graph // B; nil: Sums has it. Loops are not read
	Sums        []float64   // by cluster, then node: of B + W to the other nodes there; for the labels of the fit alone
	Pairs       *data.Graph // W without its diagonal; nil: there are no soft pairs
	Cannot      *data.Graph // costs of two nodes being together; nil: none
	Group       []int32     // nodes of one group move as one; nil: each by itself

	PairWeight   float64 // of a pair of weight 1 in W
	CannotWeight float64 // of a cannot-link of weight 1 in Cannot; 0: it is in W
	MustCosts    bool    // must-links are on the diagonal of W too: violated ones cost something, satisfied ones earn nothing
}

// Prices returns the prices of labels.
func (f *Nodes) Prices(p *cluster.Problem, labels []int) cluster.PointPrices {
	s := &prices{Nodes: f, labels: labels, mass: make([]float64, f.K), association: make([]float64, f.K), sizes: make([]int, f.K),
		known: p.Constraints, strongest: p.Constraints.StrongestLabels(), softSeeds: p.Constraints.SoftSeeds(), last: -1}
	for i, c := range labels {
		s.mass[c] += f.Alpha[i]
		s.association[c] += f.Self[i]
		s.sizes[c]++
		s.eachSum(i, func(h int, w float64) {
			if h == c {
				s.association[c] += w
			}
		})
	}
	if f.Group != nil {
		s.members = map[int32][]int{}
		for i, g := range f.Group {
			s.members[g] = append(s.members[g], i)
		}
	}
	return s
}

type prices struct {
	*Nodes
	labels            []int
	mass, association []float64
	sizes             []int
	known             *constraint.Set
	members           map[int32][]int    // of each group
	strongest         []constraint.Label // of each class that has one
	softSeeds         map[int]bool
	last              int // the first node of set
	set               nodeSet
}

// A nodeSet is nodes of one cluster that move together.
type nodeSet struct {
	size         int
	alpha, self  float64
	sums, cannot []float64 // by cluster: of B + W, and of Cannot, to the nodes there that are not in the set
}

// MoveAsOne reports whether nodes i and j move as one.
func (s *prices) MoveAsOne(i, j int) bool { return s.Group != nil && s.Group[i] == s.Group[j] }

// MoveCost returns the difference of J if node i, with its group, moves to cluster to.
func (s *prices) MoveCost(i, to int) float64 {
	x, from := s.setOf(i), s.labels[i]
	before := quotient(s.association[from], s.mass[from]) + quotient(s.association[to], s.mass[to])
	after := quotient(s.association[to]+2*x.sums[to]+x.self, s.mass[to]+x.alpha)
	if rest := s.mass[from] - x.alpha; s.sizes[from] > x.size && rest > 1e-12*s.mass[from] { // else nothing, or rounding
		after += quotient(s.association[from]-2*x.sums[from]-x.self, rest)
	}
	return before - after + (x.cannot[to] - x.cannot[from])
}

// setOf returns node i, with its group.
func (s *prices) setOf(i int) *nodeSet {
	nodes := []int{i}
	if s.Group != nil {
		nodes = s.members[s.Group[i]]
	}
	if nodes[0] == s.last {
		return &s.set
	}
	s.last, s.set = nodes[0], nodeSet{size: len(nodes), sums: make([]float64, s.K), cannot: make([]float64, s.K)}
	in, own := make(map[int32]bool, len(nodes)), s.labels[i]
	for _, j := range nodes {
		in[int32(j)] = true
	}
	for _, j := range nodes {
		s.set.alpha += s.Alpha[j]
		s.set.self += s.Self[j]
		s.eachSum(j, func(c int, w float64) { s.set.sums[c] += w })
		eachEntry(s.Cannot, j, func(l int32, w float64) {
			if !in[l] {
				s.set.cannot[s.labels[l]] += w
			}
		})
		if len(nodes) == 1 {
			continue
		}
		for _, g := range []*data.Graph{s.Affinity, s.Pairs} { // sums within the set
			eachEntry(g, j, func(l int32, w float64) {
				if in[l] {
					s.set.sums[own] -= w
					s.set.self += w
				}
			})
		}
	}
	return &s.set
}

// eachSum calls do with clusters and what B + W of node i to other nodes there adds up to,
// perhaps in parts.
func (s *prices) eachSum(i int, do func(c int, w float64)) {
	if s.Affinity == nil {
		for c := range s.K {
			do(c, s.Sums[c*len(s.labels)+i])
		}
		return
	}
	for _, g := range []*data.Graph{s.Affinity, s.Pairs} {
		eachEntry(g, i, func(j int32, w float64) { do(s.labels[j], w) })
	}
}

// eachEntry calls do for the entries of row i but the diagonal.
func eachEntry(g *data.Graph, i int, do func(j int32, w float64)) {
	if g == nil || g.Start == nil {
		return
	}
	to, w := g.Neighbours(i)
	for q, j := range to {
		if int(j) != i {
			do(j, w[q])
		}
	}
}

// quotient is what a cluster adds to −J: 0 without mass.
func quotient(association, mass float64) float64 {
	if mass <= 0 {
		return 0
	}
	return association / mass
}

// PairPenalty returns by how much J would be lower without the pair, all labels as they
// are.
func (s *prices) PairPenalty(kind cluster.Kind, q constraint.Pair) (float64, bool) {
	switch {
	case q.I == q.J || kind == cluster.MustLinks && s.Group != nil: // these are contracted
		return 0, true
	case kind == cluster.CannotLinks && s.CannotWeight > 0:
		if s.labels[q.I] == s.labels[q.J] {
			return s.CannotWeight * q.W, true
		}
		return 0, true
	case kind == cluster.CannotLinks:
		return s.pairTerm(q.I, q.J, -q.W), true
	}
	return s.pairTerm(q.I, q.J, q.W), true
}

// pairTerm returns what a given pair of weight w, below 0 for nodes to be apart, adds to J
// by W. The entry of W is the sum of all pairs of these nodes.
func (s *prices) pairTerm(i, j int, w float64) float64 {
	if s.PairWeight == 0 || i == j { // the run does not use pairs
		return 0
	}
	entry := 0.0
	eachEntry(s.Pairs, i, func(l int32, y float64) {
		if int(l) == j {
			entry += y
		}
	})
	return s.entryTerm(i, j, entry) - s.entryTerm(i, j, entry-s.PairWeight*w)
}

// entryTerm returns what an entry of W adds to J, with its mirror image.
func (s *prices) entryTerm(i, j int, entry float64) (term float64) {
	a, b := s.labels[i], s.labels[j]
	if a == b {
		term = -2 * quotient(entry, s.mass[a])
	}
	if s.MustCosts && entry > 0 {
		term += quotient(entry, s.mass[a]) + quotient(entry, s.mass[b])
	}
	return term
}

// LabelPenalty returns the terms of the violated pairs that the label stands for: a
// must-link with the strongest label of its class, and those of the strongest one with all
// of its class and with the strongest of others. Where the points of a class are one, all its
// labels stand for the pairs of classes.
func (s *prices) LabelPenalty(l constraint.Label) (sum float64, ok bool) {
	own := constraint.OfClass(s.strongest, l.Class)
	if own.W == 0 || s.softSeeds[l.I] || l.W == 0 {
		return 0, true
	}
	mustTerm := func(x constraint.Label) float64 {
		if s.labels[x.I] == s.labels[own.I] || s.softSeeds[x.I] {
			return 0
		}
		return s.pairTerm(own.I, x.I, x.W)
	}
	switch {
	case s.CannotWeight > 0:
	case l != own:
		return mustTerm(l), true
	default:
		for _, x := range s.known.Labels {
			if x.Class == l.Class {
				sum += mustTerm(x)
			}
		}
	}
	for _, other := range s.strongest {
		switch {
		case other.Class == l.Class || s.labels[other.I] != s.labels[own.I]:
		case s.CannotWeight > 0:
			sum += s.CannotWeight * min(own.W, other.W)
		default:
			sum += s.pairTerm(other.I, own.I, -min(own.W, other.W))
		}
	}
	return sum, true
}
