package spectral

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/eigen"
	"github.com/inklinghq/inkling/internal/blocks"
)

// orderFrom is the number of nodes from which on their order matters: what a
// walk through the edges looks up no longer fits the nearest memory.
const orderFrom = 20_000

// order numbers the nodes of a large graph so that neighbours stand together.
func (f *field) order(workers int) {
	n := len(f.at)
	if n < orderFrom {
		return
	}
	node := eigen.Order(workers, f.g)
	rank, at := make([]int32, n), make([]int, n)
	for r, i := range node {
		rank[i], at[r] = int32(r), f.at[i]
		f.node[f.at[i]] = r
	}
	g := &data.Graph{Start: make([]int, n+1), To: make([]int32, len(f.g.To)), W: make([]float64, len(f.g.W))}
	for r, i := range node {
		g.Start[r+1] = g.Start[r] + f.g.Start[i+1] - f.g.Start[i]
	}
	type edge struct {
		to int32
		w  float64
	}
	_ = blocks.Tasks(context.Background(), workers, (n+blocks.Len-1)/blocks.Len, func(t int) {
		var row []edge
		for r := t * blocks.Len; r < min(n, (t+1)*blocks.Len); r++ {
			row = row[:0]
			to, w := f.g.Neighbours(int(node[r]))
			for q, j := range to {
				row = append(row, edge{rank[j], w[q]})
			}
			slices.SortFunc(row, func(a, b edge) int { return int(a.to) - int(b.to) })
			for q, e := range row {
				g.To[g.Start[r]+q], g.W[g.Start[r]+q] = e.to, e.w
			}
		}
	})
	f.g, f.at = g, at
}
