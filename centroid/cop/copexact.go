package cop

import (
	"math"

	"github.com/inklinghq/inkling/internal/combinatorial"
)

// prices returns what q costs in each cluster while the centres stand still,
// infinite where it is banned. It is good until the next call.
func (s *layout) prices(q int32) []float64 {
	v, w := s.at(q, s.buf), s.weight[q]
	for h := range s.price {
		s.price[h] = w * s.dist2(v, h)
	}
	for _, h := range s.ban.of(q) {
		s.price[h] = math.Inf(1)
	}
	return s.price
}

// solve finds the cheapest legal labels of a part that is no tangle, the
// centres standing still. The cost is infinite where there are none. labels
// are in the order of the part's lumps.
func (s *layout) solve(p part) (labels []int32, cost float64) {
	for at, q := range p.lumps {
		s.place[q] = int32(at)
	}
	switch p.shape {
	case tree:
		return s.solveTree(p.lumps)
	case halves:
		return s.solveHalves(p.lumps)
	}
	return s.solveClique(p.lumps)
}

// twig is the cheapest that a lump and all below it in the tree can have, and
// the cheapest with the lump in another cluster.
type twig struct {
	best, next   float64
	first, other int32
}

// solveTree works from the leaves to the root: a lump in cluster h takes from
// each child the cheapest that is not h. O(lumps · k).
func (s *layout) solveTree(lumps []int32) (labels []int32, cost float64) {
	twigs, parent := make([]twig, len(lumps)), make([]int32, len(lumps))
	for at := range parent {
		parent[at] = -1
	}
	for at, q := range lumps { // breadth first: a neighbour further on is a child
		for _, r := range s.apart.of(q) {
			if s.place[r] > int32(at) {
				parent[s.place[r]] = int32(at)
			}
		}
	}
	for at := len(lumps) - 1; at >= 0; at-- {
		price := s.prices(lumps[at])
		for _, r := range s.apart.of(lumps[at]) {
			child := s.place[r]
			if child < int32(at) {
				continue
			}
			for h := range price {
				if int32(h) == twigs[child].first {
					price[h] += twigs[child].next
				} else {
					price[h] += twigs[child].best
				}
			}
		}
		t := twig{math.Inf(1), math.Inf(1), -1, -1}
		for h, c := range price {
			switch {
			case c < t.best:
				t.next, t.other = t.best, t.first
				t.best, t.first = c, int32(h)
			case c < t.next:
				t.next, t.other = c, int32(h)
			}
		}
		twigs[at] = t
	}
	labels = make([]int32, len(lumps))
	for at, t := range twigs {
		labels[at] = t.first
		if p := parent[at]; p >= 0 && labels[p] == t.first {
			labels[at] = t.other
		}
	}
	return labels, twigs[0].best
}

// solveHalves colours the part with two clusters and takes the cheaper way.
func (s *layout) solveHalves(lumps []int32) (labels []int32, cost float64) {
	labels = make([]int32, len(lumps))
	for at := 1; at < len(labels); at++ {
		labels[at] = -1
	}
	var straight, crossed float64
	for at, q := range lumps { // breadth first: q is coloured by now
		price := s.prices(q)
		straight, crossed = straight+price[labels[at]], crossed+price[1-labels[at]]
		for _, r := range s.apart.of(q) {
			switch labels[s.place[r]] {
			case -1:
				labels[s.place[r]] = 1 - labels[at]
			case labels[at]:
				return nil, math.Inf(1)
			}
		}
	}
	if straight <= crossed {
		return labels, straight
	}
	for at := range labels {
		labels[at] = 1 - labels[at]
	}
	return labels, crossed
}

// solveClique gives each lump a cluster of its own at the least cost.
func (s *layout) solveClique(lumps []int32) (labels []int32, cost float64) {
	if len(lumps) > s.k {
		return nil, math.Inf(1)
	}
	table := make([]float64, 0, len(lumps)*s.k)
	for _, q := range lumps {
		table = append(table, s.prices(q)...)
	}
	return combinatorial.Assign(table, s.k)
}
