package constraint

import "slices"

// A linkGraph is the must-links and hard labels of a Set as a graph: points and
// classes are nodes, must-links connect points, hard labels connect a point and
// its class. Every edge is one entry of the Set, so the shortest path is the
// proof with the fewest constraints.
type linkGraph struct {
	n     int     // nodes below n are points, the others classes
	class []int   // class of node n+c
	off   []int32 // edges of node v are to[off[v]:off[v+1]]
	to    []int32
	entry []int32 // the entry of each edge: a must-link as its index, a label as ^index
}

// newLinkGraph builds the graph of s. Edges keep the order of the entries.
func newLinkGraph(n int, s *Set, k pointLabels) *linkGraph {
	g := &linkGraph{n: n}
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
	edges := func(visit func(a, b, entry int32)) {
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
	g.entry = make([]int32, len(g.to))
	add := func(a, b, entry int32) {
		at := g.off[a+1]
		g.to[at], g.entry[at] = b, entry
		g.off[a+1]++
	}
	edges(func(a, b, entry int32) { add(a, b, entry); add(b, a, entry) })
	g.off = g.off[:g.nodes()+1]
	return g
}

func (g *linkGraph) nodes() int { return g.n + len(g.class) }

func (g *linkGraph) degree(v int32) int { return int(g.off[v+1] - g.off[v]) }

// A hop is one edge of a path: the node it leads to and its entry.
type hop struct{ to, entry int32 }

// chainFrom turns hops from point a into steps between points: two hops through a
// class are one step.
func (g *linkGraph) chainFrom(a int32, hops []hop) []Step {
	out := make([]Step, 0, len(hops))
	for at := 0; at < len(hops); at++ {
		h := hops[at]
		if int(h.to) < g.n {
			out = append(out, Step{From: int(a), To: int(h.to), Must: int(h.entry), Class: -1, Labels: [2]int{-1, -1}})
			a = h.to
			continue
		}
		at++
		next := hops[at]
		out = append(out, Step{
			From: int(a), To: int(next.to), Must: -1, Class: g.class[int(h.to)-g.n],
			Labels: [2]int{int(^h.entry), int(^next.entry)},
		})
		a = next.to
	}
	return out
}

// reverseChain makes a chain lead from its end to its start.
func reverseChain(chain []Step) {
	slices.Reverse(chain)
	for at := range chain {
		s := &chain[at]
		s.From, s.To = s.To, s.From
		s.Labels[0], s.Labels[1] = s.Labels[1], s.Labels[0]
	}
}
