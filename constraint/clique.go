package constraint

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxDense is the largest core whose cliques are searched with one bit for
// each pair of vertices.
const maxDense = 4096

// clique returns more than k components of g and of the classes it touches
// that are all apart from each other, nil if it found none.
func (g *core) clique(budget *int) []int {
	for v, own := range g.ban {
		if len(own) == g.k { // apart from k classes
			return g.components([]int32{int32(v)}, own)
		}
	}
	size := len(g.verts) + len(g.comps)
	if size > maxDense {
		return g.greedyClique()
	}
	d := newDense(g)
	d.budget = budget
	all := newBitset(size)
	for v := range int32(size) {
		all.add(v)
	}
	d.expand(all)
	return d.found
}

// greedyClique grows a clique from each of the vertices of highest core
// number, some hundreds of them.
func (g *core) greedyClique() []int {
	order := g.degeneracy()
	slices.Reverse(order)
	mark := make([]int32, len(g.verts))
	for at, v := range order[:min(len(order), 256)] {
		if got := g.growClique(v, mark, int32(at)*int32(g.k+2)); got != nil {
			return got
		}
	}
	return nil
}

// growClique adds to v the candidate of highest degree again and again, and
// the classes that all of them are apart from.
func (g *core) growClique(v int32, mark []int32, stamp int32) []int {
	members := []int32{v}
	rest := slices.Clone(g.adj[v])
	slices.SortStableFunc(rest, func(a, b int32) int { return cmp.Compare(g.degree(int(b)), g.degree(int(a))) })
	common := slices.Clone(g.ban[v])
	for len(members)+len(common) <= g.k {
		if len(rest) == 0 {
			return nil
		}
		u := rest[0]
		members = append(members, u)
		stamp++
		for _, w := range g.adj[u] {
			mark[w] = stamp
		}
		rest = slices.DeleteFunc(rest[1:], func(w int32) bool { return mark[w] != stamp })
		common = slices.DeleteFunc(common, func(h int32) bool { return !slices.Contains(g.ban[u], h) })
	}
	return g.components(members, common)
}

// components names the members of a clique, vertices and classes.
func (g *core) components(verts, own []int32) []int {
	var out []int
	for _, v := range verts {
		out = append(out, int(g.verts[v]))
	}
	for _, h := range own {
		out = append(out, int(g.comps[h]))
	}
	slices.Sort(out)
	return out
}

// dense is a search for a clique of k+1, with a greedy colouring of what is
// left as the bound (Tomita and Seki, DMTCS 2003). Vertices from len(verts) on
// are the classes.
type dense struct {
	g      *core
	row    []bitset
	chosen []int32
	found  []int
	budget *int
}

func newDense(g *core) *dense {
	n := len(g.verts)
	size := n + len(g.comps)
	d := &dense{g: g, row: make([]bitset, size)}
	for v := range d.row {
		d.row[v] = newBitset(size)
	}
	for v := range g.verts {
		for _, u := range g.adj[v] {
			d.row[v].add(u)
		}
		for _, h := range g.ban[v] {
			d.row[v].add(int32(n) + h)
			d.row[n+int(h)].add(int32(v))
		}
	}
	for a := n; a < size; a++ {
		for b := n; b < size; b++ {
			if a != b {
				d.row[a].add(int32(b))
			}
		}
	}
	return d
}

// expand looks for a clique among the candidates that completes chosen. Its
// depth is at most k+1.
func (d *dense) expand(candidates bitset) {
	need := d.g.k + 1 - len(d.chosen)
	if need == 0 {
		d.report()
		return
	}
	order, bound := d.bounds(candidates)
	for at := len(order) - 1; at >= 0; at-- {
		if int(bound[at]) < need || *d.budget < 0 || d.found != nil {
			return
		}
		v := order[at]
		next := newBitset(len(d.row))
		for w := range next {
			next[w] = candidates[w] & d.row[v][w]
		}
		*d.budget -= len(next)
		d.chosen = append(d.chosen, v)
		d.expand(next)
		d.chosen = d.chosen[:len(d.chosen)-1]
		candidates.remove(v)
	}
}

// bounds colours the candidates greedily and returns them by colour, with the
// number of colours so far: no clique among the first of them is larger.
func (d *dense) bounds(candidates bitset) (order, bound []int32) {
	rest := slices.Clone(candidates)
	class := newBitset(len(d.row))
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
					class[x] &^= d.row[v][x]
				}
				*d.budget -= len(class) - w
				order, bound = append(order, v), append(bound, colours)
			}
		}
		if !found {
			return order, bound
		}
	}
}

func (d *dense) report() {
	var verts, own []int32
	for _, v := range d.chosen {
		if n := int32(len(d.g.verts)); v >= n {
			own = append(own, v-n)
		} else {
			verts = append(verts, v)
		}
	}
	d.found = d.g.components(verts, own)
}
