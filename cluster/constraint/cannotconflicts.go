package constraint

import (
	"cmp"
	"slices"
)

// A joinedCannot is a cannot-link whose points are connected, a < b.
type joinedCannot struct {
	a, b   int32
	at     int32 // in Set.Cannot
	length int32 // of the shortest chain, or an upper bound on it
	exact  bool
}

// cannotConflicts finds the cannot-links whose points are connected by
// must-links and labels.
func cannotConflicts(g *linkGraph, s *Set, limit int) []*ConflictError {
	if len(s.Cannot) == 0 || len(g.to) == 0 {
		return nil
	}
	t := newBFSForest(g)
	list := findJoinedCannots(t, s.Cannot)
	if len(list) == 0 {
		return nil
	}
	var find *pathSearch // only needed where a component is not a tree
	if slices.ContainsFunc(list, func(q joinedCannot) bool { return !q.exact }) {
		find = newPathSearch(g)
		refineLengths(list, t, find, limit, 8*(g.nodes()+len(g.to))+1<<23)
	}
	sortJoinedCannots(list)
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	out := make([]*ConflictError, len(list))
	for at, q := range list {
		out[at] = &ConflictError{
			Kind: CannotJoined, A: int(q.a), B: int(q.b), Pair: int(q.at), Ends: noEnds,
			Chain: g.chainFrom(q.a, q.shortestHops(t, find)),
		}
	}
	return out
}

// findJoinedCannots returns the distinct cannot-links within components, with
// their lengths along the tree.
func findJoinedCannots(t *bfsForest, cannot []Pair) []joinedCannot {
	var keys []indexedPair
	for at, p := range cannot {
		if p.I != p.J && t.root[p.I] == t.root[p.J] {
			keys = append(keys, indexedPair{pairKey(p.I, p.J), int32(at)})
		}
	}
	slices.SortFunc(keys, compareIndexedPairs)
	keys = slices.CompactFunc(keys, func(x, y indexedPair) bool { return x.key == y.key })
	list := make([]joinedCannot, len(keys))
	for p, k := range keys {
		a, b := int32(k.key>>32), int32(uint32(k.key))
		q := joinedCannot{a: a, b: b, at: k.at, length: t.pathLength(a, b)}
		q.exact = !t.hasCycle[t.root[a]] || q.length == t.lengthBound(a, b)
		list[p] = q
	}
	return list
}

// lengthBound returns a lower bound on the length of any path between a and b: depths are
// distances from the root, and these differ by at most the length of the path.
func (t *bfsForest) lengthBound(a, b int32) int32 {
	d := t.depth[a] - t.depth[b]
	return max(1, d, -d)
}

// refineLengths makes lengths exact where that can matter for which conflicts
// come first. With a limit it stops after budget edges; the lengths left are upper
// bounds.
func refineLengths(list []joinedCannot, t *bfsForest, find *pathSearch, limit, budget int) {
	var open []int
	for p, q := range list {
		if !q.exact {
			open = append(open, p)
		}
	}
	// Those that look short come first: they soon rule out the others.
	slices.SortStableFunc(open, func(x, y int) int { return cmp.Compare(list[x].length, list[y].length) })
	cutoff := newLengthCutoff(list, limit)
	for _, p := range open {
		if limit > 0 && find.work > budget {
			return
		}
		q := &list[p]
		if t.lengthBound(q.a, q.b) > cutoff.longest {
			continue
		}
		reach := min(q.length-1, cutoff.longest)
		hops := find.shortestPath(q.a, q.b, reach)
		q.exact = hops != nil || reach == q.length-1
		if hops != nil {
			cutoff.shorten(q.length, int32(len(hops)))
			q.length = int32(len(hops))
		}
	}
}

// A lengthCutoff is the length that a conflict must not exceed to be among the
// first limit of them.
type lengthCutoff struct {
	count   []int // conflicts by length
	longest int32
	shorter int // conflicts shorter than longest
	limit   int
}

func newLengthCutoff(list []joinedCannot, limit int) *lengthCutoff {
	b := &lengthCutoff{limit: limit}
	for _, q := range list {
		b.longest = max(b.longest, q.length)
	}
	if limit < 0 {
		b.limit = len(list) + 1 // never reached
	}
	b.count = make([]int, b.longest+1)
	for _, q := range list {
		b.count[q.length]++
	}
	b.shorter = len(list) - b.count[b.longest]
	b.lowerLongest()
	return b
}

// shorten records that a conflict is shorter than its upper bound.
func (b *lengthCutoff) shorten(old, length int32) {
	b.count[old]--
	b.count[length]++
	if old < b.longest {
		b.shorter--
	}
	if length < b.longest {
		b.shorter++
	}
	b.lowerLongest()
}

func (b *lengthCutoff) lowerLongest() {
	for b.shorter >= b.limit {
		b.longest--
		b.shorter -= b.count[b.longest]
	}
}

// shortestHops returns a shortest path of q.
func (q joinedCannot) shortestHops(t *bfsForest, find *pathSearch) []hop {
	along := t.pathLength(q.a, q.b)
	if q.exact && q.length == along {
		return t.pathHops(q.a, q.b)
	}
	if hops := find.shortestPath(q.a, q.b, along-1); hops != nil {
		return hops
	}
	return t.pathHops(q.a, q.b)
}

func sortJoinedCannots(list []joinedCannot) {
	slices.SortFunc(list, func(x, y joinedCannot) int {
		return cmp.Or(cmp.Compare(x.length, y.length), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
}
