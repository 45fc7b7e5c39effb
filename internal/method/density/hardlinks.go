package density

import "github.com/inklinghq/inkling/cluster/constraint"

// This file makes links hold exactly, where that is asked for: clusters are split and merged along the minimum spanning tree.

// keptApart are disjoint sets of points, some of which must not be joined.
type keptApart struct {
	forest
	apart map[int32]map[int32]bool // by root, in both directions
}

func newKeptApart(n int) *keptApart {
	return &keptApart{newForest(n), map[int32]map[int32]bool{}}
}

// separate says that the sets of two points must not be joined. They are two sets.
func (s *keptApart) separate(i, j int) {
	a, b := s.find(int32(i)), s.find(int32(j))
	for _, q := range [][2]int32{{a, b}, {b, a}} {
		if s.apart[q[0]] == nil {
			s.apart[q[0]] = map[int32]bool{}
		}
		s.apart[q[0]][q[1]] = true
	}
}

// tryJoin joins the sets of two points unless they must not be. It reports whether they are one set.
func (s *keptApart) tryJoin(i, j int32) bool {
	a, b := s.find(i), s.find(j)
	if a == b {
		return true
	}
	if s.apart[a][b] {
		return false
	}
	root := s.join(a, b)
	gone := a + b - root
	for e := range s.apart[gone] {
		delete(s.apart[e], gone)
		s.apart[e][root] = true
		if s.apart[root] == nil {
			s.apart[root] = map[int32]bool{}
		}
		s.apart[root][e] = true
	}
	delete(s.apart, gone)
	return true
}

// obeyLinks changes clusters so that all links and labels hold, except those that contradict others. What must be together
// is joined; then clusters are put together again by their edges, the shortest first, but for edges that would join what
// must be apart. Thus of two rows that must be apart the longest edge between them is cut, the one at which the
// tree would separate them first: for one link that is the minimum cut of the tree. Parts that are too small to be clusters are noise, unless a
// must-link or a label needs them.
func (r *run) obeyLinks(x *extracted) {
	n := len(x.labels)
	hold := r.consistent()
	sets := newKeptApart(n)
	needed := make([]bool, n)     // the point must have a cluster
	first := map[int]int{}        // a point of each class
	byClass := []int{}            // the classes, in the order of their first points
	for _, q := range hold.Must { // nothing is apart yet
		sets.tryJoin(int32(q.I), int32(q.J))
		needed[q.I], needed[q.J] = true, true
	}
	for _, l := range hold.Labels {
		needed[l.I] = true
		if at, seen := first[l.Class]; seen {
			sets.tryJoin(int32(at), int32(l.I))
			continue
		}
		first[l.Class] = l.I
		byClass = append(byClass, l.Class)
	}
	for _, q := range hold.Cannot {
		sets.separate(q.I, q.J)
	}
	for p, c := range byClass {
		for _, d := range byClass[:p] {
			sets.separate(first[c], first[d])
		}
	}
	whole := make([]bool, x.clusters) // no edge of the cluster is cut
	for h := range whole {
		whole[h] = true
	}
	for _, e := range r.tree.edges {
		if h := x.labels[e.A]; h >= 0 && x.labels[e.B] == h && !sets.tryJoin(e.A, e.B) {
			whole[h] = false
		}
	}
	r.takeSets(x, sets, whole, needed)
}

// consistent returns the labels, and the links that contradict neither them nor each other, as many as constraint.Repair finds.
func (r *run) consistent() *constraint.Set {
	all := 1.0
	for _, list := range [][]constraint.Pair{r.must, r.cannot} {
		for _, q := range list {
			all += q.W
		}
	}
	s := &constraint.Set{Must: r.must, Cannot: r.cannot}
	for _, l := range r.known {
		l.W = all // no label is given up for links
		s.Labels = append(s.Labels, l)
	}
	return constraint.Repaired(len(r.labels), s)
}

// takeSets makes clusters of sets. Where no point may be noise, noise joins them along the tree as far as it may, and
// is clusters of its own where it may not.
func (r *run) takeSets(x *extracted, sets *keptApart, whole, needed []bool) {
	n := len(x.labels)
	size, stays := make([]int, n), make([]bool, n) // by root
	for i, h := range x.labels {
		root := sets.find(int32(i))
		if h >= 0 {
			size[root]++
			stays[root] = stays[root] || whole[h]
		}
		stays[root] = stays[root] || needed[i]
	}
	for root := range stays {
		stays[root] = stays[root] || size[root] >= r.minSize
	}
	if r.a.Noise == JoinNoise {
		r.joinApart(sets, stays)
	}
	number := make([]int, n) // of the cluster of a root, plus 1
	clusters := 0
	for i, h := range x.labels {
		root := sets.find(int32(i))
		if !stays[root] {
			x.labels[i], x.credit[i] = noCluster, 0
			continue
		}
		if number[root] == 0 {
			clusters++
			number[root] = clusters
		}
		if h < 0 {
			x.credit[i] = 0
		}
		x.labels[i] = number[root] - 1
	}
	x.clusters = clusters
}

// joinApart joins the sets that are no clusters to those that are, the nearest along the tree first, and makes clusters of what
// is left. Two clusters are never joined.
func (r *run) joinApart(sets *keptApart, stays []bool) {
	for _, e := range r.tree.edges {
		a, b := sets.find(e.A), sets.find(e.B)
		if a == b || stays[a] && stays[b] || !sets.tryJoin(a, b) {
			continue
		}
		stays[sets.find(a)] = stays[a] || stays[b]
	}
	for root := range stays {
		stays[root] = true
	}
}

// extractHard chooses clusters in which all links hold: those that cost least of the ones that are made from the choice without links
// and from the choice with them; nil where there are none with K clusters.
func (r *run) extractHard() (best *extracted) {
	for _, link := range []float64{0, r.use.weight} {
		if x, err := r.extract(link, true); err == nil && (best == nil || x.cost < best.cost) {
			best = x
		}
	}
	return best
}
