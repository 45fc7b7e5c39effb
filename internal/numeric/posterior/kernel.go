package posterior

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Options of a Kernel.
type Options struct {
	Neighbours int    // of each row in the graph; 0: 10
	Seed       uint64 // of samples
	Workers    int    // below 1: one per processor; the result does not depend on it
	// Clusters, if not nil, makes a clustering of the graph and adds the kernel by which
	// two points of one cluster have similarity 1 and others 0.
	Clusters func(ctx context.Context, g *data.Graph) ([]int, error)
}

// A Kernel is the covariance of points: the mean of the kernels that the package
// comment lists, each with a unit diagonal.
type Kernel struct {
	n       int
	workers int
	seed    uint64
	graph   *data.Graph
	laplace *eigen.Laplacian
	solver  *solver
	place   []int32 // of each point in the order of laplace; nil: its own number
	given   *data.Dense

	x      data.Rows
	width  float64   // of the rbf; 0 where all rows are equal
	length []float64 // of each row

	clusters []int // of each point; nil: none are used

	kept *kept
}

// computeKernel computes the kernel of the points of p.
func computeKernel(ctx context.Context, p *cluster.Problem, o Options) (*Kernel, error) {
	k := &Kernel{n: p.Len(), workers: o.Workers, seed: o.Seed, kept: &kept{}}
	switch {
	case p.X != nil:
		if err := k.useRows(ctx, p.X, o); err != nil {
			return nil, err
		}
		if p.Graph != nil {
			k.graph = p.Graph
		}
	case p.Graph != nil:
		k.graph = p.Graph
	case p.Kernel != nil:
		k.given = p.Kernel
		return k, nil
	default:
		return nil, errors.New("there are no points")
	}
	var err error
	if o.Clusters != nil {
		if k.clusters, err = o.Clusters(ctx, k.graph); err != nil {
			return nil, err
		}
	}
	g := positiveEdges(k.graph)
	if k.clusters != nil && k.n > orderedFrom {
		g, k.place = orderedByClusters(g, k.clusters)
	}
	if k.laplace, err = eigen.NewLaplacian(g, eigen.Normalised); err != nil {
		return nil, err
	}
	k.laplace.Workers = o.Workers
	k.solver = newSolver(k.laplace)
	return k, nil
}

// orderedFrom is the number of points from which on their order matters: what a product with
// the graph looks up no longer fits the nearest memory.
const orderedFrom = 20_000

// orderedByClusters returns g with its nodes in the order of their clusters, which most
// edges stay within, and the place of each. Every row keeps the order of its edges, so that
// sums over them keep their bits.
func orderedByClusters(g *data.Graph, clusters []int) (*data.Graph, []int32) {
	of := make([]int32, len(clusters))
	for i, h := range clusters {
		of[i] = int32(h)
	}
	node := contraction.NewGroups(of, slices.Max(clusters)+1).Node
	place := make([]int32, len(node))
	for at, i := range node {
		place[i] = int32(at)
	}
	out := &data.Graph{Start: make([]int, 1, len(node)+1), To: make([]int32, 0, len(g.To)), W: make([]float64, 0, len(g.W))}
	for _, i := range node {
		to, w := g.Neighbours(int(i))
		for _, j := range to {
			out.To = append(out.To, place[j])
		}
		out.W = append(out.W, w...)
		out.Start = append(out.Start, len(out.To))
	}
	return out, place
}

// placeOf returns where point i stands in right sides and their solutions.
func (k *Kernel) placeOf(i int) int {
	if k.place == nil {
		return i
	}
	return int(k.place[i])
}

// useRows makes the graph of neighbours and what the kernels on rows need.
func (k *Kernel) useRows(ctx context.Context, x data.Rows, o Options) error {
	neighbours := o.Neighbours
	if neighbours == 0 {
		neighbours = 10
	}
	nb, err := affinity.KNN(ctx, x, neighbours, affinity.KNNOptions{Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return err
	}
	if k.graph, err = nb.Graph(ctx, affinity.Weights{Kind: affinity.SelfTuningWeights}); err != nil {
		return err
	}
	k.x, k.length = x, make([]float64, k.n)
	blocks.Rows(o.Workers, k.n, func(lo, hi int) {
		buf := make([]float64, x.Dim())
		for i := lo; i < hi; i++ {
			k.length[i] = math.Sqrt(data.Norm2(x.Row(i, buf).Val))
		}
	})
	median, err := affinity.MedianDistance(ctx, x, rand.New(rand.NewPCG(o.Seed, 1)), o.Workers)
	if err != nil && !errors.Is(err, affinity.ErrNoDistance) {
		return err
	}
	k.width = median / 2
	return nil
}

// positiveEdges returns g without edges of negative weight.
func positiveEdges(g *data.Graph) *data.Graph {
	negative := false
	for _, w := range g.W {
		negative = negative || w < 0
	}
	if !negative {
		return g
	}
	out := &data.Graph{Start: make([]int, 1, g.Len()+1)}
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			if w[p] >= 0 {
				out.To, out.W = append(out.To, j), append(out.W, w[p])
			}
		}
		out.Start = append(out.Start, len(out.To))
	}
	return out
}

