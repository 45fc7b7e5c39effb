package kernel

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/internal/blocks"
)

// sparse is a graph as a weave.
type sparse struct{ a csr }

func (s sparse) sums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
	n := len(label)
	return blocks.Each(ctx, workers, n, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			to, w := s.a.row(int32(i))
			for q, j := range to {
				if int(j) != i {
					sum[int(label[j])*n+i] += w[q]
				}
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

func (s sparse) row(i int, w float64, dst []float64) {
	to, a := s.a.row(int32(i))
	for q, j := range to {
		if int(j) != i {
			dst[j] += float64(w * a[q])
		}
	}
}

func (s sparse) times(ctx context.Context, workers int, x, dst []float64) error {
	return blocks.Each(ctx, workers, len(x), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			y := 0.0
			to, w := s.a.row(int32(i))
			for q, j := range to {
				if int(j) != i {
					y += float64(w[q] * x[j])
				}
			}
			dst[i] = y
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// gram is a kernel matrix as a weave: B_ij = w_i w_j K_ij. It is in memory or
// computed anew each time, with the same values.
type gram struct {
	g      affinity.Gram
	weight []float64 // of the points; nil: 1 each
	hands  sync.Pool
}

// tall is how many rows of a kernel are asked for at a time.
const tall = 32

func newGram(g affinity.Gram, weight []float64) *gram {
	n := g.Len()
	return &gram{g: g, weight: weight, hands: sync.Pool{New: func() any { s := make([]float32, tall*n); return &s }}}
}

// rowOf returns row i, in memory or computed into buf.
func (g *gram) rowOf(i int, buf []float32) []float32 {
	if m, ok := g.g.(*affinity.Matrix); ok {
		return m.Row(i)
	}
	buf = buf[:g.g.Len()]
	g.g.Tile(i, i+1, 0, len(buf), buf)
	return buf
}

func (g *gram) at(i int) float64 {
	if g.weight == nil {
		return 1
	}
	return g.weight[i]
}

// diagonal returns B_ii, rounded as every value of the matrix is.
func (g *gram) diagonal(i int) float64 {
	w := g.at(i)
	return w * w * float64(float32(g.g.Diagonal(i)))
}

// sums takes four rows side by side: what is added to one cluster after the
// other waits for itself in one row, not in four.
func (g *gram) sums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
	n := len(label)
	return g.tiles(ctx, workers, func(i int, rows [][]float32) {
		part := make([][4]float64, k)
		switch {
		case len(rows) == 4 && g.weight == nil:
			fourSums(rows, label, part)
		case len(rows) == 4:
			fourWeighted(rows, g.weight, label, part)
		default:
			for r, row := range rows {
				for j, y := range row {
					part[label[j]][r] += float64(float64(y) * g.at(j))
				}
			}
		}
		for r, row := range rows {
			part[label[i+r]][r] -= float64(row[i+r]) * g.at(i+r)
			for c := range part {
				sum[c*n+i+r] += part[c][r] * g.at(i+r)
			}
		}
	})
}

func fourSums(rows [][]float32, label []int32, part [][4]float64) {
	n := len(label)
	r0, r1, r2, r3 := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	for j, c := range label {
		p := &part[c]
		p[0] += float64(r0[j])
		p[1] += float64(r1[j])
		p[2] += float64(r2[j])
		p[3] += float64(r3[j])
	}
}

func fourWeighted(rows [][]float32, weight []float64, label []int32, part [][4]float64) {
	n := len(label)
	r0, r1, r2, r3 := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	weight = weight[:n]
	for j, c := range label {
		p, w := &part[c], weight[j]
		p[0] += float64(float64(r0[j]) * w)
		p[1] += float64(float64(r1[j]) * w)
		p[2] += float64(float64(r2[j]) * w)
		p[3] += float64(float64(r3[j]) * w)
	}
}

// tiles calls do for all rows from i on, up to four at a time, on several
// goroutines.
func (g *gram) tiles(ctx context.Context, workers int, do func(i int, rows [][]float32)) error {
	n := g.g.Len()
	return blocks.Tasks(ctx, workers, (n+tall-1)/tall, func(t int) {
		lo, hi := t*tall, min(n, (t+1)*tall)
		m, kept := g.g.(*affinity.Matrix)
		var buf []float32
		if !kept {
			hand := g.hands.Get().(*[]float32)
			defer g.hands.Put(hand)
			buf = (*hand)[:(hi-lo)*n]
			g.g.Tile(lo, hi, 0, n, buf)
		}
		for i := lo; i < hi; i += 4 {
			var some [4][]float32
			rows := some[:min(4, hi-i)]
			for r := range rows {
				if kept {
					rows[r] = m.Row(i + r)
				} else {
					rows[r] = buf[(i+r-lo)*n : (i+r-lo+1)*n]
				}
			}
			do(i, rows)
		}
	})
}

func (g *gram) row(i int, w float64, dst []float64) {
	buf := g.hands.Get().(*[]float32)
	defer g.hands.Put(buf)
	was, own := dst[i], w*g.at(i)
	for j, y := range g.rowOf(i, *buf) {
		if g.weight == nil {
			dst[j] += float64(own * float64(y))
		} else {
			dst[j] += float64(own * float64(y) * g.weight[j])
		}
	}
	dst[i] = was
}

func (g *gram) times(ctx context.Context, workers int, x, dst []float64) error {
	return g.tiles(ctx, workers, func(i int, rows [][]float32) {
		for r, row := range rows {
			y := 0.0
			for j, b := range row {
				if j != i+r {
					y += float64(float64(b) * g.at(j) * x[j])
				}
			}
			dst[i+r] = y * g.at(i+r)
		}
	})
}
