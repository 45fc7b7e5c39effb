package constraint

import "slices"

// A search finds shortest paths in a web from both ends at once. It keeps its
// arrays between searches.
type search struct {
	g    *web
	mark []int32 // who visited a node: ±round, + from a, - from b
	from []hop   // the hop back towards that end
	now  int32
	work int // edges looked at, over all searches
}

func newSearch(g *web) *search {
	return &search{g: g, mark: make([]int32, g.nodes()), from: make([]hop, g.nodes())}
}

// shorter returns the shortest path from a to b, a != b, if it has at most
// limit edges, else nil. It always grows the end with fewer edges to look at,
// so that a popular class or point is opened only when there is no other way.
func (s *search) shorter(a, b, limit int32) []hop {
	s.now++
	s.mark[a], s.mark[b] = s.now, -s.now
	s.from[a], s.from[b] = hop{-1, 0}, hop{-1, 0}
	ends := [2][]int32{{a}, {b}}
	sign := [2]int32{s.now, -s.now}
	for depth := int32(1); depth <= limit; depth++ {
		e := 0
		if s.edges(ends[1]) < s.edges(ends[0]) {
			e = 1
		}
		next, u, h, met := s.grow(ends[e], sign[e])
		if met {
			if e == 0 {
				return s.join(u, h)
			}
			return s.join(h.to, hop{u, h.piece})
		}
		if len(next) == 0 {
			return nil
		}
		ends[e] = next
	}
	return nil
}

func (s *search) edges(front []int32) int {
	sum := 0
	for _, v := range front {
		sum += s.g.degree(v)
	}
	return sum
}

// grow visits all that is one edge beyond front, until it meets the other end
// over hop h from u.
func (s *search) grow(front []int32, sign int32) (next []int32, u int32, h hop, met bool) {
	g := s.g
	for _, u := range front {
		s.work += g.degree(u)
		for p := g.off[u]; p < g.off[u+1]; p++ {
			v := g.to[p]
			switch s.mark[v] {
			case sign:
			case -sign:
				return nil, u, hop{v, g.piece[p]}, true
			default:
				s.mark[v], s.from[v] = sign, hop{u, g.piece[p]}
				next = append(next, v)
			}
		}
	}
	return next, 0, hop{}, false
}

// join writes out the path through hop h, which leads from u on the side of a
// to a node on the side of b.
func (s *search) join(u int32, h hop) []hop {
	var hops []hop
	for v := u; s.from[v].to >= 0; v = s.from[v].to {
		hops = append(hops, hop{v, s.from[v].piece})
	}
	slices.Reverse(hops)
	hops = append(hops, h)
	for v := h.to; s.from[v].to >= 0; v = s.from[v].to {
		hops = append(hops, s.from[v])
	}
	return hops
}
