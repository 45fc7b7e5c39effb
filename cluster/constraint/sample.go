package constraint

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// RandomPairs draws m distinct pairs of points uniformly and links each by the
// truth: a must-link within a class, a cannot-link between two. truth[i] is
// the class of point i; points below 0 have no known class and are in no pair. Where fewer
// than m pairs exist all of them are drawn.
func RandomPairs(truth []int, m int, rng *rand.Rand) *Set {
	var who []int
	for i, c := range truth {
		if c >= 0 {
			who = append(who, i)
		}
	}
	n := int64(len(who))
	s := &Set{}
	for _, r := range draw(n*(n-1)/2, m, rng) {
		a, b := unrankPair(r)
		s.addPair(who[a], who[b], truth[who[a]] == truth[who[b]])
	}
	return s
}

func (s *Set) addPair(i, j int, together bool) {
	p := Pair{I: min(i, j), J: max(i, j), W: 1}
	if together {
		s.Must = append(s.Must, p)
	} else {
		s.Cannot = append(s.Cannot, p)
	}
}

// draw returns min(m, total) distinct numbers below total, uniformly and in
// random order, in O(m) memory (Floyd's method, then a shuffle).
func draw(total int64, m int, rng *rand.Rand) []int64 {
	take := max(min(int64(m), total), 0)
	out := make([]int64, 0, take)
	seen := make(map[int64]struct{}, take)
	for top := total - take; top < total; top++ {
		r := rng.Int64N(top + 1)
		if _, ok := seen[r]; ok {
			r = top
		}
		seen[r] = struct{}{}
		out = append(out, r)
	}
	rng.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

// unrankPair returns pair number r of (0,1) (0,2) (1,2) (0,3) …: r is
// b(b-1)/2 + a with a < b.
func unrankPair(r int64) (a, b int64) {
	b = int64((1 + math.Sqrt(1+8*float64(r))) / 2)
	for b*(b-1)/2 > r { // the root may be off by one
		b--
	}
	for b*(b+1)/2 <= r {
		b++
	}
	return r - b*(b-1)/2, b
}

// LabelFraction labels a fraction of the points of each class, chosen
// uniformly: the nearest whole number of them, but at least one a class if
// fraction is above 0, so that no class goes without a label (drop some on
// purpose with Incomplete). Points whose truth is below 0 get no label; to draw seeds from
// a training part, set the truth of the test part to -1. Labels come in the
// order of the points, with weight 1.
func LabelFraction(truth []int, fraction float64, rng *rand.Rand) (*Set, error) {
	if err := checkFraction(fraction); err != nil {
		return nil, err
	}
	members := map[int][]int{}
	var classes []int
	for i, c := range truth {
		if c < 0 {
			continue
		}
		if members[c] == nil {
			classes = append(classes, c)
		}
		members[c] = append(members[c], i)
	}
	slices.Sort(classes) // a map has no order, and rng must see one
	s := &Set{}
	for _, c := range classes {
		take := share(fraction, len(members[c]))
		if fraction > 0 {
			take = max(take, 1)
		}
		for _, p := range choose(len(members[c]), take, rng) {
			s.Labels = append(s.Labels, Label{I: members[c][p], Class: c, W: 1})
		}
	}
	slices.SortFunc(s.Labels, func(a, b Label) int { return cmp.Compare(a.I, b.I) })
	return s, nil
}

func checkFraction(f float64) error {
	if !(f >= 0 && f <= 1) {
		return fmt.Errorf("the fraction must be from 0 to 1, got %v", f)
	}
	return nil
}

// share returns the whole number nearest to fraction of n.
func share(fraction float64, n int) int { return int(math.Round(fraction * float64(n))) }

// choose returns take distinct numbers below n, ascending.
func choose(n, take int, rng *rand.Rand) []int {
	out := rng.Perm(n)[:take]
	slices.Sort(out)
	return out
}
