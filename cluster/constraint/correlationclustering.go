package constraint

import (
	"container/heap"
	"math"
	"slices"
)

// A grouping divides the nodes of a repairGraph by correlation clustering: links
// and cannot-links give pairs of nodes a preference for or against one group,
// and the sum of preferences within groups is to be large. Two classes are never
// in one group.
type grouping struct {
	r           *repairGraph
	off         []int32 // those of node v are preferences[off[v]:off[v+1]]
	preferences []preference
	group       []int32            // of each node
	class       []bool             // whether a group holds a class
	conflicts   map[uint64]float64 // how many contradictions use a link
}

// A preference is the weight for (above 0) or against having a node in one group
// with the node to.
type preference struct {
	to int32
	w  float64
}

// newGrouping starts with every node alone. Cannot-links that contradict nothing
// are left out: components are never merged.
func newGrouping(r *repairGraph) *grouping {
	f := r.components()
	g := &grouping{r: r, off: make([]int32, r.nodes()+2)}
	each := func(visit func(a, b int32, w float64)) {
		for _, l := range r.links {
			visit(l.a, l.b, l.w)
		}
		for _, p := range r.s.Cannot {
			if i, j := int32(p.I), int32(p.J); i != j && f.find(i) == f.find(j) {
				visit(i, j, -p.W)
			}
		}
	}
	each(func(a, b int32, _ float64) { g.off[a+2]++; g.off[b+2]++ })
	for v := range r.nodes() {
		g.off[v+2] += g.off[v+1]
	}
	g.preferences = make([]preference, g.off[r.nodes()+1])
	add := func(a, b int32, w float64) {
		g.preferences[g.off[a+1]] = preference{b, w}
		g.off[a+1]++
	}
	each(func(a, b int32, w float64) { add(a, b, w); add(b, a, w) })
	g.off = g.off[:r.nodes()+1]
	g.conflicts = r.conflictCounts()
	g.group, g.class = make([]int32, r.nodes()), make([]bool, r.nodes())
	for v := range g.group {
		g.group[v], g.class[v] = int32(v), v >= r.n
	}
	return g
}

// cutBetweenGroups finds the groups and cuts the links between them. It improves
// two partitions, one of single nodes and one of the components that are left
// after cutting the links that resolve most contradictions, and keeps the better.
func (g *grouping) cutBetweenGroups() {
	cost := g.improve()
	alone := slices.Clone(g.group)
	f := g.r.cutConflicting()
	clear(g.class)
	for v := range g.group {
		g.group[v] = f.find(int32(v))
		if v >= g.r.n {
			g.class[g.group[v]] = true
		}
	}
	if g.improve() > cost {
		g.group = alone
	}
	for e := range g.r.links {
		l := &g.r.links[e]
		l.cut = g.group[l.a] != g.group[l.b]
	}
}

// improve merges groups and moves points until nothing moves, and returns the
// disagreement.
func (g *grouping) improve() float64 {
	const rounds = 10
	for range rounds {
		g.mergeGroups()
		if !g.movePoints() {
			break
		}
	}
	return g.disagreement()
}

// disagreement returns twice the weight of the constraints that disagree with
// the groups.
func (g *grouping) disagreement() (sum float64) {
	for v := range int32(len(g.group)) {
		for _, t := range g.preferences[g.off[v]:g.off[v+1]] {
			if (t.w > 0) != (g.group[v] == g.group[t.to]) {
				sum += math.Abs(t.w)
			}
		}
	}
	return sum
}

// A merge is two groups and their preference for each other when it was queued.
type merge struct {
	a, b      int32
	w         float64
	conflicts float64
}

// A mergeQueue is a heap: the strongest merge first, then by groups.
type mergeQueue []merge

func (h mergeQueue) Len() int { return len(h) }
func (h mergeQueue) Less(i, j int) bool {
	a, b := h[i], h[j]
	return a.w > b.w || a.w == b.w && (a.conflicts < b.conflicts || a.conflicts == b.conflicts && (a.a < b.a || a.a == b.a && a.b < b.b))
}
func (h mergeQueue) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *mergeQueue) Push(x any)   { *h = append(*h, x.(merge)) }
func (h *mergeQueue) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// mergeGroups merges the two groups with the strongest preference until no two
// groups have one. A merge that has changed since it was queued is queued again.
func (g *grouping) mergeGroups() {
	n := len(g.group)
	near := make([]map[int32]float64, n)
	for v := range int32(n) {
		for _, t := range g.preferences[g.off[v]:g.off[v+1]] {
			if a, b := g.group[v], g.group[t.to]; a != b {
				if near[a] == nil {
					near[a] = map[int32]float64{}
				}
				near[a][b] += t.w
			}
		}
	}
	var h mergeQueue
	queue := func(a, b int32) {
		if w := near[a][b]; w > 0 && !(g.class[a] && g.class[b]) {
			heap.Push(&h, merge{min(a, b), max(a, b), w, g.conflicts[pairKey(int(a), int(b))]})
		}
	}
	for a := range int32(n) {
		for b := range near[a] {
			if a < b {
				queue(a, b)
			}
		}
	}
	into := make([]int32, n) // the group that a group was joined to
	for a := range into {
		into[a] = int32(a)
	}
	for len(h) > 0 {
		top := heap.Pop(&h).(merge)
		a, b := top.a, top.b
		if w, ok := near[a][b]; !ok || w != top.w || g.class[a] && g.class[b] {
			continue // one of them was merged, or it was queued again since
		}
		if len(near[a]) < len(near[b]) {
			a, b = b, a
		}
		into[b] = a
		g.class[a] = g.class[a] || g.class[b]
		g.class[b] = false
		delete(near[a], b)
		for c, w := range near[b] {
			if c == a {
				continue
			}
			near[a][c] += w
			near[c][a] = near[a][c]
			delete(near[c], b)
			queue(a, c)
		}
		near[b] = nil
	}
	for v, a := range g.group {
		for into[a] != a {
			into[a] = into[into[a]]
			a = into[a]
		}
		g.group[v] = a
	}
}

// movePoints moves points, one after the other, to the group with the strongest
// preference, or to one of their own, and reports whether anything moved.
func (g *grouping) movePoints() (moved bool) {
	const sweeps = 20
	size := make([]int32, len(g.group))
	for _, a := range g.group {
		size[a]++
	}
	var free []int32
	for a, n := range size {
		if n == 0 {
			free = append(free, int32(a))
		}
	}
	for range sweeps {
		again := false
		for v := range int32(g.r.n) {
			old, to := g.group[v], g.bestGroup(v)
			if to == old {
				continue
			}
			if to < 0 {
				to, free = free[len(free)-1], free[:len(free)-1]
			}
			if size[old]--; size[old] == 0 {
				free = append(free, old)
			}
			size[to]++
			g.group[v] = to
			again, moved = true, true
		}
		if !again {
			break
		}
	}
	return moved
}

// bestGroup returns the group in which point v is best placed, its own where no
// other is better, -1 for one of its own.
func (g *grouping) bestGroup(v int32) int32 {
	ties := g.preferences[g.off[v]:g.off[v+1]]
	if len(ties) == 0 {
		return g.group[v]
	}
	sum := make(map[int32]float64, len(ties))
	for _, t := range ties {
		sum[g.group[t.to]] += t.w
	}
	to, most := g.group[v], sum[g.group[v]]
	if most < 0 {
		to, most = -1, 0
	}
	for _, t := range ties { // in the order given, not that of a map
		if a := g.group[t.to]; sum[a] > most {
			to, most = a, sum[a]
		}
	}
	return to
}
