package posterior

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// A kept is what was computed of a kernel, for all who use it.
type kept struct {
	scaleOf sync.Mutex
	scale   []float64 // what graphScale returned; nil: not computed yet

	inverseOf sync.Mutex
	inverse   *eigen.Dense // what the method of this name returned; nil: not computed yet

	gramOf sync.Mutex
	gram   *keptGram // the last one of at most keptRows points; nil: none
}

// A keptGram is computed by the first who asks for it, for whom the others wait.
type keptGram struct {
	rows []int
	mu   sync.Mutex
	gram *Gram // nil: not computed yet
}

// keptRows is the largest number of points whose Gram is kept.
const keptRows = 400

// NewKernel prepares the kernel of the points of p. Without clusters it is kept in p.Derived.
func NewKernel(ctx context.Context, p *cluster.Problem, o Options) (*Kernel, error) {
	if p.Derived == nil || o.Clusters != nil {
		return computeKernel(ctx, p, o)
	}
	type key struct {
		x          any
		graph      *data.Graph
		given      *data.Dense
		neighbours int
		seed       uint64
	}
	k, err := p.Derived.Get(key{p.X, p.Graph, p.Kernel, o.Neighbours, o.Seed}, func() (any, error) { return computeKernel(ctx, p, o) })
	if err != nil {
		return nil, err
	}
	return k.(*Kernel).by(o.Workers), nil
}

// by returns the kernel for so many workers.
func (k *Kernel) by(workers int) *Kernel {
	out := *k
	out.workers = workers
	if k.laplace != nil {
		l := *k.laplace
		l.Workers = workers
		out.laplace = &l
	}
	return &out
}

// Gram computes the kernel among the given points, which must be distinct. Memory is
// m² + O(n). The last one of few points is kept and must not be changed.
func (k *Kernel) Gram(ctx context.Context, rows []int) (*Gram, error) {
	if len(rows) > keptRows {
		return k.newGram(ctx, rows)
	}
	g := k.keptGram(rows)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gram != nil {
		return g.gram, nil
	}
	gram, err := k.newGram(ctx, g.rows)
	if err == nil {
		g.gram = gram
	}
	return gram, err
}

// keptGram returns the place of the Gram of points.
func (k *Kernel) keptGram(rows []int) *keptGram {
	k.kept.gramOf.Lock()
	defer k.kept.gramOf.Unlock()
	if g := k.kept.gram; g == nil || !slices.Equal(g.rows, rows) {
		k.kept.gram = &keptGram{rows: slices.Clone(rows)}
	}
	return k.kept.gram
}

// graphScale returns 1/√((I − c S)⁻¹_ii) for every point, to be changed by the caller. It
// is computed once.
func (k *Kernel) graphScale(ctx context.Context) (scale []float64, err error) {
	k.kept.scaleOf.Lock()
	defer k.kept.scaleOf.Unlock()
	if k.kept.scale == nil {
		k.kept.scale, err = k.findGraphScale(ctx)
	}
	return slices.Clone(k.kept.scale), err
}
