package constraint

import (
	"container/heap"
	"math"
	"slices"
)

// groups are a division of the nodes of a web: what links and cannot-links say
// for and against two nodes in one group is a number, and the more of it lies
// within groups the better. Two classes are never in one group.
type groups struct {
	r     *repairer
	off   []int32 // ties of node v are tie[off[v]:off[v+1]]
	tie   []tie
	group []int32            // of each node
	class []bool             // whether a group holds a class
	doubt map[uint64]float64 // how many contradictions go by a link
}

// A tie is what speaks for (above 0) or against having a node in one group
// with the node to.
type tie struct {
	to int32
	w  float64
}

// newGroups starts with every node alone. Cannot-links that contradict nothing
// are left out: components never meet.
func newGroups(r *repairer) *groups {
	f := r.joined()
	g := &groups{r: r, off: make([]int32, r.nodes()+2)}
	ties := func(visit func(a, b int32, w float64)) {
		for _, l := range r.links {
			visit(l.a, l.b, l.w)
		}
		for _, p := range r.s.Cannot {
			if i, j := int32(p.I), int32(p.J); i != j && f.find(i) == f.find(j) {
				visit(i, j, -p.W)
			}
		}
	}
	ties(func(a, b int32, _ float64) { g.off[a+2]++; g.off[b+2]++ })
	for v := range r.nodes() {
		g.off[v+2] += g.off[v+1]
	}
	g.tie = make([]tie, g.off[r.nodes()+1])
	add := func(a, b int32, w float64) {
		g.tie[g.off[a+1]] = tie{b, w}
		g.off[a+1]++
	}
	ties(func(a, b int32, w float64) { add(a, b, w); add(b, a, w) })
	g.off = g.off[:r.nodes()+1]
	g.doubt = r.doubts()
	g.group, g.class = make([]int32, r.nodes()), make([]bool, r.nodes())
	for v := range g.group {
		g.group[v], g.class[v] = int32(v), v >= r.n
	}
	return g
}

// divide finds the groups and cuts the links between them: the better of what
// comes of single nodes, and of the components that are left when links by
// which most contradictions go are cut.
func (g *groups) divide() {
	cost := g.settle()
	alone := slices.Clone(g.group)
	f := g.r.untangle()
	clear(g.class)
	for v := range g.group {
		g.group[v] = f.find(int32(v))
		if v >= g.r.n {
			g.class[g.group[v]] = true
		}
	}
	if g.settle() > cost {
		g.group = alone
	}
	for e := range g.r.links {
		l := &g.r.links[e]
		l.cut = g.group[l.a] != g.group[l.b]
	}
}

// settle joins and moves as long as anything moves, and returns what disagrees.
func (g *groups) settle() float64 {
	const rounds = 10
	for range rounds {
		g.join()
		if !g.move() {
			break
		}
	}
	return g.cost()
}

// cost returns what the pieces weigh, twice, that disagree with the groups.
func (g *groups) cost() (sum float64) {
	for v := range int32(len(g.group)) {
		for _, t := range g.tie[g.off[v]:g.off[v+1]] {
			if (t.w > 0) != (g.group[v] == g.group[t.to]) {
				sum += math.Abs(t.w)
			}
		}
	}
	return sum
}

// A bond is what speaks for joining two groups, when it was entered.
type bond struct {
	a, b  int32
	w     float64
	doubt float64
}

// bonds is a heap: the strongest bond first, then by groups.
type bonds []bond

func (h bonds) Len() int { return len(h) }
func (h bonds) Less(i, j int) bool {
	a, b := h[i], h[j]
	return a.w > b.w || a.w == b.w && (a.doubt < b.doubt || a.doubt == b.doubt && (a.a < b.a || a.a == b.a && a.b < b.b))
}
func (h bonds) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *bonds) Push(x any)   { *h = append(*h, x.(bond)) }
func (h *bonds) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// join joins the two groups for which most speaks until nothing speaks for any
// two. A bond that has changed since it was entered is entered anew.
func (g *groups) join() {
	n := len(g.group)
	near := make([]map[int32]float64, n)
	for v := range int32(n) {
		for _, t := range g.tie[g.off[v]:g.off[v+1]] {
			if a, b := g.group[v], g.group[t.to]; a != b {
				if near[a] == nil {
					near[a] = map[int32]float64{}
				}
				near[a][b] += t.w
			}
		}
	}
	var h bonds
	enter := func(a, b int32) {
		if w := near[a][b]; w > 0 && !(g.class[a] && g.class[b]) {
			heap.Push(&h, bond{min(a, b), max(a, b), w, g.doubt[pairKey(int(a), int(b))]})
		}
	}
	for a := range int32(n) {
		for b := range near[a] {
			if a < b {
				enter(a, b)
			}
		}
	}
	into := make([]int32, n) // the group that a group was joined to
	for a := range into {
		into[a] = int32(a)
	}
	for len(h) > 0 {
		top := heap.Pop(&h).(bond)
		a, b := top.a, top.b
		if w, ok := near[a][b]; !ok || w != top.w || g.class[a] && g.class[b] {
			continue // one of them is no more, or it was entered again since
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
			enter(a, c)
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

// move moves points, one after the other, to the group that most speaks for,
// or to one of their own, and says whether anything moved.
func (g *groups) move() (moved bool) {
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
			old, to := g.group[v], g.best(v)
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

// best returns the group in which point v is best placed, its own where no
// other is better, -1 for one of its own.
func (g *groups) best(v int32) int32 {
	ties := g.tie[g.off[v]:g.off[v+1]]
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
