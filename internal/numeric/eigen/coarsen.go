package eigen

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// matchHeavyEdges pairs each node with the neighbour to which its edge is
// heaviest among those still free, in the order of the nodes; the first of them
// on ties. A node without a free neighbour joins the pair of its heaviest edge,
// so that no node with an edge stays alone. Nodes without edges get −1: the
// smoother alone solves for them. It returns the group of each node and their number,
// groups being numbered by their first nodes.
func matchHeavyEdges(g *data.Graph) (group []int32, count int) {
	n := g.Len()
	group = make([]int32, n)
	for i := range group {
		group[i] = -1
	}
	for i := range n {
		if group[i] >= 0 {
			continue
		}
		to, w := g.Neighbours(i)
		best, free := -1, -1
		var bestW, freeW float64
		for p, j := range to {
			if int(j) == i || !(w[p] > 0) {
				continue
			}
			if w[p] > bestW {
				best, bestW = int(j), w[p]
			}
			if w[p] > freeW && group[j] < 0 {
				free, freeW = int(j), w[p]
			}
		}
		switch {
		case free >= 0:
			group[i], group[free] = int32(count), int32(count)
			count++
		case best >= 0:
			group[i] = group[best]
		}
	}
	return group, count
}

// contract returns the graph of the groups: weights between two groups add up,
// edges inside a group vanish. When ctx ends it is not complete.
func contract(ctx context.Context, workers int, g *data.Graph, group []int32, count int) *data.Graph {
	coarse, _ := contraction.NewGroups(group, count).Contract(ctx, workers, g, nil)
	return coarse
}

// renumber returns g with node i called rank[i]; node lists the old nodes in
// the new order. Loops and edges of weight 0 are left out. Each row begins with
// the neighbours of lower number in the same block of rowChunk nodes, up to
// low, then those of higher number there, up to in, then all others: the
// smoother walks through them without looking.
func renumber(ctx context.Context, workers int, g *data.Graph, rank, node []int32) (out *data.Graph, low, in []int) {
	n := g.Len()
	out = &data.Graph{Start: make([]int, n+1)}
	low, in = make([]int, n), make([]int, n)
	for at, i := range node {
		to, w := g.Neighbours(int(i))
		size := 0
		for p, j := range to {
			if j != i && w[p] > 0 {
				size++
			}
		}
		out.Start[at+1] = out.Start[at] + size
	}
	out.To, out.W = make([]int32, out.Start[n]), make([]float64, out.Start[n])
	rowTasks(ctx, workers, n, func(lo, hi int) {
		for at := lo; at < hi; at++ {
			i := node[at]
			to, w := g.Neighbours(int(i))
			q := out.Start[at]
			put := func(from, till int) {
				for p, j := range to {
					if r := int(rank[j]); r >= from && r < till && w[p] > 0 {
						out.To[q], out.W[q] = int32(r), w[p]
						q++
					}
				}
			}
			put(lo, at)
			low[at] = q
			put(at+1, hi)
			in[at] = q
			put(0, lo)
			put(hi, n)
		}
	})
	return out, low, in
}
