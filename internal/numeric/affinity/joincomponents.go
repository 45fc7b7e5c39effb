package affinity

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// The maximum numbers of points that one round of joining compares: joinFrom
// points of the components search for the nearest of joinTo others.
const joinFrom, joinTo = 2048, 16384

// joinComponents adds edges to g until it is connected. In each round every
// component searches for its nearest other component, by a sample of its points
// against a sample of all points; the shortest edge found, made shorter by steps
// along the graph, joins the two (Borůvka). The number of components at least
// halves each round.
func (nb *Neighbours) joinComponents(ctx context.Context, g *data.Graph, weight func(i, j int32, dist2 float64) float64) (*data.Graph, error) {
	rng := rand.New(rand.NewPCG(nb.seed, 0x4a4f494e))
	label, count := Components(g)
	if count <= 1 {
		return g, ctx.Err()
	}
	var links []data.Edge
	for count > 1 {
		found, err := nb.nearestBridges(ctx, g, label, count, rng)
		if err != nil {
			return nil, err
		}
		links = append(links, found...)
		label, count = mergeComponents(label, count, found)
	}
	for p, e := range links {
		a, b := int32(min(e.U, e.V)), int32(max(e.U, e.V))
		links[p] = data.Edge{U: int(a), V: int(b), W: weight(a, b, e.W)}
	}
	return addEdges(g, links), nil
}

// nearestBridges returns, for each component, an edge to another; its weight is
// its squared length. An edge that two components choose is returned once.
func (nb *Neighbours) nearestBridges(ctx context.Context, g *data.Graph, label []int32, count int, rng *rand.Rand) ([]data.Edge, error) {
	members := make([][]int32, count)
	for i, c := range label {
		members[c] = append(members[c], int32(i))
	}
	from, to := samplePoints(members, joinFrom/count, rng), samplePoints(members, joinTo/count, rng)
	if spare := joinTo - len(to); spare > 0 { // more points of large components
		for _, i := range drawSorted(rng, nb.N, min(nb.N, spare)) {
			to = append(to, int32(i))
		}
		slices.Sort(to)
		to = slices.Compact(to)
	}
	targets := nb.table.subTable(to)
	best := make([]data.Edge, len(from))
	err := blocks.Tasks(ctx, nb.workers, len(from), func(q int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		best[q] = nb.shortestBridge(from[q], to, targets, g, label, r)
	})
	if err != nil {
		return nil, err
	}
	least := make([]data.Edge, count)
	for c := range least {
		least[c].W = math.Inf(1)
	}
	for _, e := range best {
		if c := label[e.U]; e.W < least[c].W {
			least[c] = e
		}
	}
	for c, e := range least {
		if e.U > e.V {
			least[c].U, least[c].V = e.V, e.U
		}
	}
	slices.SortFunc(least, func(a, b data.Edge) int {
		if a.U != b.U {
			return a.U - b.U
		}
		return a.V - b.V
	})
	return slices.Compact(least), nil
}

// samplePoints draws up to m points, at least one, of each component.
func samplePoints(members [][]int32, m int, rng *rand.Rand) (points []int32) {
	for _, c := range members {
		for _, p := range drawSorted(rng, len(c), min(len(c), max(m, 1))) {
			points = append(points, c[p])
		}
	}
	return points
}

// shortestBridge returns the shortest edge from u to a point of another component
// among to, and moves both ends along g while that makes it shorter.
func (nb *Neighbours) shortestBridge(u int32, to []int32, targets *rowTable, g *data.Graph, label []int32, r *scratch) data.Edge {
	v, least := int32(-1), math.Inf(1)
	for p, y := range nb.table.squaredDistances(int(u), targets, 0, targets.n, r) {
		if y < least && label[to[p]] != label[u] {
			v, least = to[p], y
		}
	}
	for moved := true; moved; {
		moved = false
		for range 2 {
			near, _ := g.Neighbours(int(v))
			for _, j := range near {
				if y := nb.table.dist2(int(u), int(j)); y < least {
					v, least, moved = j, y, true
				}
			}
			u, v = v, u
		}
	}
	return data.Edge{U: int(u), V: int(v), W: least}
}

// mergeComponents renumbers the components after links have joined them.
func mergeComponents(label []int32, count int, links []data.Edge) ([]int32, int) {
	edges := make([]data.Edge, len(links))
	for p, e := range links {
		edges[p] = data.Edge{U: int(label[e.U]), V: int(label[e.V]), W: 1}
	}
	number, n := Components(data.BuildGraph(count, edges))
	next := make([]int32, len(label))
	for i, c := range label {
		next[i] = number[c]
	}
	return next, n
}

// addEdges returns g with further edges between nodes that it does not join.
func addEdges(g *data.Graph, links []data.Edge) *data.Graph {
	extra := map[int][]data.Edge{}
	for _, e := range links {
		extra[e.U] = append(extra[e.U], e)
		extra[e.V] = append(extra[e.V], data.Edge{U: e.V, V: e.U, W: e.W})
	}
	out := &data.Graph{Start: make([]int, 1, len(g.Start))}
	out.To, out.W = make([]int32, 0, len(g.To)+2*len(links)), make([]float64, 0, len(g.W)+2*len(links))
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		more := extra[i]
		slices.SortFunc(more, func(a, b data.Edge) int { return a.V - b.V })
		for p, j := range to {
			for len(more) > 0 && more[0].V < int(j) {
				out.To, out.W = append(out.To, int32(more[0].V)), append(out.W, more[0].W)
				more = more[1:]
			}
			out.To, out.W = append(out.To, j), append(out.W, w[p])
		}
		for _, e := range more {
			out.To, out.W = append(out.To, int32(e.V)), append(out.W, e.W)
		}
		out.Start = append(out.Start, len(out.To))
	}
	return out
}
