package infer

import "context"

// A flowNetwork is a graph with a capacity for each link, the same in both
// directions, and between each variable and the source or the sink.
type flowNetwork struct {
	size     int
	links    *linkGraph
	ends     []Edge
	capacity []float64 // 2·l from I to J, 2·l+1 back
	terminal []float64 // capacity left from the source to i (> 0), or from i to the sink (< 0)

	level    []int32
	nextLink []int32 // the next link end to try
	queue    []int32
}

func newFlowNetwork(n int, links []Edge) *flowNetwork {
	return &flowNetwork{size: n, links: newLinkGraph(n, links), ends: links, capacity: make([]float64, 2*len(links)),
		level: make([]int32, n), nextLink: make([]int32, n)}
}

// setCapacity gives link l a capacity in both directions.
func (w *flowNetwork) setCapacity(l int, capacity float64) {
	w.capacity[2*l], w.capacity[2*l+1] = capacity, capacity
}

// minCut returns the sides of a minimum cut: true is the sink's. A variable costs
// max(0, pull) on the side of the sink and max(0, −pull) on the other, a link its
// capacity if its ends are on different sides. The method is Dinic's (1970): each
// phase saturates all shortest paths. It also ends with rounded numbers, because
// every push saturates something exactly and every phase lengthens the paths.
func (w *flowNetwork) minCut(ctx context.Context, pull []float64) (sink []bool, err error) {
	w.terminal = append([]float64(nil), pull...)
	for w.assignLevels() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range w.nextLink {
			w.nextLink[i] = w.links.start[i]
		}
		for i := range int32(w.size) {
			for w.level[i] == 0 && w.terminal[i] > 0 && w.pushPath(i) {
			}
		}
	}
	sink = make([]bool, w.size)
	for i, l := range w.level {
		sink[i] = l < 0
	}
	return sink, nil
}

// assignLevels finds the distance of each variable from the source, −1 if no flow
// reaches it, and reports whether flow reaches the sink.
func (w *flowNetwork) assignLevels() (reach bool) {
	w.queue = w.queue[:0]
	for i := range w.level {
		w.level[i] = -1
		if w.terminal[i] > 0 {
			w.level[i] = 0
			w.queue = append(w.queue, int32(i))
		}
	}
	for at := 0; at < len(w.queue); at++ {
		v := w.queue[at]
		reach = reach || w.terminal[v] < 0
		for _, h := range w.links.linksOf(v) {
			if w.level[h.other] < 0 && w.capacity[w.arcFrom(h.link, v)] > 0 {
				w.level[h.other] = w.level[v] + 1
				w.queue = append(w.queue, h.other)
			}
		}
	}
	return reach
}

// arcFrom returns the place of the capacity of link l out of its end v.
func (w *flowNetwork) arcFrom(l, v int32) int32 {
	if w.ends[l].I == v {
		return 2 * l
	}
	return 2*l + 1
}

// pushPath sends as much as possible along one path from variable i, which the
// source feeds, to the sink, and reports whether there was a path.
func (w *flowNetwork) pushPath(i int32) bool {
	var path []int32 // places of capacities
	for v := i; ; {
		if w.terminal[v] < 0 {
			w.augment(path, i, v)
			return true
		}
		next := int32(-1)
		for ; w.nextLink[v] < w.links.start[v+1]; w.nextLink[v]++ {
			h := w.links.ends[w.nextLink[v]]
			if p := w.arcFrom(h.link, v); w.capacity[p] > 0 && w.level[h.other] == w.level[v]+1 {
				path, next = append(path, p), h.other
				break
			}
		}
		if next >= 0 {
			v = next
			continue
		}
		if len(path) == 0 {
			return false
		}
		// A dead end: go back, and do not come here again in this phase.
		last := path[len(path)-1]
		path = path[:len(path)-1]
		if v = w.ends[last/2].I; last%2 == 1 {
			v = w.ends[last/2].J
		}
		w.nextLink[v]++
	}
}

// augment sends as much as possible along path, from the source by i to the sink
// by v.
func (w *flowNetwork) augment(path []int32, i, v int32) {
	flow := min(w.terminal[i], -w.terminal[v])
	for _, p := range path {
		flow = min(flow, w.capacity[p])
	}
	for _, p := range path {
		w.capacity[p] -= flow
		w.capacity[p^1] += flow
	}
	w.terminal[i] -= flow
	w.terminal[v] += flow
}
