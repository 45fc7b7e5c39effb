package active

// askByNeighbourhoods is the scheme of Basu, Banerjee and Mooney (2004). Explore finds one
// group for each cluster by a farthest-first traversal: the next point is the one that is
// least similar to all points that have been placed. Consolidate then places other points,
// in the order of choose, asking about the most similar groups first. Distances are those
// of the pool's kernel. Where k is not known, Explore ends when ten points in a row
// belonged to groups that were there.
func askByNeighbourhoods(s *asking, choose func(b *neighbourhoods, covered []float64) int) {
	b := newNeighbourhoods(s)
	covered := make([]float64, s.pool.Len()) // the greatest similarity of each point to a placed one
	for a := range covered {
		covered[a] = -2
	}
	place := func(a int, why string) bool {
		if !b.place(a, b.similarities(a), why) {
			return false
		}
		for c := range covered {
			covered[c] = max(covered[c], s.pool.similarity(a, c))
		}
		return true
	}
	if !place(s.rand.IntN(s.pool.Len()), "the first row") {
		return
	}
	for old := 0; (s.k > 0 && len(b.groups) < s.k) || (s.k == 0 && old < 10); {
		a := leastCoveredPoint(b, covered)
		if a < 0 {
			break
		}
		groups := len(b.groups)
		if !place(a, "far from all rows that were asked about: it may be of a new cluster") {
			return
		}
		if old++; len(b.groups) > groups {
			old = 0
		}
	}
	for a := choose(b, covered); a >= 0; a = choose(b, covered) {
		if !place(a, "which cluster does this row belong to?") {
			return
		}
	}
	s.askRest("nothing else is left")
}

// randomPoint returns a point that has not been placed, -1 if there is none.
func randomPoint(b *neighbourhoods, _ []float64) int {
	var open []int
	for a := range b.of {
		if b.isOpen(a) {
			open = append(open, a)
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[b.rand.IntN(len(open))]
}

// leastCoveredPoint returns the point that is least similar to all placed ones: the
// min-max criterion of Mallapragada, Jin and Jain (2008).
func leastCoveredPoint(b *neighbourhoods, covered []float64) int {
	best := -1
	for a := range b.of {
		if b.isOpen(a) && (best < 0 || covered[a] < covered[best]) {
			best = a
		}
	}
	return best
}
