package eigen

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Sparse is a symmetric matrix by rows: a graph, whose weights are the entries
// off the diagonal and whose loops stand on it, plus a diagonal.
type Sparse struct {
	// Workers is the number of goroutines of a product; below 1 one per
	// processor. It does not change a bit of the result.
	Workers int

	g    *data.Graph
	w    []float64 // in place of g.W; nil if they are the same
	diag []float64 // added to the diagonal; nil for none
	sign float64   // of the weights: 1, or −1 for Laplacians
}

// Adjacency is the matrix of the weights of g. Weights of any sign will do.
func Adjacency(g *data.Graph) *Sparse { return &Sparse{g: g, sign: 1} }

// scaledWeights returns the weights of diag(s) A diag(s).
func scaledWeights(g *data.Graph, s []float64) []float64 {
	w := make([]float64, len(g.W))
	for i := range g.Len() {
		for p := g.Start[i]; p < g.Start[i+1]; p++ {
			// The same order on both sides of the diagonal: symmetric to the bit.
			w[p] = float64(g.W[p] * float64(s[i]*s[g.To[p]]))
		}
	}
	return w
}

// Dim returns the number of rows.
func (a *Sparse) Dim() int { return a.g.Len() }

func (a *Sparse) weights() []float64 {
	if a.w != nil {
		return a.w
	}
	return a.g.W
}

// rowChunk is the number of rows of a task of a product. Rows do not share
// sums, so any cut gives the same bits.
const rowChunk = 2048

// rowTasks calls do on parts of 0 ≤ i < n, from several goroutines. It leaves out what is
// left when ctx ends.
func rowTasks(ctx context.Context, workers, n int, do func(lo, hi int)) {
	count := (n + rowChunk - 1) / rowChunk
	if count == 1 {
		do(0, n)
		return
	}
	_ = blocks.Tasks(ctx, workers, count, func(c int) {
		do(c*rowChunk, min(n, (c+1)*rowChunk))
	})
}

// Apply sets dst to the product with x.
func (a *Sparse) Apply(dst, x []float64) {
	w := a.weights()
	rowTasks(context.Background(), a.Workers, a.Dim(), func(lo, hi int) {
		start := a.g.Start
		for i := lo; i < hi; i++ {
			s := a.sign * gather(a.g.To[start[i]:start[i+1]], w[start[i]:start[i+1]], x)
			if a.diag != nil {
				s += float64(a.diag[i] * x[i])
			}
			dst[i] = s
		}
	})
}

// ApplyBlock sets dst to the products with p vectors, node by node.
func (a *Sparse) ApplyBlock(dst, x []float64, p int) {
	w := a.weights()
	rowTasks(context.Background(), a.Workers, a.Dim(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a.applyRow(dst[i*p:(i+1)*p], x, w, i)
		}
	})
}

// applyRow sets y to row i of the products with vectors held node by node.
func (a *Sparse) applyRow(y, x, w []float64, i int) {
	lo, hi, p := a.g.Start[i], a.g.Start[i+1], len(y)
	clear(y)
	simd.Gather(y, a.g.To[lo:hi], w[lo:hi], x)
	if a.sign < 0 {
		scale(y, a.sign)
	}
	if a.diag != nil {
		addTo(y, a.diag[i], x[i*p:(i+1)*p])
	}
}

// EachRow calls use with each row i of the products with p vectors, node by node, from
// several goroutines: the products need not be kept. y is used again. When ctx ends the
// rest is left out.
func (a *Sparse) EachRow(ctx context.Context, x []float64, p int, use func(i int, y []float64)) error {
	w := a.weights()
	rowTasks(ctx, a.Workers, a.Dim(), func(lo, hi int) {
		y := make([]float64, p)
		for i := lo; i < hi; i++ {
			a.applyRow(y, x, w, i)
			use(i, y)
		}
	})
	return ctx.Err()
}

// gather returns Σ w_q x[to_q].
func gather(to []int32, w, x []float64) (s float64) {
	w = w[:len(to)]
	for q, j := range to {
		s += float64(w[q] * x[j])
	}
	return s
}
