package constraint

import (
	"cmp"
	"slices"
)

// Lint returns everything that is wrong with single entries of s or with two
// entries together, in the order of the lists (Must, Cannot, Beliefs,
// Labels) and of the entries. An entry that is out of range is not
// compared with others. Contradictions that need a chain are left to Conflicts. The order of a
// pair never matters. The cost is O(m log m) for m entries.
func Lint(n int, s *Set) []EntryError {
	if s == nil {
		return nil
	}
	var out []EntryError
	var must []indexedPair
	for _, l := range s.pairLists() {
		keys := lintPairs(&out, n, l)
		switch l.name {
		case ListMust:
			must = keys
		case ListCannot:
			lintBoth(&out, n, l, must, keys)
		}
	}
	lintLabels(&out, n, s)
	rank := map[string]int{ListMust: 0, ListCannot: 1, ListBeliefs: 2, ListLabels: 3}
	slices.SortStableFunc(out, func(a, b EntryError) int {
		return cmp.Or(cmp.Compare(rank[a.List], rank[b.List]), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// An indexedPair is a pair as one number, lower point first, and its index.
type indexedPair struct {
	key uint64
	at  int32
}

func compareIndexedPairs(a, b indexedPair) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
}

func pairKey(i, j int) uint64 { return uint64(min(i, j))<<32 | uint64(max(i, j)) }

// lintPairs reports on one list and returns its distinct usable pairs, sorted.
func lintPairs(out *[]EntryError, n int, l pairList) []indexedPair {
	keys := make([]indexedPair, 0, len(l.pairs))
	for at, p := range l.pairs {
		kind := l.fault(p, n)
		if kind != "" {
			*out = append(*out, *l.entryError(n, at, kind))
		}
		switch {
		case kind == OutOfRange:
		case p.I == p.J:
			*out = append(*out, *l.entryError(n, at, SelfPair))
		default:
			keys = append(keys, indexedPair{pairKey(p.I, p.J), int32(at)})
		}
	}
	slices.SortFunc(keys, compareIndexedPairs)
	distinct := keys[:0]
	for _, k := range keys {
		if last := len(distinct) - 1; last >= 0 && distinct[last].key == k.key {
			p := l.entryError(n, int(k.at), Duplicate)
			p.EarlierList, p.Earlier = l.name, int(distinct[last].at)
			*out = append(*out, *p)
			continue
		}
		distinct = append(distinct, k)
	}
	return distinct
}

// lintBoth reports the cannot-links that are must-links too.
func lintBoth(out *[]EntryError, n int, l pairList, must, cannot []indexedPair) {
	for _, k := range cannot {
		for len(must) > 0 && must[0].key < k.key {
			must = must[1:]
		}
		if len(must) > 0 && must[0].key == k.key {
			p := l.entryError(n, int(k.at), BothKinds)
			p.EarlierList, p.Earlier = ListMust, int(must[0].at)
			*out = append(*out, *p)
		}
	}
}

// lintLabels reports on the labels, point by point.
func lintLabels(out *[]EntryError, n int, s *Set) {
	ats := make([]int32, 0, len(s.Labels))
	for at, l := range s.Labels {
		kind := s.labelFault(l, n)
		if kind != "" {
			*out = append(*out, *s.labelError(n, at, kind))
		}
		if kind != OutOfRange {
			ats = append(ats, int32(at))
		}
	}
	slices.SortFunc(ats, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.Labels[a].I, s.Labels[b].I), cmp.Compare(a, b))
	})
	for len(ats) > 0 {
		end := 1
		for end < len(ats) && s.Labels[ats[end]].I == s.Labels[ats[0]].I {
			end++
		}
		lintPoint(out, n, s, ats[:end])
		ats = ats[end:]
	}
}

// lintPoint reports on the labels of one point: classes given twice,
// and a second class where all weights are 1, so that it is not a soft seed.
func lintPoint(out *[]EntryError, n int, s *Set, ats []int32) {
	if len(ats) == 1 {
		return
	}
	first := s.Labels[ats[0]]
	ordinary := true
	for _, at := range ats {
		ordinary = ordinary && s.Labels[at].W == 1
	}
	seen := map[int]int32{first.Class: ats[0]}
	for _, at := range ats[1:] {
		l := s.Labels[at]
		earlier, again := seen[l.Class]
		var p *EntryError
		switch {
		case again:
			p = s.labelError(n, int(at), Duplicate)
		case ordinary:
			seen[l.Class] = at
			earlier = ats[0]
			p = s.labelError(n, int(at), TwoLabels)
			p.classA, p.classB = s.Name(first.Class), s.Name(l.Class)
			p.withMessage()
		default:
			seen[l.Class] = at
			continue
		}
		p.EarlierList, p.Earlier = ListLabels, int(earlier)
		*out = append(*out, *p)
	}
}
