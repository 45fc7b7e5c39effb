package choose

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// foldCount is the number of folds.
const foldCount = 5

// A Fold is a division of constraints into a part for training and a part for
// judging. No constraint of the training part touches a row of the held-out
// labels, or the row of a held-out pair that is in the fold; so nothing about the
// held-out part follows from it.
type Fold struct {
	Train  *constraint.Set
	Pairs  []HeldOutPair
	Labels []constraint.Label // of rows with labels of one class
}

// A HeldOutPair is a pair of rows that are together or apart.
type HeldOutPair struct {
	I, J     int
	Together bool
	Weight   float64
}

// Split divides the constraints on n rows into folds, the same for the same seed.
// Every pair and every label is held out in one fold.
//
// Rows are divided, not constraints: rows that constraints connect go into one
// fold where they are few, so that training parts stay large; larger groups are
// cut along a breadth-first order. A pair whose rows are in two folds is left out
// of both training parts and held out once.
func Split(n int, s *constraint.Set, seed uint64) []Fold {
	foldOf := foldsOfRows(n, s, rand.New(rand.NewPCG(seed, 0x5eed)))
	folds := make([]Fold, foldCount)
	for f := range folds {
		folds[f].Train = &constraint.Set{Names: s.Names}
	}
	cross := 0
	addPairs := func(pairs []constraint.Pair, list func(*constraint.Set) *[]constraint.Pair, together func(constraint.Pair) bool) {
		for _, p := range pairs {
			a, b := foldOf[p.I], foldOf[p.J]
			test := a
			if a != b {
				if cross++; cross%2 == 0 {
					test = b
				}
			}
			if w := abs(p.W); w > 0 && p.I != p.J {
				folds[test].Pairs = append(folds[test].Pairs, HeldOutPair{p.I, p.J, together(p), min(1, w)})
			}
			for f := range folds {
				if f != a && f != b {
					to := list(folds[f].Train)
					*to = append(*to, p)
				}
			}
		}
	}
	addPairs(s.Must, func(s *constraint.Set) *[]constraint.Pair { return &s.Must }, func(constraint.Pair) bool { return true })
	addPairs(s.Cannot, func(s *constraint.Set) *[]constraint.Pair { return &s.Cannot }, func(constraint.Pair) bool { return false })
	addPairs(s.Beliefs, func(s *constraint.Set) *[]constraint.Pair { return &s.Beliefs }, func(p constraint.Pair) bool { return p.W > 0 })
	class := singleClasses(s)
	for _, l := range s.Labels {
		for f := range folds {
			if f != foldOf[l.I] {
				folds[f].Train.Labels = append(folds[f].Train.Labels, l)
			}
		}
		if c, ok := class[l.I]; ok && c == l.Class {
			folds[foldOf[l.I]].Labels = append(folds[foldOf[l.I]].Labels, l)
			delete(class, l.I) // once for each row
		}
	}
	return folds
}

func abs(x float64) float64 { return max(x, -x) }

// singleClasses returns the class of each labelled row whose labels are of one class.
func singleClasses(s *constraint.Set) map[int]int {
	class, mixed := map[int]int{}, map[int]bool{}
	for _, l := range s.Labels {
		if c, ok := class[l.I]; ok && c != l.Class {
			mixed[l.I] = true
		}
		class[l.I] = l.Class
	}
	for i := range mixed {
		delete(class, i)
	}
	return class
}

// joinByClass joins single rows with labels of one class to groups of two, so that
// folds of few labels hold labels of the same class.
func joinByClass(groups [][]int, class map[int]int) (out [][]int) {
	waiting := map[int]int{} // a single row by its class, as an index of out
	for _, g := range groups {
		c := class[g[0]]
		if len(g) > 1 || c == 0 {
			out = append(out, g)
			continue
		}
		if at, ok := waiting[c]; ok {
			out[at] = append(slices.Clone(out[at]), g[0])
			delete(waiting, c)
			continue
		}
		waiting[c] = len(out)
		out = append(out, g)
	}
	return out
}

// foldsOfRows gives every row that a constraint touches a fold, others -1.
func foldsOfRows(n int, s *constraint.Set, rng *rand.Rand) []int {
	next := map[int][]int{} // rows that constraints connect a row with
	var rows []int
	touch := func(i int) {
		if _, ok := next[i]; !ok {
			next[i] = nil
			rows = append(rows, i)
		}
	}
	for _, list := range [][]constraint.Pair{s.Must, s.Cannot, s.Beliefs} {
		for _, p := range list {
			touch(p.I)
			touch(p.J)
			next[p.I], next[p.J] = append(next[p.I], p.J), append(next[p.J], p.I)
		}
	}
	class := map[int]int{}
	for _, l := range s.Labels {
		touch(l.I)
		class[l.I] = l.Class + 1
	}
	slices.Sort(rows)
	rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	fold := slices.Repeat([]int{-1}, n)
	largest := max(1, len(rows)/(2*foldCount)) // rows of a group
	var groups [][]int
	seen := map[int]bool{}
	for _, start := range rows {
		if seen[start] {
			continue
		}
		seen[start] = true
		order := []int{start}
		for at := 0; at < len(order); at++ {
			for _, j := range next[order[at]] {
				if !seen[j] {
					seen[j] = true
					order = append(order, j)
				}
			}
		}
		for len(order) > 0 {
			m := min(largest, len(order))
			groups = append(groups, order[:m])
			order = order[m:]
		}
	}
	groups = joinByClass(groups, class)
	// Large groups first, rows with labels by class, each into the smallest fold.
	slices.SortStableFunc(groups, func(a, b []int) int {
		if c := cmp.Compare(len(b), len(a)); c != 0 {
			return c
		}
		return cmp.Compare(class[a[0]], class[b[0]])
	})
	size := make([]int, foldCount)
	for _, g := range groups {
		f := 0
		for h := range size {
			if size[h] < size[f] {
				f = h
			}
		}
		size[f] += len(g)
		for _, i := range g {
			fold[i] = f
		}
	}
	return fold
}
