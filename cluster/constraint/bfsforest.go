package constraint

import "slices"

// A bfsForest is a breadth-first spanning forest of a linkGraph, divided into
// heavy paths so that the lowest common ancestor of two nodes is found in
// O(log n) steps whatever the depth.
type bfsForest struct {
	g        *linkGraph
	root     []int32 // root of each node
	parent   []hop   // the hop to the parent; to is -1 at a root
	depth    []int32
	pathHead []int32 // top of the heavy path of each node
	hasCycle []bool  // by root: the component is more than a tree
}

func newBFSForest(g *linkGraph) *bfsForest {
	size := g.nodes()
	t := &bfsForest{g: g, root: make([]int32, size), parent: make([]hop, size), depth: make([]int32, size), hasCycle: make([]bool, size)}
	order := make([]int32, 0, size)
	for v := range t.root {
		t.root[v] = -1
	}
	for v := range t.root {
		if t.root[v] >= 0 {
			continue
		}
		t.root[v], t.parent[v] = int32(v), hop{-1, 0}
		order = append(order, int32(v))
		for at := len(order) - 1; at < len(order); at++ {
			order = t.visitNeighbours(order[at], order)
		}
	}
	t.setHeavyPaths(order)
	return t
}

// visitNeighbours visits the neighbours of u. A neighbour already visited that is
// neither parent nor child closes a cycle; repeated edges do not.
func (t *bfsForest) visitNeighbours(u int32, order []int32) []int32 {
	g := t.g
	for p := g.off[u]; p < g.off[u+1]; p++ {
		v := g.to[p]
		switch {
		case t.root[v] < 0:
			t.root[v], t.parent[v], t.depth[v] = t.root[u], hop{u, g.entry[p]}, t.depth[u]+1
			order = append(order, v)
		case v != t.parent[u].to && u != t.parent[v].to:
			t.hasCycle[t.root[u]] = true
		}
	}
	return order
}

// setHeavyPaths sets pathHead from the order of visits, parents before children.
func (t *bfsForest) setHeavyPaths(order []int32) {
	size := make([]int32, len(order))
	heavy := make([]int32, len(order))
	for v := range heavy {
		heavy[v] = -1
	}
	for _, v := range slices.Backward(order) {
		size[v]++
		if u := t.parent[v].to; u >= 0 {
			size[u] += size[v]
			if heavy[u] < 0 || size[v] > size[heavy[u]] {
				heavy[u] = v
			}
		}
	}
	t.pathHead = size // reuse: sizes are not needed any more
	for _, v := range order {
		t.pathHead[v] = v
		if u := t.parent[v].to; u >= 0 && heavy[u] == v {
			t.pathHead[v] = t.pathHead[u]
		}
	}
}

// lowestCommonAncestor returns the lowest common ancestor of a and b, nodes of one component.
func (t *bfsForest) lowestCommonAncestor(a, b int32) int32 {
	for t.pathHead[a] != t.pathHead[b] {
		if t.depth[t.pathHead[a]] < t.depth[t.pathHead[b]] {
			a, b = b, a
		}
		a = t.parent[t.pathHead[a]].to
	}
	if t.depth[a] < t.depth[b] {
		return a
	}
	return b
}

// pathLength returns the number of edges between a and b along the tree.
func (t *bfsForest) pathLength(a, b int32) int32 {
	return t.depth[a] + t.depth[b] - 2*t.depth[t.lowestCommonAncestor(a, b)]
}

// pathHops returns the hops from a to b along the tree.
func (t *bfsForest) pathHops(a, b int32) []hop {
	top := t.lowestCommonAncestor(a, b)
	var hops []hop
	for ; a != top; a = t.parent[a].to {
		hops = append(hops, t.parent[a])
	}
	turn := len(hops)
	for ; b != top; b = t.parent[b].to {
		hops = append(hops, hop{b, t.parent[b].entry})
	}
	slices.Reverse(hops[turn:])
	return hops
}
