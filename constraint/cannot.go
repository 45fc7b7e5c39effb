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
func cannotConflicts(g *web, s *Set, limit int) []*Conflict {
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
		refine(list, t, find, limit)
	}
	sortSuspects(list)
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	out := make([]*Conflict, len(list))
	for at, q := range list {
		out[at] = &Conflict{
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
// first. With a limit it stops after some tens of passes over the web; the
// lengths left are upper bounds.
func refine(list []suspect, t *tree, find *search, limit int) {
	worst := int32(len(t.depth))
	if limit > 0 && limit < len(list) {
		lengths := make([]int32, len(list))
		for p, q := range list {
			lengths[p] = q.length
		}
		slices.Sort(lengths)
		worst = lengths[limit-1]
	}
	var open []int
	for p, q := range list {
		if !q.exact && t.bound(q.a, q.b) <= worst {
			open = append(open, p)
		}
	}
	slices.SortStableFunc(open, func(x, y int) int {
		return cmp.Compare(t.bound(list[x].a, list[x].b), t.bound(list[y].a, list[y].b))
	})
	budget := 32*(len(t.depth)+len(t.g.to)) + 1<<24
	for _, p := range open {
		if limit > 0 && find.work > budget {
			return
		}
		q := &list[p]
		if hops := find.shorter(q.a, q.b, q.length-1); hops != nil {
			q.length = int32(len(hops))
		}
		q.exact = true
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
