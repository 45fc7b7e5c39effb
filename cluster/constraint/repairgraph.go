package constraint

import (
	"cmp"
	"slices"
)

// A link connects two nodes of a linkGraph: the entries that say the same, and
// their total weight.
type link struct {
	a, b    int32
	w       float64
	entries []int32 // as in linkGraph
	cut     bool
}

// A repairGraph is a linkGraph whose links can be cut, and the cannot-links
// that may be dropped.
type repairGraph struct {
	n       int
	s       *Set
	links   []link
	class   []int  // class of node n+c, as in web
	dropped []bool // cannot-links that are dropped
}

func newRepairGraph(n int, s *Set) *repairGraph {
	r := &repairGraph{n: n, s: s, dropped: make([]bool, len(s.Cannot))}
	g := newLinkGraph(n, s, readLabels(n, s.Labels))
	r.class = g.class
	at := map[uint64]int32{}
	for v := range int32(g.nodes()) {
		for e := g.off[v]; e < g.off[v+1]; e++ {
			to := g.to[e]
			if to < v {
				continue
			}
			key := pairKey(int(v), int(to))
			l, ok := at[key]
			if !ok {
				l = int32(len(r.links))
				at[key] = l
				r.links = append(r.links, link{a: v, b: to})
			}
			r.links[l].entries = append(r.links[l].entries, g.entry[e])
			r.links[l].w += r.entryWeight(g.entry[e])
		}
	}
	return r
}

func (r *repairGraph) nodes() int { return r.n + len(r.class) }

func (r *repairGraph) entryWeight(entry int32) float64 {
	if entry < 0 {
		return r.s.Labels[^entry].W
	}
	return r.s.Must[entry].W
}

// components returns the components that the links not cut make.
func (r *repairGraph) components() unionFind {
	f := newUnionFind(r.nodes())
	for _, l := range r.links {
		if !l.cut {
			f.union(l.a, l.b)
		}
	}
	return f
}

// dropJoinedCannots drops the cannot-links whose points are still connected.
func (r *repairGraph) dropJoinedCannots() {
	f := r.components()
	for at, p := range r.s.Cannot {
		r.dropped[at] = f.find(int32(p.I)) == f.find(int32(p.J))
	}
}

// restoreLinks restores links that need not be cut, the heaviest first.
func (r *repairGraph) restoreLinks() {
	most := 1 + (1<<28)/(len(r.s.Cannot)+1) // tries, each of them a pass over the cannot-links
	var cut []*link
	for e := range r.links {
		if r.links[e].cut {
			cut = append(cut, &r.links[e])
		}
	}
	slices.SortStableFunc(cut, func(a, b *link) int { return cmp.Compare(b.w, a.w) })
	f := r.components()
	class := make([]int32, r.nodes()) // the class node of each root, or 0
	for v := int32(r.n); int(v) < r.nodes(); v++ {
		class[f.find(v)] = v
	}
	for _, l := range cut[:min(len(cut), most)] {
		a, b := f.find(l.a), f.find(l.b)
		if a != b && (class[a] != 0 && class[b] != 0 || r.keptApart(f, a, b)) {
			continue
		}
		l.cut = false
		one := max(class[a], class[b])
		if f.union(a, b) {
			class[f.find(a)] = one
		}
	}
}

// keptApart reports whether a cannot-link that stays keeps two components apart.
func (r *repairGraph) keptApart(f unionFind, a, b int32) bool {
	for at, p := range r.s.Cannot {
		if i, j := f.find(int32(p.I)), f.find(int32(p.J)); !r.dropped[at] && (i == a && j == b || i == b && j == a) {
			return true
		}
	}
	return false
}
