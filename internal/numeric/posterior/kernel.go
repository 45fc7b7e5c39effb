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
