package infer

import "context"

// A network is a graph with room for flow on each link, the same both ways, and
// between each variable and a source or a sink.
type network struct {
	n    int
	g    *graph
	ends []Edge
	room []float64 // 2·l from I to J, 2·l+1 back
	tap  []float64 // what the source can still give i (> 0), or i give the sink (< 0)

	level []int32
	at    []int32 // the next half to try
	queue []int32
}

func newNetwork(n int, links []Edge) *network {
	return &network{n: n, g: newGraph(n, links), ends: links, room: make([]float64, 2*len(links)),
		level: make([]int32, n), at: make([]int32, n)}
}

// join gives link l room in both directions.
func (w *network) join(l int, room float64) { w.room[2*l], w.room[2*l+1] = room, room }

// cut returns the sides of a least cut: true is the sink's. A variable pays
// max(0, pull) on the side of the sink and max(0, −pull) on the other, a link its
// room when its ends are on different sides. The method is Dinic's (1970): in
// each phase all shortest ways are filled. It ends also with rounded numbers,
// for every push fills something exactly and every phase lengthens the ways.
func (w *network) cut(ctx context.Context, pull []float64) (sink []bool, err error) {
	w.tap = append([]float64(nil), pull...)
	for w.layers() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range w.at {
			w.at[i] = w.g.start[i]
		}
		for i := range int32(w.n) {
			for w.level[i] == 0 && w.tap[i] > 0 && w.push(i) {
			}
		}
	}
	sink = make([]bool, w.n)
	for i, l := range w.level {
		sink[i] = l < 0
	}
	return sink, nil
}

// layers finds how far each variable is from the source, −1 where nothing can
// flow, and whether the sink is within reach.
func (w *network) layers() (reach bool) {
	w.queue = w.queue[:0]
	for i := range w.level {
		w.level[i] = -1
		if w.tap[i] > 0 {
			w.level[i] = 0
			w.queue = append(w.queue, int32(i))
		}
	}
	for at := 0; at < len(w.queue); at++ {
		v := w.queue[at]
		reach = reach || w.tap[v] < 0
		for _, h := range w.g.of(v) {
			if w.level[h.other] < 0 && w.room[w.way(h.link, v)] > 0 {
				w.level[h.other] = w.level[v] + 1
				w.queue = append(w.queue, h.other)
			}
		}
	}
	return reach
}

// way returns the place of the room of link l out of its end v.
func (w *network) way(l, v int32) int32 {
	if w.ends[l].I == v {
		return 2 * l
	}
	return 2*l + 1
}

// push sends what fits along one way from variable i, which the source feeds,
// to the sink, and reports whether there was one.
func (w *network) push(i int32) bool {
	var path []int32 // places of room
	for v := i; ; {
		if w.tap[v] < 0 {
			w.fill(path, i, v)
			return true
		}
		next := int32(-1)
		for ; w.at[v] < w.g.start[v+1]; w.at[v]++ {
			h := w.g.half[w.at[v]]
			if p := w.way(h.link, v); w.room[p] > 0 && w.level[h.other] == w.level[v]+1 {
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
		// A dead end: back, and never here again in this phase.
		last := path[len(path)-1]
		path = path[:len(path)-1]
		if v = w.ends[last/2].I; last%2 == 1 {
			v = w.ends[last/2].J
		}
		w.at[v]++
	}
}

// fill sends along path, from the tap of i to that of v, all that fits.
func (w *network) fill(path []int32, i, v int32) {
	flow := min(w.tap[i], -w.tap[v])
	for _, p := range path {
		flow = min(flow, w.room[p])
	}
	for _, p := range path {
		w.room[p] -= flow
		w.room[p^1] += flow
	}
	w.tap[i] -= flow
	w.tap[v] += flow
}
