package constraint

import "slices"

// A web is the given knowledge as a graph: points and classes are nodes,
// must-links join points, hard labels join a point and its class. Every edge
// is one given piece, so the fewest pieces are the fewest edges.
type web struct {
	n     int     // nodes below n are points, the others classes
	class []int   // class of node n+c
	off   []int32 // edges of node v are to[off[v]:off[v+1]]
	to    []int32
	piece []int32 // which piece an edge is: a must-link at, or a label as ^at
}

// newWeb builds the web of s. Edges keep the order in which they were given.
func newWeb(n int, s *Set, k known) *web {
	g := &web{n: n}
	node := map[int]int32{}
	for _, l := range s.Labels {
		if _, ok := node[l.Class]; !ok && !k.soft[l.I] {
			node[l.Class] = 0
			g.class = append(g.class, l.Class)
		}
	}
	slices.Sort(g.class)
	for c, class := range g.class {
		node[class] = int32(n + c)
	}
	edges := func(visit func(a, b, piece int32)) {
		for at, p := range s.Must {
			if p.I != p.J {
				visit(int32(p.I), int32(p.J), int32(at))
			}
		}
		for at, l := range s.Labels {
			if !k.soft[l.I] {
				visit(int32(l.I), node[l.Class], ^int32(at))
			}
		}
	}
	g.off = make([]int32, g.nodes()+2)
	edges(func(a, b, _ int32) { g.off[a+2]++; g.off[b+2]++ })
	for v := range g.nodes() {
		g.off[v+2] += g.off[v+1]
	}
	g.to = make([]int32, g.off[g.nodes()+1])
	g.piece = make([]int32, len(g.to))
	add := func(a, b, piece int32) {
		at := g.off[a+1]
		g.to[at], g.piece[at] = b, piece
		g.off[a+1]++
	}
	edges(func(a, b, piece int32) { add(a, b, piece); add(b, a, piece) })
	g.off = g.off[:g.nodes()+1]
	return g
}

func (g *web) nodes() int { return g.n + len(g.class) }

func (g *web) degree(v int32) int { return int(g.off[v+1] - g.off[v]) }

// A hop is one edge taken: the node it leads to and the piece it is.
type hop struct{ to, piece int32 }

// chain turns hops from point a into steps between points: two hops through a
// class are one step.
func (g *web) chain(a int32, hops []hop) []Step {
	out := make([]Step, 0, len(hops))
	for at := 0; at < len(hops); at++ {
		h := hops[at]
		if int(h.to) < g.n {
			out = append(out, Step{From: int(a), To: int(h.to), Must: int(h.piece), Class: -1, Labels: [2]int{-1, -1}})
			a = h.to
			continue
		}
		at++
		next := hops[at]
		out = append(out, Step{
			From: int(a), To: int(next.to), Must: -1, Class: g.class[int(h.to)-g.n],
			Labels: [2]int{int(^h.piece), int(^next.piece)},
		})
		a = next.to
	}
	return out
}

// reverse turns a chain round.
func reverse(chain []Step) {
	slices.Reverse(chain)
	for at := range chain {
		s := &chain[at]
		s.From, s.To = s.To, s.From
		s.Labels[0], s.Labels[1] = s.Labels[1], s.Labels[0]
	}
}
