package layout

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Bounds of the grid on which points repel each other.
const (
	gridStep   = 0.5 // between nodes, in units of the kernel, unless the grid would have too many
	stepGrowth = 1.1 // the steps of larger pictures are gridStep times powers of it
	leastSide  = 64
	mostSide   = 512
	usualSide  = 256 // at most, of fewer than manyRows points
	manyRows   = 30_000
	fixed      = 1 << 30 // a point in whole numbers, whose sums do not depend on their order
)

// A grid computes the repulsion of t-SNE between all pairs of points by convolution, as Linderman et al., "Fast interpolation-based
// t-SNE for improved visualization of single-cell RNA-seq data" (2019), do: points are spread on the nodes of a grid, the
// kernels are applied by Fourier transforms, and the result is read off between the nodes. Half of the side is empty, so that
// nothing wraps around.
type grid struct {
	workers   int
	coarse    bool // half of the side is enough: points are still on their way
	plane     *plane2
	step      float64 // for which the kernels are
	kernel    []complex128
	potential []float64
	a         []complex128
	count     [][]int64 // of each part of the points
}

// parts of the points that are spread on their own.
const spreadParts = 4

// repel sets fx, fy to the sums over all other points of (y_i − y_j)/(1+d²)², and returns the sum of 1/(1+d²) over all pairs.
func (g *grid) repel(x, y, fx, fy []float64) float64 {
	left, right := bounds(x)
	bottom, top := bounds(y)
	span := max(right-left, top-bottom, 1e-9)
	side, step := leastSide, gridStep
	most := mostSide
	if len(x) < manyRows {
		most = usualSide
	}
	if g.coarse {
		most /= 2
	}
	for side < most && float64(side/2-3)*step < span {
		side *= 2
	}
	if float64(side/2-3)*step < span {
		// Up to the next power, so that the kernels are not made again whenever the picture grows a little.
		step = gridStep * math.Pow(stepGrowth, math.Ceil(math.Log(span/float64(side/2-3)/gridStep)/math.Log(stepGrowth)))
	}
	g.prepare(side, step)
	n, filled := side, min(side/2, int((top-bottom)/step+0.5)+3) // rows of nodes that points lie on
	_ = blocks.Tasks(context.Background(), g.workers, spreadParts, func(t int) {
		count := g.count[t][:filled*n]
		clear(count)
		for i := t * len(x) / spreadParts; i < (t+1)*len(x)/spreadParts; i++ {
			at, u, v := g.cell(x[i]-left, y[i]-bottom)
			for r, row := 0, at; r < 3; r, row = r+1, row+n {
				count[row] += int64(u[0] * v[r] * fixed)
				count[row+1] += int64(u[1] * v[r] * fixed)
				count[row+2] += int64(u[2] * v[r] * fixed)
			}
		}
	})
	g.plane.parts(filled, func(lo, hi int) {
		for i := lo * n; i < hi*n; i++ {
			var sum int64
			for _, c := range g.count {
				sum += c[i]
			}
			g.a[i] = complex(float64(sum)/fixed, 0)
		}
	})
	clear(g.a[filled*n:])
	g.plane.transform(g.a, filled, n)
	// The sum of the potential over all points is one over the frequencies, by Parseval's theorem.
	total := make([]float64, 1)
	blocks.Sums(g.workers, n*n, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			d := g.a[i]
			sum[0] += (real(d)*real(d) + imag(d)*imag(d)) * g.potential[i]
			d *= g.kernel[i]
			g.a[i] = complex(real(d), -imag(d)) // the inverse is the conjugate of the transform of the conjugate
		}
	}, total)
	g.plane.transform(g.a, n, filled) // twice transposed is upright again
	scale := 1 / float64(n*n)
	blocks.Rows(g.workers, len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at, u, v := g.cell(x[i]-left, y[i]-bottom)
			sx, sy := 0.0, 0.0
			for r, row := 0, at; r < 3; r, row = r+1, row+n {
				a := g.a[row : row+3 : row+3]
				sx += v[r] * (u[0]*real(a[0]) + u[1]*real(a[1]) + u[2]*real(a[2]))
				sy += v[r] * (u[0]*imag(a[0]) + u[1]*imag(a[1]) + u[2]*imag(a[2]))
			}
			fx[i], fy[i] = sx*scale, -sy*scale
		}
	})
	return max(total[0]*scale-float64(len(x)), 1e-9) // without those of points with themselves
}

// repelPairs is repel of each pair: for few points it is as fast, and exact.
func repelPairs(x, y, fx, fy []float64) (sum float64) {
	clear(fx)
	clear(fy)
	for i, xi := range x {
		yi, sx, sy := y[i], 0.0, 0.0
		fx, fy, y := fx[:i], fy[:i], y[:i]
		for j, xj := range x[:i] {
			dx, dy := xi-xj, yi-y[j]
			q := 1 / (1 + dx*dx + dy*dy)
			sum += q
			dx, dy = q*q*dx, q*q*dy
			sx, sy = sx+dx, sy+dy
			fx[j], fy[j] = fx[j]-dx, fy[j]-dy
		}
		fx, fy = fx[:i+1], fy[:i+1]
		fx[i], fy[i] = sx, sy
	}
	return max(2*sum, 1e-9)
}

// cell returns the first of the three by three nodes around a place, and the weights of their columns and rows: those of the
// polynomials of Lagrange.
func (g *grid) cell(x, y float64) (at int, u, v [3]float64) {
	i, u := lagrange(x/g.step, g.plane.side/2-3)
	j, v := lagrange(y/g.step, g.plane.side/2-3)
	return j*g.plane.side + i, u, v
}

func lagrange(x float64, most int) (first int, w [3]float64) {
	first = min(int(x+0.5), most)
	t := x - float64(first) // from the node in the middle, which is the one after first
	return first, [3]float64{t * (t - 1) / 2, 1 - t*t, t * (t + 1) / 2}
}

// prepare makes the kernels for a side and a step.
func (g *grid) prepare(side int, step float64) {
	if g.plane != nil && g.plane.side == side && g.step == step {
		return
	}
	if g.plane == nil || g.plane.side != side {
		g.plane = newPlane2(side, g.workers)
		g.kernel, g.potential, g.a = make([]complex128, side*side), make([]float64, side*side), make([]complex128, side*side)
		g.count = make([][]int64, spreadParts)
		for t := range g.count {
			g.count[t] = make([]int64, side*side)
		}
	}
	g.step = step
	offset := func(i int) float64 {
		if i > side/2 {
			i -= side
		}
		return float64(i) * step
	}
	g.plane.parts(side, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			for i := range side {
				dx, dy := offset(i), offset(j)
				if i == side/2 || j == side/2 {
					dx, dy = math.Abs(dx), math.Abs(dy)
				}
				q := 1 / (1 + dx*dx + dy*dy)
				g.kernel[j*side+i] = complex(dx*q*q, dy*q*q)
				g.a[j*side+i] = complex(q, 0)
			}
		}
	})
	g.plane.transform(g.kernel, side, side)
	g.plane.transform(g.a, side, side)
	for i, v := range g.a {
		g.potential[i] = real(v) // of an even kernel
	}
}
