package density

import (
	"math"

	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// This file chooses clusters among the nodes of a condensed tree: FOSC (Campello, Moulavi,
// Zimek and Sander 2013, "A framework for semi-supervised and unsupervised optimal extraction
// of clusters from hierarchies", Data Mining and Knowledge Discovery 27) as exact dynamic
// programming. What a choice costs is a sum over its nodes and over the points outside of them,
// so the best choice within a subtree does not depend on the rest of the tree.

// choiceCosts are what nodes cost in a choice.
type choiceCosts struct {
	take  []float64 // of each node, if it is a cluster
	leave []float64 // of each node, if neither it nor a node above it is one: its points that are in none of its children
}

// A treeShape is a condensed tree with the children of its nodes.
type treeShape struct {
	parent   []int32
	children [][]int32
	leaves   []int32 // how many are below each node, 1 for a leaf
}

// newTreeShape returns the shape of t. Below the nodes of which cut is true it has none.
func newTreeShape(t *hierarchy.Tree, cut []bool) *treeShape {
	s := &treeShape{parent: t.Parent, children: make([][]int32, len(t.Parent)), leaves: make([]int32, len(t.Parent))}
	hidden := make([]bool, len(t.Parent))
	for v := 1; v < len(t.Parent); v++ {
		up := t.Parent[v]
		if hidden[v] = hidden[up] || cut != nil && cut[up]; !hidden[v] {
			s.children[up] = append(s.children[up], int32(v))
		}
	}
	for v := len(t.Parent) - 1; v >= 0; v-- {
		switch {
		case hidden[v]:
			continue
		case len(s.children[v]) == 0:
			s.leaves[v] = 1
		}
		if v > 0 {
			s.leaves[t.Parent[v]] += s.leaves[v]
		}
	}
	return s
}

// choose returns the nodes that cost least, ascending, and what they cost: exactly one on the way from
// each leaf to the root (Campello et al. 2013, equation 3). The root is a cluster only if root is
// true: without it, a tree that is a root alone has none. Between equal costs the node above is taken.
func (s *treeShape) choose(c choiceCosts, root bool) (nodes []int32, cost float64) {
	best := make([]float64, len(s.parent))
	taken := make([]bool, len(s.parent))
	for v := len(s.parent) - 1; v >= 0; v-- {
		if s.leaves[v] == 0 {
			continue
		}
		below := c.leave[v]
		for _, u := range s.children[v] {
			below += best[u]
		}
		best[v] = below
		if (v > 0 || root) && (len(s.children[v]) == 0 || c.take[v] <= below) {
			best[v], taken[v] = c.take[v], true
		}
	}
	return s.highest(taken), best[0]
}

// highest returns the nodes that are taken and have none above them that is.
func (s *treeShape) highest(taken []bool) (nodes []int32) {
	covered := make([]bool, len(s.parent))
	for v := range s.parent {
		if s.leaves[v] == 0 {
			continue
		}
		if v > 0 && covered[s.parent[v]] {
			covered[v] = true
			continue
		}
		if taken[v] {
			covered[v] = true
			nodes = append(nodes, int32(v))
		}
	}
	return nodes
}

// A countedChoice is the best choice of every number of clusters up to a limit.
type countedChoice struct {
	s     *treeShape
	root  bool
	cost  [][]float64 // by node and number; +Inf: impossible
	parts [][][]int32 // by node, child and number up to that child: how many clusters the child has; nil: the node is a leaf
	taken [][]bool    // by node and number
}

// chooseCounted returns the best choices of up to most clusters, as choose does: one cluster on the way
// from each leaf to the root. Time and memory are O(nodes · most).
func (s *treeShape) chooseCounted(c choiceCosts, root bool, most int) *countedChoice {
	n := len(s.parent)
	out := &countedChoice{s: s, root: root, cost: make([][]float64, n), parts: make([][][]int32, n), taken: make([][]bool, n)}
	for v := n - 1; v >= 0; v-- {
		if s.leaves[v] == 0 {
			continue
		}
		cost := []float64{c.leave[v]} // of the children so far
		for _, u := range s.children[v] {
			var from []int32
			cost, from = addCounted(cost, out.cost[u], most)
			out.parts[v] = append(out.parts[v], from)
		}
		if len(s.children[v]) == 0 && (v > 0 || root) {
			cost = []float64{math.Inf(1)}
		}
		taken := make([]bool, max(len(cost), 2))
		for len(cost) < len(taken) {
			cost = append(cost, math.Inf(1))
		}
		if (v > 0 || root) && c.take[v] <= cost[1] {
			cost[1], taken[1] = c.take[v], true
		}
		out.cost[v], out.taken[v] = cost, taken
	}
	return out
}

// addCounted returns the least costs of two parts together by number, and for each number how many are in the second.
func addCounted(a, b []float64, most int) (sum []float64, from []int32) {
	sum = make([]float64, min(len(a)+len(b)-1, most+1))
	from = make([]int32, len(sum))
	for j := range sum {
		sum[j] = math.Inf(1)
	}
	for i, x := range a {
		for j, y := range b {
			if i+j < len(sum) && x+y < sum[i+j] {
				sum[i+j], from[i+j] = x+y, int32(j)
			}
		}
	}
	return sum, from
}

// best returns the best choice of exactly k clusters; false where there is none.
func (c *countedChoice) best(k int) (nodes []int32, cost float64, ok bool) {
	if k >= len(c.cost[0]) || math.IsInf(c.cost[0][k], 1) {
		return nil, 0, false
	}
	taken := make([]bool, len(c.s.parent))
	count := make([]int, len(c.s.parent))
	count[0] = k
	done := make([]bool, len(c.s.parent)) // a node above is taken
	for v := range c.s.parent {
		if c.s.leaves[v] == 0 {
			continue
		}
		if done[v] || c.taken[v][count[v]] {
			taken[v] = !done[v]
			for _, u := range c.s.children[v] {
				done[u] = true
			}
			continue
		}
		left := count[v]
		for q := len(c.s.children[v]) - 1; q >= 0; q-- {
			u := c.s.children[v][q]
			count[u] = int(c.parts[v][q][left])
			left -= count[u]
		}
	}
	return c.s.highest(taken), c.cost[0][k], true
}
