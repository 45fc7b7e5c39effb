package dedupe

// A forest holds which nodes are joined: the parent of each, itself at a root, which is the smallest node of its tree.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for u := range f {
		f[u] = int32(u)
	}
	return f
}

// find returns the root of a node, and shortens the way to it.
func (f forest) find(u int32) int32 {
	for f[u] != u {
		f[u] = f[f[u]]
		u = f[u]
	}
	return u
}

// join joins two trees, and reports whether they were two.
func (f forest) join(u, v int32) bool {
	a, b := f.find(u), f.find(v)
	f[max(a, b)] = min(a, b)
	return a != b
}
