package affinity

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Graph joins every row with its neighbours: an undirected graph without loops.
// Rows i and j are joined if one is a neighbour of the other, or, if w.Mutual,
// if each is of the other. Unless w.Mutual, every node has at least K
// neighbours, and all weights are positive.
func (nb *Neighbours) Graph(ctx context.Context, w Weights) (*data.Graph, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	weight := nb.weightFunc(w)
	g := nb.reverseGraph()
	for i := range nb.N {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		nb.mergeRow(i, g, w.Mutual)
	}
	g.compactRows()
	for i := range nb.N {
		for p := g.Start[i]; p < g.Start[i+1]; p++ {
			// The same bits from both ends.
			a, b := min(int32(i), g.To[p]), max(int32(i), g.To[p])
			g.W[p] = weight(a, b, g.W[p])
		}
	}
	if w.Join {
		return nb.joinComponents(ctx, &g.Graph, weight)
	}
	return &g.Graph, nil
}

// A graphBuilder has space for Start[i] to Start[i+1] neighbours of i; count[i]
// of them are taken. Its weights are squared distances at first.
type graphBuilder struct {
	data.Graph
	count []int
}

// reverseGraph returns a graph with space for the neighbours of each row and for
// the rows that it is a neighbour of. The latter are filled in, ascending.
func (nb *Neighbours) reverseGraph() *graphBuilder {
	g := &graphBuilder{Graph: data.Graph{Start: make([]int, nb.N+1)}, count: make([]int, nb.N)}
	for _, j := range nb.Idx {
		g.Start[j+1]++
	}
	for i := range nb.N {
		g.Start[i+1] += g.Start[i] + nb.K
	}
	g.To, g.W = make([]int32, g.Start[nb.N]), make([]float64, g.Start[nb.N])
	for i := range nb.N {
		idx, dist := nb.NeighboursOf(i)
		for p, j := range idx {
			at := g.Start[j] + g.count[j]
			g.To[at], g.W[at] = int32(i), dist[p]
			g.count[j]++
		}
	}
	return g
}

// A graphEntry is one neighbour in a row of a graph.
type graphEntry struct {
	to    int32
	dist2 float64
}

// mergeRow merges the neighbours of i into its row: all of them, or only those
// that are there already.
func (nb *Neighbours) mergeRow(i int, g *graphBuilder, mutual bool) {
	idx, dist := nb.NeighboursOf(i)
	row := make([]graphEntry, 0, nb.K+g.count[i])
	for p, j := range idx {
		row = append(row, graphEntry{j, dist[p]})
	}
	lo := g.Start[i]
	for p := lo; p < lo+g.count[i]; p++ {
		row = append(row, graphEntry{g.To[p], g.W[p]})
	}
	slices.SortFunc(row, func(a, b graphEntry) int { return int(a.to) - int(b.to) })
	at := lo
	for p := 0; p < len(row); p++ {
		twice := p+1 < len(row) && row[p+1].to == row[p].to
		if !mutual || twice {
			g.To[at], g.W[at] = row[p].to, row[p].dist2
			at++
		}
		if twice {
			p++
		}
	}
	g.count[i] = at - lo
}

// compactRows closes the gaps between rows.
func (g *graphBuilder) compactRows() {
	out := 0
	for i, n := range g.count {
		lo := g.Start[i]
		copy(g.To[out:], g.To[lo:lo+n])
		copy(g.W[out:], g.W[lo:lo+n])
		g.Start[i] = out
		out += n
	}
	g.Start[len(g.count)] = out
	g.To, g.W = slices.Clone(g.To[:out]), slices.Clone(g.W[:out])
}
