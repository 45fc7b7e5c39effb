package active

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spreading"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// A Pool is the points that questions are about: all of them, or a sample, and their
// kernel.
type Pool struct {
	Points  []int // by position in the pool
	gram    *posterior.Gram
	cluster []int // of each, without any answer; nil: not known
	n       int   // of all points
}

// maxPool is the largest number of points in a pool, and sampledPool that of a sample of more, whose kernel
// takes time that grows with its square. Of a graph or a kernel matrix, whose points cannot be
// sampled before their kernel is known, there are fewer where there are many.
const (
	maxPool     = 1500
	sampledPool = 1000
)

// neighbours is the number of neighbours of a row, and unknownClusters that of the
// clusters of a pool where nobody says how many there are.
const (
	neighbours      = 10
	unknownClusters = 8
)

// NewPool prepares the points of p. The same seed gives the same pool.
func NewPool(ctx context.Context, p *cluster.Problem, seed uint64, workers int) (*Pool, error) {
	n := p.Len()
	size := n
	if n > maxPool {
		size = sampledPool
	}
	if p.X == nil && n > 20_000 {
		size = 300
	}
	points := make([]int, 0, size)
	if size == n {
		for i := range n {
			points = append(points, i)
		}
	} else {
		draw := rand.New(rand.NewPCG(seed, 1))
		for s := range size { // one of each stretch of rows
			lo, hi := s*n/size, (s+1)*n/size
			points = append(points, lo+draw.IntN(hi-lo))
		}
	}
	points = withContent(p.X, points)
	size = len(points)
	of, at := p, points
	if p.X != nil && size < n {
		of = &cluster.Problem{X: data.Pick(p.X, points), K: p.K}
		at = make([]int, size)
		for i := range at {
			at[i] = i
		}
	}
	if of.K < 1 { // not known
		of = &cluster.Problem{X: of.X, Graph: of.Graph, Kernel: of.Kernel, K: unknownClusters}
	}
	kernel, err := spreading.NewKernel(ctx, of, neighbours, &cluster.Env{Workers: workers, Settings: &cluster.Settings{Seed: seed}})
	if err != nil {
		return nil, err
	}
	gram, err := kernel.Gram(ctx, at)
	if err != nil {
		return nil, err
	}
	pool := &Pool{Points: slices.Clip(points), gram: gram, n: n}
	if all := kernel.Clusters(); all != nil {
		for _, i := range at {
			pool.cluster = append(pool.cluster, all[i])
		}
	}
	return pool, nil
}

// withContent leaves out sparse rows without any value, such as documents without words,
// about which nobody can say anything, unless fewer than two points would be left.
func withContent(x data.Rows, points []int) []int {
	s, ok := x.(*data.Sparse)
	if !ok {
		return points
	}
	out := slices.DeleteFunc(slices.Clone(points), func(i int) bool { return s.Start[i] == s.Start[i+1] })
	if len(out) < 2 {
		return points
	}
	return out
}

// Len returns the number of points in the pool.
func (p *Pool) Len() int { return len(p.Points) }

// similarity is the kernel of points a and b of the pool.
func (p *Pool) similarity(a, b int) float64 { return p.gram.At(a, b) }

// density returns for each point the sum of its similarities: how many points it speaks
// for.
func (p *Pool) density() []float64 {
	m := p.Len()
	out := make([]float64, m)
	for a := range out {
		for b := range m {
			out[a] += max(0, p.gram.V[a*m+b])
		}
	}
	return out
}

// total returns the sums of the rows of the kernel.
func (p *Pool) total() []float64 {
	m := p.Len()
	out := make([]float64, m)
	for a := range out {
		for _, y := range p.gram.V[a*m : (a+1)*m] {
			out[a] += y
		}
	}
	return out
}
