package constraint

import (
	"slices"

	"github.com/inklinghq/inkling/internal/compute/combinatorial"
)

// workBudget bounds the elementary steps of the searches of one solve: one to
// three seconds.
const workBudget = 1 << 28

// A colouringCore is a connected set of components without a class, each of
// them cannot-linked to at least k components of the set or of some class: the
// part of a colouring that cannot be put off. The fixed colours of its graph are
// the classes that it touches.
type colouringCore struct {
	graph      combinatorial.Graph
	components []int32 // of each vertex
	classed    []int32 // the component of each fixed colour
	rank       []int32 // the colour of that component in the whole colouring
}

// newColouringCore makes the core of the components; colour holds those of the
// classes.
func newColouringCore(c *Closure, k int, colour, components []int32) *colouringCore {
	slices.Sort(components)
	size := len(components)
	g := &colouringCore{components: components, graph: combinatorial.Graph{K: k, Adj: make([][]int32, size), Banned: make([][]int32, size)}}
	fixed := map[int32]int32{}
	for v, q := range components {
		for _, u := range c.CannotLinked(int(q)) {
			if c.class[u] >= 0 {
				h, ok := fixed[u]
				if !ok {
					h = int32(len(g.rank))
					fixed[u] = h
					g.rank = append(g.rank, colour[u])
					g.classed = append(g.classed, u)
				}
				g.graph.Banned[v] = append(g.graph.Banned[v], h)
			} else if w, ok := slices.BinarySearch(components, u); ok {
				g.graph.Adj[v] = append(g.graph.Adj[v], int32(w))
			}
		}
	}
	g.graph.Fixed = len(g.rank)
	return g
}

// cliqueComponents returns the components of a clique, those with a class too,
// in ascending order.
func (g *colouringCore) cliqueComponents(clique *combinatorial.Clique) []int {
	var out []int
	for _, v := range clique.Vertices {
		out = append(out, int(g.components[v]))
	}
	for _, h := range clique.Fixed {
		out = append(out, int(g.classed[h]))
	}
	slices.Sort(out)
	return out
}

// minimalConflict returns components that k colours cannot divide, from a core
// that they cannot: without any one of them the others can be divided, unless an
// eighth of the budget of a solve was not enough to prove that. Those with a
// class, whose colours are given, come last.
func (g *colouringCore) minimalConflict(c *Closure, colour []int32) []int {
	budget := workBudget / 8
	for at := 0; at < len(g.components) && budget > 0; {
		fewer := newColouringCore(c, g.graph.K, colour, slices.Delete(slices.Clone(g.components), at, at+1))
		if fewer.graph.Stop = g.graph.Stop; g.graph.Stop != nil && g.graph.Stop() {
			break
		}
		given := min(budget, workBudget/128)
		left := given
		found, done := fewer.graph.ExactColouring(&left)
		budget -= given - max(left, 0) + len(g.components)
		if done && found == nil {
			g = fewer // still too many; the next one is now at this place
		} else {
			at++
		}
	}
	return append(toInts(g.components), toInts(g.classed)...)
}

func toInts(list []int32) []int {
	out := make([]int, len(list))
	for p, q := range list {
		out[p] = int(q)
	}
	return out
}
