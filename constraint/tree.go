package constraint

import "slices"

// A tree is a breadth-first forest of a web, cut into heavy paths so that the
// lowest common ancestor of two nodes is found in O(log n) steps whatever the
// depth.
type tree struct {
	g      *web
	root   []int32 // root of each node
	up     []hop   // the way to the parent; to is -1 at a root
	depth  []int32
	head   []int32 // top of the heavy path of each node
	tangle []bool  // by root: the component is more than a tree
}

func newTree(g *web) *tree {
	size := g.nodes()
	t := &tree{g: g, root: make([]int32, size), up: make([]hop, size), depth: make([]int32, size), tangle: make([]bool, size)}
	order := make([]int32, 0, size)
	for v := range t.root {
		t.root[v] = -1
	}
	for v := range t.root {
		if t.root[v] >= 0 {
			continue
		}
		t.root[v], t.up[v] = int32(v), hop{-1, 0}
		order = append(order, int32(v))
		for at := len(order) - 1; at < len(order); at++ {
			order = t.expand(order[at], order)
		}
	}
	t.paths(order)
	return t
}

// expand visits the neighbours of u. A neighbour already visited that is
// neither parent nor child closes a cycle; repeated edges do not.
func (t *tree) expand(u int32, order []int32) []int32 {
	g := t.g
	for p := g.off[u]; p < g.off[u+1]; p++ {
		v := g.to[p]
		switch {
		case t.root[v] < 0:
			t.root[v], t.up[v], t.depth[v] = t.root[u], hop{u, g.piece[p]}, t.depth[u]+1
			order = append(order, v)
		case v != t.up[u].to && u != t.up[v].to:
			t.tangle[t.root[u]] = true
		}
	}
	return order
}

// paths sets head from the order of visits, parents before children.
func (t *tree) paths(order []int32) {
	size := make([]int32, len(order))
	heavy := make([]int32, len(order))
	for v := range heavy {
		heavy[v] = -1
	}
	for _, v := range slices.Backward(order) {
		size[v]++
		if u := t.up[v].to; u >= 0 {
			size[u] += size[v]
			if heavy[u] < 0 || size[v] > size[heavy[u]] {
				heavy[u] = v
			}
		}
	}
	t.head = size // sizes are done with
	for _, v := range order {
		t.head[v] = v
		if u := t.up[v].to; u >= 0 && heavy[u] == v {
			t.head[v] = t.head[u]
		}
	}
}

// meet returns the lowest common ancestor of a and b, nodes of one component.
func (t *tree) meet(a, b int32) int32 {
	for t.head[a] != t.head[b] {
		if t.depth[t.head[a]] < t.depth[t.head[b]] {
			a, b = b, a
		}
		a = t.up[t.head[a]].to
	}
	if t.depth[a] < t.depth[b] {
		return a
	}
	return b
}

// length returns the number of edges between a and b along the tree.
func (t *tree) length(a, b int32) int32 {
	return t.depth[a] + t.depth[b] - 2*t.depth[t.meet(a, b)]
}

// path returns the hops from a to b along the tree.
func (t *tree) path(a, b int32) []hop {
	top := t.meet(a, b)
	var hops []hop
	for ; a != top; a = t.up[a].to {
		hops = append(hops, t.up[a])
	}
	turn := len(hops)
	for ; b != top; b = t.up[b].to {
		hops = append(hops, hop{b, t.up[b].piece})
	}
	slices.Reverse(hops[turn:])
	return hops
}
