package constraint

import "slices"

// A pathSearch finds shortest paths in a linkGraph from both ends at once. It
// keeps its arrays between searches.
type pathSearch struct {
	g     *linkGraph
	mark  []int32 // which search visited a node: ±round, + from a, - from b
	from  []hop   // the hop back towards that end
	round int32
	work  int // edges looked at, over all searches
}

func newPathSearch(g *linkGraph) *pathSearch {
	return &pathSearch{g: g, mark: make([]int32, g.nodes()), from: make([]hop, g.nodes())}
}

// shortestPath returns the shortest path from a to b, a != b, if it has at most
// limit edges, else nil. It always grows the end with fewer edges to look at,
// so that a class or point of high degree is expanded only if necessary.
func (s *pathSearch) shortestPath(a, b, limit int32) []hop {
	s.round++
	s.mark[a], s.mark[b] = s.round, -s.round
	s.from[a], s.from[b] = hop{-1, 0}, hop{-1, 0}
	ends := [2][]int32{{a}, {b}}
	sign := [2]int32{s.round, -s.round}
	for depth := int32(1); depth <= limit; depth++ {
		e := 0
		if s.frontEdges(ends[1]) < s.frontEdges(ends[0]) {
			e = 1
		}
		next, u, h, met := s.growFront(ends[e], sign[e])
		if met {
			if e == 0 {
				return s.joinPaths(u, h)
			}
			return s.joinPaths(h.to, hop{u, h.entry})
		}
		if len(next) == 0 {
			return nil
		}
		ends[e] = next
	}
	return nil
}

func (s *pathSearch) frontEdges(front []int32) int {
	sum := 0
	for _, v := range front {
		sum += s.g.degree(v)
	}
	return sum
}

// growFront visits all nodes one edge beyond front, until it meets the other end
// over hop h from u.
func (s *pathSearch) growFront(front []int32, sign int32) (next []int32, u int32, h hop, met bool) {
	g := s.g
	for _, u := range front {
		s.work += g.degree(u)
		for p := g.off[u]; p < g.off[u+1]; p++ {
			v := g.to[p]
			switch s.mark[v] {
			case sign:
			case -sign:
				return nil, u, hop{v, g.entry[p]}, true
			default:
				s.mark[v], s.from[v] = sign, hop{u, g.entry[p]}
				next = append(next, v)
			}
		}
	}
	return next, 0, hop{}, false
}

// joinPaths writes out the path through hop h, which leads from u on the side of a
// to a node on the side of b.
func (s *pathSearch) joinPaths(u int32, h hop) []hop {
	var hops []hop
	for v := u; s.from[v].to >= 0; v = s.from[v].to {
		hops = append(hops, hop{v, s.from[v].entry})
	}
	slices.Reverse(hops)
	hops = append(hops, h)
	for v := h.to; s.from[v].to >= 0; v = s.from[v].to {
		hops = append(hops, s.from[v])
	}
	return hops
}
