package hierarchy

// disjointSets are sets of points that can be joined (Tarjan): a set is known by
// one of its points, its root.
type disjointSets struct {
	parent []int32 // a root is its own
	size   []int32 // of a root
}

func newDisjointSets(n int) *disjointSets {
	s := &disjointSets{parent: make([]int32, n), size: make([]int32, n)}
	for i := range s.parent {
		s.parent[i], s.size[i] = int32(i), 1
	}
	return s
}

// find returns the root of the set of i, and halves the way there.
func (s *disjointSets) find(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// join joins the sets of two different roots and returns the new root.
func (s *disjointSets) join(a, b int32) int32 {
	if s.size[a] < s.size[b] {
		a, b = b, a
	}
	s.parent[b] = a
	s.size[a] += s.size[b]
	return a
}
