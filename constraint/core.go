package constraint

import (
	"container/heap"
	"math/bits"
	"slices"
)

// A core is a connected piece of components without a class, each of them
// apart from at least k components of the piece or of some class. Its own
// colours are 0 … r-1 for the r classes it touches; the others, r … k-1, are
// interchangeable.
type core struct {
	k     int
	verts []int32   // components
	adj   [][]int32 // within the core, by position in verts
	ban   [][]int32 // own colours of classes that a vertex is apart from
	ranks []int32   // palette's colour of own colour 0 … r-1
	comps []int32   // the component of own colour 0 … r-1
}

func newCore(p *palette, verts []int32) *core {
	c := p.c
	slices.Sort(verts)
	g := &core{k: p.k, verts: verts, adj: make([][]int32, len(verts)), ban: make([][]int32, len(verts))}
	own := map[int32]int32{}
	for v, q := range verts {
		for _, u := range c.CannotLinked(int(q)) {
			if c.class[u] >= 0 {
				h, ok := own[u]
				if !ok {
					h = int32(len(g.ranks))
					own[u] = h
					g.ranks = append(g.ranks, p.colour[u])
					g.comps = append(g.comps, u)
				}
				g.ban[v] = append(g.ban[v], h)
			} else if w, ok := slices.BinarySearch(verts, u); ok {
				g.adj[v] = append(g.adj[v], int32(w))
			}
		}
	}
	return g
}

func (g *core) degree(v int) int { return len(g.adj[v]) + len(g.ban[v]) }

// A bitset holds small numbers.
type bitset []uint64

func newBitset(n int) bitset      { return make(bitset, (n+63)/64) }
func (b bitset) add(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int32)   { b[i>>6] &^= 1 << (i & 63) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 == 1 }
func (b bitset) lowestMissing() int {
	return slices.IndexFunc(b, func(w uint64) bool { return w != ^uint64(0) })
}

// free returns the lowest number not in b, -1 if b is full.
func (b bitset) free() int32 {
	w := b.lowestMissing()
	if w < 0 {
		return -1
	}
	return int32(w*64 + bits.TrailingZeros64(^b[w]))
}

// forbidden returns for each vertex the set of colours it cannot have. Every
// vertex has k neighbours or more, so the sets take no more memory than the
// edges do.
func (g *core) forbidden() []bitset {
	words := len(newBitset(g.k))
	all := make(bitset, words*len(g.verts))
	out := make([]bitset, len(g.verts))
	for v := range out {
		out[v] = all[v*words : (v+1)*words]
		for _, h := range g.ban[v] {
			out[v].add(h)
		}
	}
	return out
}

// smallestLast colours greedily, the vertices of smallest degree last; nil if
// k colours do not do.
func (g *core) smallestLast() []int32 {
	order := g.degeneracy()
	banned := g.forbidden()
	colour := make([]int32, len(order))
	for _, v := range slices.Backward(order) {
		h := banned[v].free()
		if h < 0 || int(h) >= g.k {
			return nil
		}
		colour[v] = h
		for _, u := range g.adj[v] {
			banned[u].add(h)
		}
	}
	return colour
}

// degeneracy returns the vertices in the order of removing one of smallest
// degree each time.
func (g *core) degeneracy() []int32 {
	degree := make([]int, len(g.verts))
	buckets := make([][]int32, len(g.verts)+len(g.ranks))
	for v := range degree {
		degree[v] = g.degree(v)
		buckets[degree[v]] = append(buckets[degree[v]], int32(v))
	}
	gone := make([]bool, len(degree))
	order := make([]int32, 0, len(degree))
	for low := 0; low < len(buckets); {
		last := len(buckets[low]) - 1
		if last < 0 {
			low++
			continue
		}
		v := buckets[low][last]
		buckets[low] = buckets[low][:last]
		if gone[v] || degree[v] != low {
			continue
		}
		gone[v] = true
		order = append(order, v)
		for _, u := range g.adj[v] {
			if !gone[u] {
				degree[u]--
				buckets[degree[u]] = append(buckets[degree[u]], u)
				low = min(low, degree[u])
			}
		}
	}
	return order
}

// dsatur colours greedily, always the vertex with fewest colours left (Brélaz,
// Communications of the ACM 22, 1979); nil if k colours do not do.
func (g *core) dsatur() []int32 {
	banned := g.forbidden()
	q := make(satQueue, 0, len(g.verts))
	sat := make([]int32, len(g.verts))
	colour := make([]int32, len(g.verts))
	for v := range sat {
		sat[v], colour[v] = int32(len(g.ban[v])), -1
		q = append(q, satEntry{int32(v), sat[v], int32(g.degree(v))})
	}
	heap.Init(&q)
	for len(q) > 0 {
		e := heap.Pop(&q).(satEntry)
		v := e.v
		if colour[v] >= 0 || e.sat != sat[v] {
			continue // an old entry
		}
		h := banned[v].free()
		if h < 0 || int(h) >= g.k {
			return nil
		}
		colour[v] = h
		for _, u := range g.adj[v] {
			if colour[u] < 0 && !banned[u].has(h) {
				banned[u].add(h)
				sat[u]++
				heap.Push(&q, satEntry{u, sat[u], int32(g.degree(int(u)))})
			}
		}
	}
	return colour
}

type satEntry struct{ v, sat, degree int32 }

// A satQueue is a heap: most saturated first, then highest degree, then
// lowest vertex.
type satQueue []satEntry

func (q satQueue) Len() int      { return len(q) }
func (q satQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q satQueue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.sat != b.sat {
		return a.sat > b.sat
	}
	if a.degree != b.degree {
		return a.degree > b.degree
	}
	return a.v < b.v
}
func (q *satQueue) Push(x any) { *q = append(*q, x.(satEntry)) }
func (q *satQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}
