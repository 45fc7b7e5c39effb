package combinatorial

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxDense is the largest graph whose cliques are searched with one bit for
// each pair of vertices.
const maxDense = 4096

// A Clique is vertices that are all neighbours of each other, and fixed colours
// that all of them are banned from.
type Clique struct{ Vertices, Fixed []int32 }

// FindClique looks for a clique of K+1, which proves that K colours are not
// enough. It returns nil if it found none: on small graphs because there is none
// or the budget is spent, on large ones because a greedy search did not meet
// one. Each step is deducted from budget.
func (g *Graph) FindClique(budget *int) *Clique {
	for v, fixed := range g.Banned {
		if len(fixed) == g.K {
			return &Clique{[]int32{int32(v)}, fixed}
		}
	}
	size := g.Len() + g.Fixed
	if size > maxDense {
		return g.greedyClique()
	}
	s := newCliqueSearch(g)
	s.budget = budget
	all := newBitset(size)
	for v := range int32(size) {
		all.insert(v)
	}
	s.expand(all)
	return s.found
}

// greedyClique grows a clique from each of the vertices of highest core
// number, some hundreds of them.
func (g *Graph) greedyClique() *Clique {
	order := g.degeneracyOrder()
	slices.Reverse(order)
	mark := make([]int32, g.Len())
	for at, v := range order[:min(len(order), 256)] {
		if g.Stop != nil && g.Stop() {
			return nil
		}
		if found := g.growClique(v, mark, int32(at)*int32(g.K+2)); found != nil {
			return found
		}
	}
	return nil
}

// growClique adds to v the candidate of highest degree again and again, and
// the fixed colours that all of them are banned from.
func (g *Graph) growClique(v int32, mark []int32, stamp int32) *Clique {
	members := []int32{v}
	rest := slices.Clone(g.Adj[v])
	slices.SortStableFunc(rest, func(a, b int32) int { return cmp.Compare(g.Degree(int(b)), g.Degree(int(a))) })
	common := slices.Clone(g.Banned[v])
	for len(members)+len(common) <= g.K {
		if len(rest) == 0 {
			return nil
		}
		u := rest[0]
		members = append(members, u)
		stamp++
		for _, w := range g.Adj[u] {
			mark[w] = stamp
		}
		rest = slices.DeleteFunc(rest[1:], func(w int32) bool { return mark[w] != stamp })
		common = slices.DeleteFunc(common, func(h int32) bool { return !slices.Contains(g.Banned[u], h) })
	}
	return &Clique{members, common}
}

// A cliqueSearch looks for a clique of K+1, with a greedy colouring of what is
// left as the bound (Tomita and Seki, DMTCS 2003). Nodes from g.Len() on are the
// fixed colours.
type cliqueSearch struct {
	g      *Graph
	row    []bitset
	chosen []int32
	found  *Clique
	budget *int
}

func newCliqueSearch(g *Graph) *cliqueSearch {
	n := g.Len()
	size := n + g.Fixed
	s := &cliqueSearch{g: g, row: make([]bitset, size)}
	for v := range s.row {
		s.row[v] = newBitset(size)
	}
	for v := range n {
		for _, u := range g.Adj[v] {
			s.row[v].insert(u)
		}
		for _, h := range g.Banned[v] {
			s.row[v].insert(int32(n) + h)
			s.row[n+int(h)].insert(int32(v))
		}
	}
	for a := n; a < size; a++ {
		for b := n; b < size; b++ {
			if a != b {
				s.row[a].insert(int32(b))
			}
		}
	}
	return s
}

// expand looks for a clique among the candidates that completes chosen. Its
// depth is at most K+1.
func (s *cliqueSearch) expand(candidates bitset) {
	need := s.g.K + 1 - len(s.chosen)
	if need == 0 {
		s.keepFound()
		return
	}
	order, bound := s.colourBounds(candidates)
	for at := len(order) - 1; at >= 0; at-- {
		if int(bound[at]) < need || s.found != nil || isSpent(s.budget, s.g.Stop) {
			return
		}
		v := order[at]
		next := newBitset(len(s.row))
		for w := range next {
			next[w] = candidates[w] & s.row[v][w]
		}
		*s.budget -= len(next)
		s.chosen = append(s.chosen, v)
		s.expand(next)
		s.chosen = s.chosen[:len(s.chosen)-1]
		candidates.remove(v)
	}
}

// colourBounds colours the candidates greedily and returns them by colour, with
// the number of colours so far: no clique among the first of them is larger.
func (s *cliqueSearch) colourBounds(candidates bitset) (order, bound []int32) {
	rest := slices.Clone(candidates)
	class := newBitset(len(s.row))
	for colours := int32(1); ; colours++ {
		copy(class, rest)
		found := false
		for w := range class {
			for class[w] != 0 {
				found = true
				v := int32(w*64 + bits.TrailingZeros64(class[w]))
				rest.remove(v)
				class.remove(v)
				for x := w; x < len(class); x++ {
					class[x] &^= s.row[v][x]
				}
				*s.budget -= len(class) - w
				order, bound = append(order, v), append(bound, colours)
			}
		}
		if !found {
			return order, bound
		}
	}
}

func (s *cliqueSearch) keepFound() {
	s.found = &Clique{}
	for _, v := range s.chosen {
		if n := int32(s.g.Len()); v >= n {
			s.found.Fixed = append(s.found.Fixed, v-n)
		} else {
			s.found.Vertices = append(s.found.Vertices, v)
		}
	}
}
