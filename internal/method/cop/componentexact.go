package cop

import (
	"math"

	"github.com/inklinghq/inkling/internal/compute/combinatorial"
)

// assignmentCosts returns the cost of q in each cluster with fixed centres, infinite
// for forbidden clusters. The slice is valid until the next call.
func (s *partition) assignmentCosts(q int32) []float64 {
	v, w := s.position(q, s.buf), s.weight[q]
	for h := range s.costScratch {
		s.costScratch[h] = w * s.squaredDistance(v, h)
	}
	for _, h := range s.forbidden.listOf(q) {
		s.costScratch[h] = math.Inf(1)
	}
	return s.costScratch
}

// solveExactly returns the cheapest labels without violations, with fixed centres, of
// a component whose shape is not general, in the order of its chunklets. The cost is
// infinite if there are no such labels.
func (s *partition) solveExactly(p cannotComponent) (labels []int32, cost float64) {
	for v, q := range p.chunklets {
		s.indexInComponent[q] = int32(v)
	}
	switch p.shape {
	case shapeTree:
		return s.solveTree(p.chunklets)
	case shapeTwoClusters:
		return s.solveTwoClusters(p.chunklets)
	}
	return s.solveClique(p.chunklets)
}

// subtreeCost is the least cost of a chunklet and its descendants in the tree, and the
// least cost with the chunklet in another cluster than in the best solution.
type subtreeCost struct {
	bestCost, secondCost       float64
	bestCluster, secondCluster int32
}

// solveTree is dynamic programming from the leaves to the root: a chunklet in cluster
// h adds the least cost of each child's subtree with the child not in h.
// O(chunklets · k).
func (s *partition) solveTree(chunklets []int32) (labels []int32, cost float64) {
	subtrees, parent := make([]subtreeCost, len(chunklets)), make([]int32, len(chunklets))
	for v := range parent {
		parent[v] = -1
	}
	for v, q := range chunklets { // breadth-first order: a later neighbour is a child
		for _, r := range s.cannotLinked.listOf(q) {
			if s.indexInComponent[r] > int32(v) {
				parent[s.indexInComponent[r]] = int32(v)
			}
		}
	}
	for v := len(chunklets) - 1; v >= 0; v-- {
		costs := s.assignmentCosts(chunklets[v])
		for _, r := range s.cannotLinked.listOf(chunklets[v]) {
			child := s.indexInComponent[r]
			if child < int32(v) {
				continue
			}
			for h := range costs {
				if int32(h) == subtrees[child].bestCluster {
					costs[h] += subtrees[child].secondCost
				} else {
					costs[h] += subtrees[child].bestCost
				}
			}
		}
		t := subtreeCost{math.Inf(1), math.Inf(1), -1, -1}
		for h, c := range costs {
			switch {
			case c < t.bestCost:
				t.secondCost, t.secondCluster = t.bestCost, t.bestCluster
				t.bestCost, t.bestCluster = c, int32(h)
			case c < t.secondCost:
				t.secondCost, t.secondCluster = c, int32(h)
			}
		}
		subtrees[v] = t
	}
	labels = make([]int32, len(chunklets))
	for v, t := range subtrees {
		labels[v] = t.bestCluster
		if p := parent[v]; p >= 0 && labels[p] == t.bestCluster {
			labels[v] = t.secondCluster
		}
	}
	return labels, subtrees[0].bestCost
}

// solveTwoClusters finds the bipartition of the component, if it is bipartite, and
// takes the cheaper of its two labellings.
func (s *partition) solveTwoClusters(chunklets []int32) (labels []int32, cost float64) {
	labels = make([]int32, len(chunklets))
	for v := 1; v < len(labels); v++ {
		labels[v] = -1
	}
	var cost01, cost10 float64
	for v, q := range chunklets { // breadth-first order: q has a label by now
		costs := s.assignmentCosts(q)
		cost01, cost10 = cost01+costs[labels[v]], cost10+costs[1-labels[v]]
		for _, r := range s.cannotLinked.listOf(q) {
			switch labels[s.indexInComponent[r]] {
			case -1:
				labels[s.indexInComponent[r]] = 1 - labels[v]
			case labels[v]:
				return nil, math.Inf(1)
			}
		}
	}
	if cost01 <= cost10 {
		return labels, cost01
	}
	for v := range labels {
		labels[v] = 1 - labels[v]
	}
	return labels, cost10
}

// solveClique gives each chunklet a different cluster at the least total cost.
func (s *partition) solveClique(chunklets []int32) (labels []int32, cost float64) {
	if len(chunklets) > s.k {
		return nil, math.Inf(1)
	}
	costMatrix := make([]float64, 0, len(chunklets)*s.k)
	for _, q := range chunklets {
		costMatrix = append(costMatrix, s.assignmentCosts(q)...)
	}
	return combinatorial.Assign(costMatrix, s.k)
}
