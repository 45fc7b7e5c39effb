package constraint

import (
	"cmp"
	"slices"
)

// A border is a must-link between a point nearest to one class and a point
// nearest to another: with the paths back it is a chain between the classes.
type border struct {
	u, v, entry int32
	length      int32 // must-links from class to class
	a, b        int32 // the labelled ends, a on the side of u
}

// classConflicts finds classes that must-links connect. One breadth-first search
// from all labelled points at once gives every point its nearest class; the
// must-links between the regions of different classes hold a minimum spanning
// tree of the classes under their true distances (Mehlhorn, Information
// Processing Letters 27, 1988), so its chains are shortest.
func classConflicts(g *linkGraph, s *Set, k pointLabels, limit int) []*ConflictError {
	if len(g.class) < 2 || len(s.Must) == 0 {
		return nil
	}
	r := growRegions(g, k)
	borders := r.borders(k)
	if len(borders) == 0 {
		return nil
	}
	slices.SortStableFunc(borders, func(x, y border) int {
		return cmp.Or(
			cmp.Compare(x.length, y.length),
			cmp.Compare(min(x.a, x.b), min(y.a, y.b)),
			cmp.Compare(max(x.a, x.b), max(y.a, y.b)),
			cmp.Compare(x.entry, y.entry),
		)
	})
	label := firstHardLabels(s, k)
	t := newTerminals(g.n, s, k)
	var out []*ConflictError
	for _, e := range borders {
		if limit > 0 && len(out) == limit {
			break
		}
		if t.joinClasses(e.u, k.class[e.a], k.class[e.b]) {
			out = append(out, r.borderConflict(e, k, label))
		}
	}
	return out
}

// regions are the points by nearest labelled point.
type regions struct {
	g     *linkGraph
	owner []int32 // nearest labelled point, -1 where no must-link leads to one
	dist  []int32
	back  []hop // the path back to the owner
}

func growRegions(g *linkGraph, k pointLabels) *regions {
	r := &regions{g: g, owner: make([]int32, g.n), dist: make([]int32, g.n), back: make([]hop, g.n)}
	var queue []int32
	for i := range r.owner {
		r.owner[i] = -1
		if k.class[i] >= 0 {
			r.owner[i] = int32(i)
			queue = append(queue, int32(i))
		}
	}
	for at := 0; at < len(queue); at++ {
		u := queue[at]
		for p := g.off[u]; p < g.off[u+1]; p++ {
			v := g.to[p]
			if int(v) < g.n && r.owner[v] < 0 {
				r.owner[v], r.dist[v], r.back[v] = r.owner[u], r.dist[u]+1, hop{u, g.entry[p]}
				queue = append(queue, v)
			}
		}
	}
	return r
}

func (r *regions) borders(k pointLabels) []border {
	var out []border
	for u := range int32(r.g.n) {
		for p := r.g.off[u]; p < r.g.off[u+1]; p++ {
			v := r.g.to[p]
			if v <= u || int(v) >= r.g.n || r.owner[u] < 0 {
				continue
			}
			a, b := r.owner[u], r.owner[v]
			if k.class[a] != k.class[b] {
				out = append(out, border{u, v, r.g.entry[p], r.dist[u] + 1 + r.dist[v], a, b})
			}
		}
	}
	return out
}

func (r *regions) borderConflict(e border, k pointLabels, label []int32) *ConflictError {
	var hops []hop // from u back to a, then reversed
	at := e.u
	for at != r.owner[e.u] {
		hops = append(hops, hop{at, r.back[at].entry})
		at = r.back[at].to
	}
	slices.Reverse(hops)
	hops = append(hops, hop{e.v, e.entry})
	for at = e.v; at != r.owner[e.v]; at = r.back[at].to {
		hops = append(hops, r.back[at])
	}
	end := func(i int32) End { return End{int(k.class[i]), int(label[i])} }
	c := &ConflictError{
		Kind: LabelsJoined, A: int(e.a), B: int(e.b), Pair: -1,
		Ends: [2]End{end(e.a), end(e.b)}, Chain: r.g.chainFrom(e.a, hops),
	}
	if c.A > c.B {
		c.A, c.B = c.B, c.A
		c.Ends[0], c.Ends[1] = c.Ends[1], c.Ends[0]
		reverseChain(c.Chain)
	}
	return c
}

// firstHardLabels returns for each point with a hard class the first label that
// gives it.
func firstHardLabels(s *Set, k pointLabels) []int32 {
	label := make([]int32, len(k.class))
	for at := len(s.Labels) - 1; at >= 0; at-- {
		if l := s.Labels[at]; int32(l.Class) == k.class[l.I] {
			label[l.I] = int32(at)
		}
	}
	return label
}

// terminals keeps which classes are already reported as connected, in each set
// of must-linked points.
type terminals struct {
	together unionFind // points by must-links alone
	number   map[terminal]int32
	joined   unionFind
}

type terminal struct{ root, class int32 }

func newTerminals(n int, s *Set, k pointLabels) *terminals {
	t := &terminals{together: newUnionFind(n), number: map[terminal]int32{}}
	for _, p := range s.Must {
		t.together.union(int32(p.I), int32(p.J))
	}
	if len(k.clashing) == 0 {
		return t
	}
	for _, l := range s.Labels { // conflicting classes of one point are reported for that point
		if i := int32(l.I); k.class[i] >= 0 && k.class[i] != int32(l.Class) {
			t.joinClasses(i, k.class[i], int32(l.Class))
		}
	}
	return t
}

// joinClasses records that classes x and y meet in the set of point i, and
// reports whether they were not connected before.
func (t *terminals) joinClasses(i, x, y int32) bool {
	root := t.together.find(i)
	a, b := t.numberOf(terminal{root, x}), t.numberOf(terminal{root, y}) // before union: numberOf may grow joined
	return t.joined.union(a, b)
}

func (t *terminals) numberOf(at terminal) int32 {
	id, ok := t.number[at]
	if !ok {
		id = int32(len(t.joined))
		t.number[at] = id
		t.joined = append(t.joined, -1)
	}
	return id
}
