package posterior

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A Gram is the kernel among some points: V[i·m+j] for the points Rows[i] and Rows[j].
type Gram struct {
	Rows []int
	V    []float64

	scale []float64 // of the graph kernel: 1/√(its diagonal before normalisation)
}

// At returns the kernel of points i and j of the Gram.
func (g *Gram) At(i, j int) float64 { return g.V[i*len(g.Rows)+j] }

// newGram computes the kernel among the given points.
func (k *Kernel) newGram(ctx context.Context, rows []int) (*Gram, error) {
	m := len(rows)
	g := &Gram{Rows: rows, V: make([]float64, m*m)}
	if k.given != nil {
		for i, a := range rows {
			for j, b := range rows {
				g.V[i*m+j] = k.givenValue(a, b)
			}
		}
		return g, nil
	}
	if err := k.addGraph(ctx, g); err != nil {
		return nil, err
	}
	share := 1 / k.parts()
	if k.x == nil {
		for i, a := range rows {
			for j, b := range rows {
				g.V[i*m+j] = share * (g.V[i*m+j] + k.together(a, b))
			}
		}
		return g, nil
	}
	err := k.eachRow(ctx, rows, rows, func(i, j int, rbf, cosine float64) {
		g.V[i*m+j] = share * (g.V[i*m+j] + rbf + cosine + k.together(rows[i], rows[j]))
	})
	return g, err
}

func (k *Kernel) givenValue(a, b int) float64 {
	if a == b {
		return 1
	}
	d := k.given.V[a*k.n+a] * k.given.V[b*k.n+b]
	if !(d > 0) {
		return 0
	}
	return max(-1, min(1, k.given.V[a*k.n+b]/math.Sqrt(d)))
}

// invertAmong sets g.V to the rows and columns of (I − c S)⁻¹ that belong to the points of g.
func (k *Kernel) invertAmong(ctx context.Context, g *Gram) error {
	m := len(g.Rows)
	if k.isDense(m) {
		all, err := k.inverse(ctx)
		if err != nil {
			return err
		}
		for i, a := range g.Rows {
			for j, b := range g.Rows {
				g.V[i*m+j] = all.V[a*k.n+b]
			}
		}
		return nil
	}
	if m*k.n <= mostKept {
		return k.invertTogether(ctx, g)
	}
	return k.invertColumns(ctx, g)
}

// invertColumns is invertAmong, some columns at a time.
func (k *Kernel) invertColumns(ctx context.Context, g *Gram) error {
	m := len(g.Rows)
	return k.eachBatch(ctx, m, func(lo, p, workers int) {
		b, wide := k.units(g.Rows[lo : lo+p])
		x, err := k.solver.solve(ctx, b, wide, workers)
		if err != nil {
			return // ctx has ended
		}
		for i, a := range g.Rows {
			for c, v := range x[k.placeOf(a)*wide:][:p] {
				g.V[i*m+lo+c] = float64(v)
			}
		}
	})
}

// units returns the columns of I that belong to points as right sides, and their number with columns of zeros.
func (k *Kernel) units(rows []int) ([]float32, int) {
	wide := columns(len(rows))
	b := make([]float32, k.n*wide)
	for c, i := range rows {
		b[k.placeOf(i)*wide+c] = 1
	}
	return b, wide
}

// mostKept is the largest number of numbers in solutions that are kept together.
const mostKept = 1 << 22

// invertTogether is invertAmong by rough solutions x_j, which leave r_j of the columns e_j of I: (I − c S)⁻¹_ij is x_j's number i and
// x_i r_j, but for what is a product of two errors.
func (k *Kernel) invertTogether(ctx context.Context, g *Gram) error {
	m, n := len(g.Rows), k.n
	x, r := make([]float64, m*n), make([]float64, m*n)
	err := k.eachBatch(ctx, m, func(lo, p, workers int) {
		b, wide := k.units(g.Rows[lo : lo+p])
		rough, err := k.solver.rough(ctx, b, wide, chebyshevSteps, workers)
		if err != nil {
			return // ctx has ended
		}
		left, err := k.solver.left(ctx, b, rough, wide, workers)
		if err != nil {
			return
		}
		for i := range n {
			at := k.placeOf(i) * wide
			for c := range p {
				x[(lo+c)*n+i], r[(lo+c)*n+i] = float64(rough[at+c]), left[at+c]
			}
		}
	})
	if err != nil {
		return err
	}
	return blocks.Tasks(ctx, k.workers, m, func(i int) {
		for j, b := range g.Rows {
			if b > g.Rows[i] {
				continue // it is that of j and i, in whatever order they were given
			}
			v := x[j*n+g.Rows[i]] + simd.Inner(x[i*n:(i+1)*n], r[j*n:(j+1)*n])
			g.V[i*m+j], g.V[j*m+i] = v, v
		}
	})
}

// addGraph adds the graph kernel to g.
func (k *Kernel) addGraph(ctx context.Context, g *Gram) error {
	m := len(g.Rows)
	g.scale = make([]float64, m)
	if err := k.invertAmong(ctx, g); err != nil {
		return err
	}
	for i := range m {
		g.scale[i] = 1 / math.Sqrt(g.V[i*m+i])
	}
	for i := range m {
		for j := range i {
			v := (g.V[i*m+j] + g.V[j*m+i]) / 2 * g.scale[i] * g.scale[j]
			g.V[i*m+j], g.V[j*m+i] = v, v
		}
		g.V[i*m+i] = 1
	}
	return nil
}

