package constraint

import (
	"cmp"
	"slices"
)

// Conflicts returns up to limit contradictions in s, all of them if limit is
// below 0, those with the shortest proofs first, then by points. A nil result
// means that there is no contradiction, or that s fails Check for n points.
//
// Every cannot-link whose points are connected is one contradiction, however
// often it is given. So is every further class of a point that has several,
// and every further class that must-links connect: c classes in one set of
// must-linked points give the c-1 shortest chains that connect them all; other
// chains between them are made of these.
//
// Every chain is the shortest for its ends. That none is shorter among those
// left out by limit is certain as long as must-links and labels form a forest
// or the input is small; in large graphs with many cycles the search gives up
// after about ten passes over the input and chooses by an upper bound on the
// length.
func Conflicts(n int, s *Set, limit int) []*ConflictError {
	if s == nil || limit == 0 || s.Check(n) != nil {
		return nil
	}
	k := readLabels(n, s.Labels)
	out := selfConflicts(s)
	out = append(out, clashConflicts(s, k)...)
	g := newLinkGraph(n, s, k)
	out = append(out, classConflicts(g, s, k, limit)...)
	out = append(out, cannotConflicts(g, s, limit)...)
	size := make(map[*ConflictError]int, len(out)) // counted once, chains can be long
	for _, c := range out {
		size[c] = c.constraintCount()
		c.names = s.Names
	}
	slices.SortStableFunc(out, func(a, b *ConflictError) int {
		return cmp.Or(cmp.Compare(size[a], size[b]), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Kind, b.Kind))
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit:limit]
	}
	return out
}

// selfConflicts finds cannot-links of a point with itself, each point once.
func selfConflicts(s *Set) []*ConflictError {
	var out []*ConflictError
	seen := map[int]bool{}
	for at, p := range s.Cannot {
		if p.I == p.J && !seen[p.I] {
			seen[p.I] = true
			out = append(out, &ConflictError{Kind: CannotSelf, A: p.I, B: p.I, Pair: at, Ends: noEnds})
		}
	}
	return out
}

// clashConflicts finds points of several classes: the first class against
// each of the others.
func clashConflicts(s *Set, k pointLabels) []*ConflictError {
	if len(k.clashing) == 0 {
		return nil
	}
	type labelled struct{ i, class int }
	seen := map[labelled]bool{}
	first := make(map[int]End, len(k.clashing))
	for _, i := range k.clashing {
		first[int(i)] = End{-1, -1}
	}
	var out []*ConflictError
	for at, l := range s.Labels {
		e, ok := first[l.I]
		if !ok || seen[labelled{l.I, l.Class}] {
			continue
		}
		seen[labelled{l.I, l.Class}] = true
		if e.Label < 0 {
			first[l.I] = End{l.Class, at}
			continue
		}
		out = append(out, &ConflictError{Kind: TwoLabels, A: l.I, B: l.I, Pair: -1, Ends: [2]End{e, {l.Class, at}}})
	}
	return out
}
