package density

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// This file changes clusters along the minimum spanning tree where no choice of nodes does what labels demand
// (after Castro Gertrudes, Zimek, Sander and Campello 2019, "A unified view of density-based methods for
// semi-supervised clustering and classification", Data Mining and Knowledge Discovery 33): a labelled point has a cluster, points of two
// classes are in two, and those of one class in one.

// noCluster is the cluster of noise.
const noCluster = -1

// A spanningTree is a minimum spanning tree with the neighbours of each point.
type spanningTree struct {
	edges []hierarchy.Edge // ascending
	start []int32          // of the list of each point
	ends  []treeEnd
	most  float64 // similarity of points at distance 0
}

type treeEnd struct {
	to   int32
	edge int32
}

func newSpanningTree(n int, edges []hierarchy.Edge) *spanningTree {
	t := &spanningTree{edges: edges, start: make([]int32, n+1), ends: make([]treeEnd, 2*len(edges)), most: 1}
	for _, e := range edges {
		t.start[e.A+1]++
		t.start[e.B+1]++
	}
	for i := range n {
		t.start[i+1] += t.start[i]
	}
	next := slices.Clone(t.start)
	for m, e := range edges {
		t.ends[next[e.A]] = treeEnd{e.B, int32(m)}
		t.ends[next[e.B]] = treeEnd{e.A, int32(m)}
		next[e.A]++
		next[e.B]++
	}
	for _, e := range edges { // ascending
		if y := 2 / e.Weight; e.Weight > 0 && !math.IsInf(y, 1) {
			t.most = y
			break
		}
	}
	return t
}

// similarity is how much it costs to cut edge m.
func (t *spanningTree) similarity(m int32) float64 {
	if w := t.edges[m].Weight; w > 0 {
		return min(1/w, t.most)
	}
	return t.most
}

// A labelling is clusters of points, in which labels hold.
type labelling struct {
	labels   []int // noCluster for noise
	clusters int
}

// satisfyLabels changes clusters, numbered from 0 on, so that labels hold: clusters with several classes are split by a
// minimum cut of the tree, labelled noise joins the cluster of its class, or forms one with the
// noise around it where the class has none, and clusters of one class become one.
func (t *spanningTree) satisfyLabels(l *labelling, known []constraint.Label) {
	if len(known) == 0 {
		return
	}
	classOf := make(map[int32]int, len(known)) // by point
	for _, k := range known {
		classOf[int32(k.I)] = k.Class
	}
	home := t.splitMixed(l, known, classOf)
	seeds := map[int]int{} // clusters that labelled noise begins, by class
	for _, k := range known {
		if l.labels[k.I] >= 0 {
			continue
		}
		h, ok := home[k.Class]
		if !ok {
			h = l.clusters
			l.clusters++
			home[k.Class], seeds[k.Class] = h, h
		}
		l.labels[k.I] = h
	}
	if len(seeds) > 0 {
		begun := make([]bool, l.clusters)
		for _, h := range seeds {
			begun[h] = true
		}
		t.growSeeds(l.labels, begun)
	}
	l.renumber()
}

// splitMixed splits the clusters that hold several classes and merges those of one class. It returns the
// cluster of each class that has one.
func (t *spanningTree) splitMixed(l *labelling, known []constraint.Label, classOf map[int32]int) (home map[int]int) {
	classes := make([][]int, l.clusters) // of each cluster, ascending
	first := make([]int32, l.clusters)
	for _, k := range known {
		if h := l.labels[k.I]; h >= 0 {
			classes[h], first[h] = append(classes[h], k.Class), int32(k.I)
		}
	}
	home = map[int]int{}
	old := l.clusters
	homeOf := func(class, at int) int {
		h, ok := home[class]
		if !ok {
			h = at
			home[class] = h
		}
		return h
	}
	move := make([]int, old)
	for h := range move {
		slices.Sort(classes[h])
		classes[h] = slices.Compact(classes[h])
		if move[h] = h; len(classes[h]) == 1 {
			move[h] = homeOf(classes[h][0], h)
		}
	}
	type piece struct{ point, class int32 }
	var pieces []piece
	for h := range old {
		if len(classes[h]) < 2 {
			continue
		}
		order, class := t.minimumCut(l.labels, first[h], classes[h], classOf)
		for q, i := range order {
			pieces = append(pieces, piece{i, int32(class[q])})
		}
	}
	for i, h := range l.labels {
		if h >= 0 {
			l.labels[i] = move[h]
		}
	}
	for _, p := range pieces {
		h := homeOf(int(p.class), l.clusters)
		if h == l.clusters {
			l.clusters++
		}
		l.labels[p.point] = h
	}
	return home
}

