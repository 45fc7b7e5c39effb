package eigen

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// The smoother is Gauss-Seidel inside blocks of rowChunk nodes, which see each
// other's old values only: blocks can be worked on side by side, and the cut
// is fixed. When ctx ends, what is set is not to be used. For a Laplacian D − W its symmetric form needs D plus the weights
// between blocks to be positive definite, and D dominates those.

// forward sets x to one sweep from zero for the right sides b, p vectors at
// once: only neighbours with lower numbers in the block count. What is left of
// b is then Σ w_ij x_j over the other neighbours, and goes to r.
func (l *level) forward(ctx context.Context, workers int, x, r, b []float64, p int) {
	g := l.g
	rowTasks(ctx, workers, g.Len(), func(lo, hi int) {
		if p == 1 {
			for i := lo; i < hi; i++ {
				x[i] = (b[i] + gather(g.To[g.Start[i]:l.low[i]], g.W[g.Start[i]:l.low[i]], x)) * l.inv[i]
			}
			return
		}
		for i := lo; i < hi; i++ {
			y := x[i*p : (i+1)*p]
			copy(y, b[i*p:(i+1)*p])
			simd.Gather(y, g.To[g.Start[i]:l.low[i]], g.W[g.Start[i]:l.low[i]], x)
			scale(y, l.inv[i])
		}
	})
	rowTasks(ctx, workers, g.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, w := g.To[l.low[i]:g.Start[i+1]], g.W[l.low[i]:g.Start[i+1]]
			if p == 1 {
				r[i] = gather(to, w, x)
				continue
			}
			y := r[i*p : (i+1)*p]
			clear(y)
			simd.Gather(y, to, w, x)
		}
	})
}

// backward improves x by one sweep in descending order. old is scratch memory for a copy.
func (l *level) backward(ctx context.Context, workers int, x, b, old []float64, p int) {
	g := l.g
	rowTasks(ctx, workers, g.Len(), func(lo, hi int) { copy(old[lo*p:hi*p], x[lo*p:hi*p]) })
	rowTasks(ctx, workers, g.Len(), func(lo, hi int) {
		for i := hi - 1; i >= lo; i-- {
			from, mid, till := g.Start[i], l.in[i], g.Start[i+1]
			if p == 1 {
				s := b[i] + gather(g.To[from:mid], g.W[from:mid], x)
				x[i] = (s + gather(g.To[mid:till], g.W[mid:till], old)) * l.inv[i]
				continue
			}
			y := x[i*p : (i+1)*p]
			copy(y, b[i*p:(i+1)*p])
			simd.Gather(y, g.To[from:mid], g.W[from:mid], x)
			simd.Gather(y, g.To[mid:till], g.W[mid:till], old)
			scale(y, l.inv[i])
		}
	})
}

// product sets y to A x.
func (l *level) product(ctx context.Context, workers int, y, x []float64, p int) {
	g := l.g
	rowTasks(ctx, workers, g.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, w := g.To[g.Start[i]:g.Start[i+1]], g.W[g.Start[i]:g.Start[i+1]]
			if p == 1 {
				y[i] = float64(l.diag[i]*x[i]) - gather(to, w, x)
				continue
			}
			d, z := y[i*p:(i+1)*p], x[i*p:(i+1)*p]
			clear(d)
			simd.Gather(d, to, w, x)
			for c := range d {
				d[c] = float64(l.diag[i]*z[c]) - d[c]
			}
		}
	})
}

// restrict sets c to the sums of r over groups.
func (l *level) restrict(ctx context.Context, workers int, c, r []float64, p int) {
	rowTasks(ctx, workers, len(l.first)-1, func(lo, hi int) {
		clear(c[lo*p : hi*p])
		for a := lo; a < hi; a++ {
			y := c[a*p : (a+1)*p]
			for i := l.first[a]; i < l.first[a+1]; i++ {
				for q, z := range r[i*p : (i+1)*p] {
					y[q] += z
				}
			}
		}
	})
}

// prolong adds to each node of x what its group has in c.
func (l *level) prolong(ctx context.Context, workers int, x, c []float64, p int) {
	rowTasks(ctx, workers, len(l.first)-1, func(lo, hi int) {
		for a := lo; a < hi; a++ {
			y := c[a*p : (a+1)*p]
			for i := l.first[a]; i < l.first[a+1]; i++ {
				for q := range y {
					x[i*p+q] += y[q]
				}
			}
		}
	})
}