// fullAtOnce is how many rows eachRow expands at a time.
const fullAtOnce = 32

// eachRow calls use with the kernels on rows of every point i of a with every point
// j of b, given by their indices in the lists: one goroutine for all j of an i.
func (k *Kernel) eachRow(ctx context.Context, a, b []int, use func(i, j int, rbf, cosine float64)) error {
	d := k.x.Dim()
	full, norm := make([]float64, fullAtOnce*d), make([]float64, fullAtOnce)
	buf := make([]float64, d)
	for from := 0; from < len(b); from += fullAtOnce {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := b[from:min(len(b), from+fullAtOnce)]
		for q, j := range part {
			row := full[q*d : (q+1)*d]
			k.x.Row(j, buf).Write(row)
			norm[q] = data.Norm2(row)
		}
		blocks.Rows(k.workers, len(a), func(lo, hi int) {
			buf := make([]float64, d)
			for i := lo; i < hi; i++ {
				v := k.x.Row(a[i], buf)
				for q, j := range part {
					rbf, cosine := 1.0, 1.0
					if j != a[i] {
						row := full[q*d : (q+1)*d]
						rbf, cosine = k.rowValues(a[i], j, v, row, norm[q])
					}
					use(i, from+q, rbf, cosine)
				}
			}
		})
	}
	return nil
}

// rowValues returns the kernels of row i, which is v, with row j.
func (k *Kernel) rowValues(i, j int, v data.Vec, row []float64, norm float64) (rbf, cosine float64) {
	rbf = 1
	if k.width > 0 {
		rbf = math.Exp(-data.Dist2(v, row, norm) / (2 * k.width * k.width))
	}
	if l := k.length[i] * k.length[j]; l > 0 {
		cosine = max(-1, min(1, data.Dot(v, row)/l))
	}
	return rbf, cosine
}

// Expand returns K(:, rows) α for all n points: α has c numbers for each point of g,
// the result c for each of the n points. Memory is O(c n).
func (k *Kernel) Expand(ctx context.Context, g *Gram, alpha []float64, c int) ([]float64, error) {
	if k.given != nil {
		return k.expandGiven(ctx, g, alpha, c)
	}
	scale, err := k.graphScale(ctx)
	if err != nil {
		return nil, err
	}
	for at, i := range g.Rows {
		scale[i] = g.scale[at]
	}
	share, out := 1/k.parts(), make([]float64, k.n*c)
	err = k.eachBatch(ctx, c, func(lo, p, workers int) {
		wide := columns(p)
		b := make([]float32, k.n*wide)
		for i, a := range g.Rows {
			at := k.placeOf(a) * wide
			for h := range p {
				b[at+h] = float32(alpha[i*c+lo+h] * g.scale[i])
			}
		}
		x, err := k.solver.solve(ctx, b, wide, workers)
		if err != nil {
			return // ctx has ended
		}
		for i, s := range scale {
			at := k.placeOf(i) * wide
			for h := range p {
				out[i*c+lo+h] = float64(x[at+h]) * (s * share)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	k.expandClusters(g, alpha, c, share, out)
	if k.x == nil {
		return out, nil
	}
	all := make([]int, k.n)
	for i := range all {
		all[i] = i
	}
	err = k.eachRow(ctx, all, g.Rows, func(i, j int, rbf, cosine float64) {
		v := share * (rbf + cosine)
		for h := range c {
			out[i*c+h] += float64(v * alpha[j*c+h])
		}
	})
	return out, err
}

// expandClusters adds the kernel of clusters to out: the sum of α in each cluster.
func (k *Kernel) expandClusters(g *Gram, alpha []float64, c int, share float64, out []float64) {
	if k.clusters == nil {
		return
	}
	sum := make([]float64, (slices.Max(k.clusters)+1)*c)
	for at, j := range g.Rows {
		for h := range c {
			sum[k.clusters[j]*c+h] += share * alpha[at*c+h]
		}
	}
	for i, own := range k.clusters {
		for h := range c {
			out[i*c+h] += sum[own*c+h]
		}
	}
}

func (k *Kernel) expandGiven(ctx context.Context, g *Gram, alpha []float64, c int) ([]float64, error) {
	out := make([]float64, k.n*c)
	blocks.Rows(k.workers, k.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for at, j := range g.Rows {
				v := k.givenValue(i, j)
				for h := range c {
					out[i*c+h] += float64(v * alpha[at*c+h])
				}
			}
		}
	})
	return out, ctx.Err()
}

// Select returns the kernel among the points of g at the given positions.
func (g *Gram) Select(at []int) *Gram {
	m, wide := len(at), len(g.Rows)
	out := &Gram{Rows: make([]int, m), V: make([]float64, m*m), scale: make([]float64, m)}
	for i, a := range at {
		out.Rows[i] = g.Rows[a]
		if g.scale != nil {
			out.scale[i] = g.scale[a]
		}
		for j, b := range at {
			out.V[i*m+j] = g.V[a*wide+b]
		}
	}
	return out
}

// Leading returns the kernel among the first m points of g.
func (g *Gram) Leading(m int) *Gram {
	if m == len(g.Rows) {
		return g
	}
	at := make([]int, m)
	for i := range at {
		at[i] = i
	}
	return g.Select(at)
}