// minimumCut divides the cluster of point root, which is connected in the tree, among the classes of its labelled
// points, so that the similarities of the edges between different classes sum up to the least: a
// minimum multiway cut, which in a tree takes one pass from the leaves and one back. It returns the points and
// their classes.
func (t *spanningTree) minimumCut(labels []int, root int32, classes []int, classOf map[int32]int) (order []int32, class []int) {
	c := len(classes)
	order = []int32{root}
	up, by := []int32{-1}, []int32{-1} // places in order, edges
	for at := 0; at < len(order); at++ {
		i := order[at]
		for _, e := range t.ends[t.start[i]:t.start[i+1]] {
			if labels[e.to] == labels[root] && e.edge != by[at] {
				order, up, by = append(order, e.to), append(up, int32(at)), append(by, e.edge)
			}
		}
	}
	cost := make([]float64, len(order)*c)
	least := func(at int) (best int) {
		for q := 1; q < c; q++ {
			if cost[at*c+q] < cost[at*c+best] {
				best = q
			}
		}
		return best
	}
	for at := len(order) - 1; at >= 0; at-- {
		if own, labelled := classOf[order[at]]; labelled {
			for q := range c {
				if classes[q] != own {
					cost[at*c+q] = math.Inf(1)
				}
			}
		}
		if at == 0 {
			break
		}
		cut := t.similarity(by[at]) + cost[at*c+least(at)]
		for q := range c {
			cost[int(up[at])*c+q] += min(cost[at*c+q], cut)
		}
	}
	chosen := make([]int, len(order))
	class = make([]int, len(order))
	for at := range order {
		q := least(at)
		if at > 0 {
			if above := chosen[up[at]]; cost[at*c+above] <= t.similarity(by[at])+cost[at*c+q] {
				q = above
			}
		}
		chosen[at], class[at] = q, classes[q]
	}
	return order, class
}

// joinAll gives every noise point to a cluster: the one that it would join first as the distance grows.
func (t *spanningTree) joinAll(labels []int) {
	sets := newForest(len(labels))
	cluster := slices.Clone(labels) // of the root of each set
	for _, e := range t.edges {
		a, b := sets.find(e.A), sets.find(e.B)
		if x, y := cluster[a], cluster[b]; x == y || x == noCluster || y == noCluster {
			cluster[sets.join(a, b)] = max(x, y)
		}
	}
	for i := range labels {
		labels[i] = cluster[sets.find(int32(i))]
	}
}

// growSeeds gives noise to the clusters that labelled noise has begun, along the tree and nearest first, until they
// touch another cluster. What touches another first stays noise.
func (t *spanningTree) growSeeds(labels []int, begun []bool) {
	const closed = -2
	sets := newForest(len(labels))
	state := slices.Clone(labels)      // of the root of each set: noCluster, closed or the cluster that it is of
	ended := make([]bool, len(labels)) // by root: the set takes no more noise
	for i, h := range labels {
		if h >= 0 && !begun[h] {
			state[i] = closed
		}
	}
	for _, e := range t.edges {
		a, b := sets.find(e.A), sets.find(e.B)
		x, y := state[a], state[b]
		if x > y {
			a, b, x, y = b, a, y, x
		}
		switch { // x ≤ y
		case x == y || x == noCluster && !ended[b]:
			both := x == y && (ended[a] || ended[b])
			root := sets.join(a, b)
			state[root], ended[root] = y, both
		case x == noCluster:
			state[a] = closed
		case y == noCluster:
			state[b] = closed
		default: // a cluster that was begun meets another
			ended[a], ended[b] = ended[a] || x >= 0, true
		}
	}
	for i := range labels {
		if h := state[sets.find(int32(i))]; labels[i] == noCluster && h >= 0 {
			labels[i] = h
		}
	}
}

// renumber numbers the clusters from the largest to the smallest, the one with the first point first among equals, and
// drops those without points.
func (l *labelling) renumber() {
	size, first := make([]int, l.clusters), make([]int, l.clusters)
	for i, h := range l.labels {
		if h < 0 {
			continue
		}
		if size[h] == 0 {
			first[h] = i
		}
		size[h]++
	}
	var order []int
	for h, s := range size {
		if s > 0 {
			order = append(order, h)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(size[b]-size[a], first[a]-first[b]) })
	number := make([]int, l.clusters)
	for h, was := range order {
		number[was] = h
	}
	for i, h := range l.labels {
		if h >= 0 {
			l.labels[i] = number[h]
		}
	}
	l.clusters = len(order)
}

// A forest is disjoint sets of points.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = -1 // a root, with the number of its points
	}
	return f
}

func (f forest) find(i int32) int32 {
	for f[i] >= 0 {
		if f[f[i]] >= 0 {
			f[i] = f[f[i]]
		}
		i = f[i]
	}
	return i
}

// join joins the sets of two roots and returns the new root.
func (f forest) join(a, b int32) int32 {
	if f[a] > f[b] {
		a, b = b, a
	}
	f[a] += f[b]
	f[b] = a
	return a
}
