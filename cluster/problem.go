package cluster

import (
	"math"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// A Problem is what is to be clustered: rows, a graph or a kernel, the constraints
// on them, and the number of clusters. Fit never changes it.
type Problem struct {
	X           data.Rows
	Finite      data.Rows // X itself where it is known to hold neither NaN nor infinity: Check does not search it again
	Graph       *data.Graph
	Checked     *data.Graph // Graph itself where it is known to pass its own Check: it is not searched again
	Kernel      *data.Dense // similarities of all pairs of points: square and symmetric
	Weight      []float64   // of each point; nil: 1 each
	Constraints *constraint.Set
	Views       []View // other descriptions of the same points; for algorithms that use Views
	K           int    // the number of clusters; 0: not known, for algorithms that find it
	// Derived, if not nil, is where a method may keep what it computes from the points
	// alone, for later fits on them.
	Derived *data.Derived
}

// Len returns the number of points.
func (p *Problem) Len() int {
	switch {
	case p.X != nil:
		return p.X.Len()
	case p.Graph != nil:
		return p.Graph.Len()
	case p.Kernel != nil:
		return p.Kernel.Len()
	}
	return 0
}

// W returns the weight of point i.
func (p *Problem) W(i int) float64 {
	if p.Weight == nil {
		return 1
	}
	return p.Weight[i]
}

// Check reports the first thing that makes p invalid for every algorithm.
func (p *Problem) Check() error {
	if p == nil {
		return Problemf("x", "the problem is nil")
	}
	if err := p.checkShapes(); err != nil {
		return err
	}
	n := p.Len()
	if n == 0 {
		return Problemf("x", "there are no points")
	}
	if p.X != nil && p.Graph != nil && p.Graph.Len() != n {
		return Problemf("graph", "the graph has %d nodes, there are %d rows", p.Graph.Len(), n)
	}
	if p.K < 1 {
		return Problemf("k", "k is %d, at least 1 cluster is needed", p.K)
	}
	if p.K > n {
		return Problemf("k", "k is %d, but there are only %d points", p.K, n)
	}
	if p.X != nil {
		if p.X.Dim() < 1 {
			return Problemf("x", "the rows have no features")
		}
		if !p.isFinite() {
			if err := data.CheckFinite(p.X); err != nil {
				return &ProblemError{Field: "x", Err: err}
			}
		}
	}
	if err := p.checkKernel(n); err != nil {
		return err
	}
	if err := p.checkWeights(n); err != nil {
		return err
	}
	if err := p.Constraints.Check(n); err != nil {
		return &ProblemError{Field: "constraints", Err: err}
	}
	return checkViews(p.Views, n)
}

// checkShapes refuses rows and graphs whose slices are inconsistent, as those of
// a literal can be. It comes first: the other checks read the slices.
func (p *Problem) checkShapes() error {
	if err := checkRows(p.X); err != nil {
		return &ProblemError{Field: "x", Err: err}
	}
	if p.Graph != nil && p.Checked != p.Graph {
		if err := p.Graph.Check(); err != nil {
			return &ProblemError{Field: "graph", Err: err}
		}
	}
	return nil
}

// isFinite reports whether X is known to be finite. Rows of other types may not be comparable.
func (p *Problem) isFinite() bool {
	switch x := p.X.(type) {
	case *data.Dense:
		return p.Finite == data.Rows(x)
	case *data.Dense32:
		return p.Finite == data.Rows(x)
	case *data.Sparse:
		return p.Finite == data.Rows(x)
	}
	return false
}

// checkKernel refuses a kernel that is not square, finite and, but for
// rounding, symmetric.
func (p *Problem) checkKernel(n int) error {
	if p.Kernel == nil {
		return nil
	}
	if p.Kernel.Len() != n || p.Kernel.Cols != n {
		return Problemf("kernel", "the kernel must be %d × %d, one row and column a point, got %d × %d", n, n, p.Kernel.Len(), p.Kernel.Cols)
	}
	for i := range n {
		for j := range i + 1 {
			a, b := p.Kernel.V[i*n+j], p.Kernel.V[j*n+i]
			if !data.Finite(a) || !data.Finite(b) {
				return Problemf("kernel", "the kernel must be finite, got %v at row %d, column %d and %v at row %d, column %d", a, i, j, b, j, i)
			}
			if math.Abs(a-b) > 1e-9*max(math.Abs(a), math.Abs(b)) {
				return Problemf("kernel", "the kernel must be symmetric, got %v at row %d, column %d and %v at row %d, column %d", a, i, j, b, j, i)
			}
		}
	}
	return nil
}

func (p *Problem) checkWeights(n int) error {
	if p.Weight == nil {
		return nil
	}
	if len(p.Weight) != n {
		return Problemf("weight", "%d weights for %d points", len(p.Weight), n)
	}
	sum := 0.0
	for i, w := range p.Weight {
		if !data.Finite(w) || w < 0 {
			return Problemf("weight", "the weight of point %d must be finite and not negative, got %v", i, w)
		}
		sum += w
	}
	if sum == 0 || !data.Finite(sum) {
		return Problemf("weight", "the weights add up to %v", sum)
	}
	return nil
}
