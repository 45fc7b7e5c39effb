package constraint

import (
	"cmp"
	"slices"
)

// A suspect is a cannot-link within a component, a < b.
type suspect struct {
	a, b   int32
	at     int32 // in Set.Cannot
	length int32 // of the shortest chain, or an upper bound on it
	exact  bool
}

// cannotConflicts finds cannot-links whose points are joined.
func cannotConflicts(g *web, s *Set, limit int) []*ConflictError {
	if len(s.Cannot) == 0 || len(g.to) == 0 {
		return nil
	}
	t := newTree(g)
	list := findSuspects(t, s.Cannot)
	if len(list) == 0 {
		return nil
	}
	var find *search // made when something is not a tree
	if slices.ContainsFunc(list, func(q suspect) bool { return !q.exact }) {
		find = newSearch(g)
		refine(list, t, find, limit, 8*(g.nodes()+len(g.to))+1<<23)
	}
	sortSuspects(list)
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	out := make([]*ConflictError, len(list))
	for at, q := range list {
		out[at] = &ConflictError{
			Kind: CannotJoined, A: int(q.a), B: int(q.b), Pair: int(q.at), Ends: noEnds,
			Chain: g.chain(q.a, q.hops(t, find)),
		}
	}
	return out
}

// findSuspects returns the distinct cannot-links within components, with
// their lengths along the tree.
func findSuspects(t *tree, cannot []Pair) []suspect {
	var keys []keyed
	for at, p := range cannot {
		if p.I != p.J && t.root[p.I] == t.root[p.J] {
			keys = append(keys, keyed{pairKey(p.I, p.J), int32(at)})
		}
	}
	slices.SortFunc(keys, compareKeyed)
	keys = slices.CompactFunc(keys, func(x, y keyed) bool { return x.key == y.key })
	list := make([]suspect, len(keys))
	for p, k := range keys {
		a, b := int32(k.key>>32), int32(uint32(k.key))
		q := suspect{a: a, b: b, at: k.at, length: t.length(a, b)}
		q.exact = !t.tangle[t.root[a]] || q.length == t.bound(a, b)
		list[p] = q
	}
	return list
}

// bound returns a length that no path between a and b goes below: depths are
// distances from the root, and these differ by at most the length of the path.
func (t *tree) bound(a, b int32) int32 {
	d := t.depth[a] - t.depth[b]
	return max(1, d, -d)
}

// refine makes lengths exact where that can matter for which suspects come
// first. With a limit it stops after budget edges; the lengths left are upper
// bounds.
func refine(list []suspect, t *tree, find *search, limit, budget int) {
	var open []int
	for p, q := range list {
		if !q.exact {
			open = append(open, p)
		}
	}
	// Those that look short come first: they soon rule out the others.
	slices.SortStableFunc(open, func(x, y int) int { return cmp.Compare(list[x].length, list[y].length) })
	bar := newBar(list, limit)
	for _, p := range open {
		if limit > 0 && find.work > budget {
			return
		}
		q := &list[p]
		if t.bound(q.a, q.b) > bar.worst {
			continue
		}
		reach := min(q.length-1, bar.worst)
		hops := find.shorter(q.a, q.b, reach)
		q.exact = hops != nil || reach == q.length-1
		if hops != nil {
			bar.improve(q.length, int32(len(hops)))
			q.length = int32(len(hops))
		}
	}
}

// A bar is the length that a suspect must not exceed to be among the first
// limit of them.
type bar struct {
	count []int // suspects by length
	worst int32
	under int // suspects shorter than worst
	limit int
}

func newBar(list []suspect, limit int) *bar {
	b := &bar{limit: limit}
	for _, q := range list {
		b.worst = max(b.worst, q.length)
	}
	if limit < 0 {
		b.limit = len(list) + 1 // never reached
	}
	b.count = make([]int, b.worst+1)
	for _, q := range list {
		b.count[q.length]++
	}
	b.under = len(list) - b.count[b.worst]
	b.lower()
	return b
}

// improve notes that a suspect is shorter than it looked.
func (b *bar) improve(old, length int32) {
	b.count[old]--
	b.count[length]++
	if old < b.worst {
		b.under--
	}
	if length < b.worst {
		b.under++
	}
	b.lower()
}

func (b *bar) lower() {
	for b.under >= b.limit {
		b.worst--
		b.under -= b.count[b.worst]
	}
}

// hops returns a shortest path of q.
func (q suspect) hops(t *tree, find *search) []hop {
	along := t.length(q.a, q.b)
	if q.exact && q.length == along {
		return t.path(q.a, q.b)
	}
	if hops := find.shorter(q.a, q.b, along-1); hops != nil {
		return hops
	}
	return t.path(q.a, q.b)
}

func sortSuspects(list []suspect) {
	slices.SortFunc(list, func(x, y suspect) int {
		return cmp.Or(cmp.Compare(x.length, y.length), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
}
