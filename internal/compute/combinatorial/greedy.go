package combinatorial

import (
	"container/heap"
	"slices"
)

// SmallestLast colours greedily in the reverse of the degeneracy order, each
// vertex with its lowest free colour; nil if K colours were not enough or it was
// stopped.
func (g *Graph) SmallestLast() []int32 {
	order := g.degeneracyOrder()
	closed := g.closedColours()
	colour := make([]int32, len(order))
	edges := 0
	for _, v := range slices.Backward(order) {
		h := closed[v].lowestMissing()
		if h < 0 || int(h) >= g.K || g.stopped(&edges, v) {
			return nil
		}
		colour[v] = h
		for _, u := range g.Adj[v] {
			closed[u].insert(h)
		}
	}
	return colour
}

// DSATUR colours greedily, always the vertex with fewest colours left (Brélaz,
// Communications of the ACM 22, 1979); nil if K colours were not enough or it was
// stopped.
func (g *Graph) DSATUR() []int32 {
	closed := g.closedColours()
	q := make(saturationQueue, 0, g.Len())
	saturation := make([]int32, g.Len())
	colour := make([]int32, g.Len())
	edges := 0
	for v := range saturation {
		saturation[v], colour[v] = int32(len(g.Banned[v])), -1
		q = append(q, saturated{int32(v), saturation[v], int32(g.Degree(v))})
	}
	heap.Init(&q)
	for len(q) > 0 {
		e := heap.Pop(&q).(saturated)
		v := e.v
		if colour[v] >= 0 || e.saturation != saturation[v] {
			continue // an outdated entry
		}
		h := closed[v].lowestMissing()
		if h < 0 || int(h) >= g.K || g.stopped(&edges, v) {
			return nil
		}
		colour[v] = h
		for _, u := range g.Adj[v] {
			if colour[u] < 0 && !closed[u].contains(h) {
				closed[u].insert(h)
				saturation[u]++
				heap.Push(&q, saturated{u, saturation[u], int32(g.Degree(int(u)))})
			}
		}
	}
	return colour
}

// stopped reports, once in many edges, whether a greedy colouring that has come to v has to end: small graphs
// are coloured even when time is over.
func (g *Graph) stopped(edges *int, v int32) bool {
	const many = 1 << 17
	if *edges += len(g.Adj[v]); *edges < many {
		return false
	}
	*edges = 0
	return g.Stop != nil && g.Stop()
}

// closedColours returns for each vertex the set of colours it cannot have. Where
// every vertex has a degree of K or more, the sets take no more memory than the
// edges do.
func (g *Graph) closedColours() []bitset {
	width := len(newBitset(g.K))
	all := make(bitset, width*g.Len())
	out := make([]bitset, g.Len())
	for v := range out {
		out[v] = all[v*width : (v+1)*width]
		for _, h := range g.Banned[v] {
			out[v].insert(h)
		}
	}
	return out
}

// saturated is a vertex with its saturation, the number of colours closed to
// it, when it was queued.
type saturated struct{ v, saturation, degree int32 }

// A saturationQueue is a heap: most saturated first, then highest degree, then
// lowest vertex.
type saturationQueue []saturated

func (q saturationQueue) Len() int      { return len(q) }
func (q saturationQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q saturationQueue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.saturation != b.saturation {
		return a.saturation > b.saturation
	}
	if a.degree != b.degree {
		return a.degree > b.degree
	}
	return a.v < b.v
}
func (q *saturationQueue) Push(x any) { *q = append(*q, x.(saturated)) }
func (q *saturationQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}