// Len returns the number of points.
func (k *Kernel) Len() int { return k.n }

// Graph returns the graph of the first kernel: the given one, or that of nearest
// neighbours; nil for a given kernel matrix.
func (k *Kernel) Graph() *data.Graph { return k.graph }

// Clusters returns the clusters that Options.Clusters made; nil where there are none.
func (k *Kernel) Clusters() []int { return k.clusters }

// parts returns how many kernels K is the mean of.
func (k *Kernel) parts() float64 {
	parts := 1.0
	if k.x != nil {
		parts += 2
	}
	if k.clusters != nil {
		parts++
	}
	return parts
}

// together is the kernel of clusters.
func (k *Kernel) together(a, b int) float64 {
	if k.clusters != nil && k.clusters[a] == k.clusters[b] {
		return 1
	}
	return 0
}

// columnsAtOnce is the number of right sides of a solve: where there are many points fewer,
// so that they fit into memory.
func (k *Kernel) columnsAtOnce() int {
	if k.n > 2_000_000 {
		return simd.Narrow
	}
	return simd.Wide
}

// sideBySide is the number of points up to which batches of right sides are solved side
// by side, one worker each; beyond it the workers share the rows of one batch, so that
// memory does not grow with their number.
const sideBySide = 20000

// eachBatch calls do for count right sides, some at a time: those from number lo on, of which there are p, and how many workers it has.
// It may run for several batches at once.
func (k *Kernel) eachBatch(ctx context.Context, count int, do func(lo, p, workers int)) error {
	wide, batches, workers := k.columnsAtOnce(), 1, k.workers
	if k.n <= sideBySide && count > wide {
		batches, workers = k.workers, 1
	}
	return blocks.Tasks(ctx, batches, (count+wide-1)/wide, func(i int) {
		lo := i * wide
		do(lo, min(wide, count-lo), workers)
	})
}

// columns is the number of columns that p right sides are given.
func columns(p int) int {
	if p <= simd.Narrow {
		return simd.Narrow
	}
	return simd.Wide
}

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

// exactDiagonal is the number of points up to which the whole inverse is computed; beyond it
// its diagonal is estimated by signVectors solves.
const (
	exactDiagonal = 512
	signVectors   = 64
)

// findGraphScale computes 1/√((I − c S)⁻¹_ii) for every point.
func (k *Kernel) findGraphScale(ctx context.Context) ([]float64, error) {
	diagonal := make([]float64, k.n)
	if k.n <= exactDiagonal {
		all, err := k.inverse(ctx)
		if err != nil {
			return nil, err
		}
		for i := range diagonal {
			diagonal[i] = 1 / math.Sqrt(max(all.V[i*k.n+i], 1))
		}
		return diagonal, nil
	}
	wide := k.columnsAtOnce()
	rng := rand.New(rand.NewPCG(k.seed, 2))
	for lo := 0; lo < signVectors; lo += wide {
		signs := make([]float32, k.n*wide)
		k.drawSigns(signs, wide, rng)
		x, err := k.solver.rough(ctx, signs, wide, estimateSteps, k.workers)
		if err != nil {
			return nil, err
		}
		for i := range k.n {
			at := k.placeOf(i) * wide
			for c := range wide {
				diagonal[i] += float64(signs[at+c] * x[at+c])
			}
		}
	}
	for i, v := range diagonal {
		diagonal[i] = 1 / math.Sqrt(max(v/signVectors, 1)) // a sum over closed walks, the empty one included
	}
	return diagonal, nil
}

// drawSigns fills p right sides with random signs: of very many points some at a time.
func (k *Kernel) drawSigns(b []float32, p int, rng *rand.Rand) {
	wide := p
	if k.n > 200_000 {
		wide = 4
	}
	for first := 0; first < p; first += wide {
		for i := range k.n {
			at := k.placeOf(i) * p
			for c := first; c < min(p, first+wide); c++ {
				b[at+c] = float32(int(rng.Uint64()&1)*2 - 1)
			}
		}
	}
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
