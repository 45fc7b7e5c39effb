package cluster

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/hint"
)

// A Problem is what is to be clustered: rows, a graph or a kernel, what is known about
// them, and the number of clusters. Fit never changes it.
type Problem struct {
	X           data.Rows
	Graph       *data.Graph
	Kernel      *data.Dense // how alike any two points are: square and symmetric
	Weight      []float64   // how much each point counts; nil: 1 each
	Constraints *constraint.Set
	Views       []View // other looks at the same points; for algorithms that use Views
	K           int
}

// A ProblemError is the error for a problem that no algorithm, or not the chosen
// one, can take. Field names what is wrong: k, x, graph, kernel, weight, constraints
// or view, and in a call of Predict x or model. Where it is known, the cause may
// be a *constraint.EntryError (one entry), a *constraint.ConflictError (entries that
// contradict each other) or what the method says of it.
type ProblemError struct {
	Field string
	Err   error
	Hint  hint.Hint // what to do about it, where that can be said
}

func (e *ProblemError) Error() string { return e.Err.Error() }
func (e *ProblemError) Unwrap() error { return e.Err }

// Advice returns the hint of e, or that of its cause.
func (e *ProblemError) Advice() hint.Hint {
	if e.Hint == "" {
		return hint.Of(e.Err)
	}
	return e.Hint
}

// Problemf returns a ProblemError with a formatted message.
func Problemf(field, format string, args ...any) error {
	return &ProblemError{Field: field, Err: fmt.Errorf(""+format, args...)}
}

// A ParameterError is the error for parameters that an algorithm cannot take, in
// themselves, together or for this problem, and for Settings that are none.
type ParameterError struct{ Err error }

func (e *ParameterError) Error() string { return e.Err.Error() }
func (e *ParameterError) Unwrap() error { return e.Err }

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

// Check reports the first thing that makes p no problem at all.
func (p *Problem) Check() error {
	if p == nil {
		return Problemf("x", "there is no problem to solve, it is nil")
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
		if err := data.CheckFinite(p.X); err != nil {
			return &ProblemError{Field: "x", Err: err}
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
	return p.checkViews(n)
}

// checkShapes refuses slices that are no rows and no graph, as a literal can
// have them: until then no other question makes sense.
func (p *Problem) checkShapes() error {
	if err := checkRows(p.X); err != nil {
		return &ProblemError{Field: "x", Err: err}
	}
	if p.Graph != nil {
		if err := p.Graph.Check(); err != nil {
			return &ProblemError{Field: "graph", Err: err}
		}
	}
	return nil
}

// checkRows refuses rows that do not hold together. Kinds of rows that come
// from elsewhere may have a Check too.
func checkRows(x data.Rows) error {
	if c, ok := x.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// checkKernel refuses a kernel that is not square, finite and, but for
// rounding, symmetric.
func (p *Problem) checkKernel(n int) error {
	if p.Kernel == nil {
		return nil
	}
	if p.Kernel.Len() != n || p.Kernel.Cols != n {
		return Problemf("kernel", "the kernel has %d rows of %d columns, it must be %d of %d", p.Kernel.Len(), p.Kernel.Cols, n, n)
	}
	for i := range n {
		for j := range i + 1 {
			a, b := p.Kernel.V[i*n+j], p.Kernel.V[j*n+i]
			if !data.Finite(a) || !data.Finite(b) {
				return Problemf("kernel", "row %d, column %d of the kernel is %v, column %d of row %d is %v; every value must be finite", i, j, a, i, j, b)
			}
			if math.Abs(a-b) > 1e-9*max(math.Abs(a), math.Abs(b)) {
				return Problemf("kernel", "row %d, column %d of the kernel is %v, but row %d, column %d is %v; it must be symmetric", i, j, a, j, i, b)
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
			return Problemf("weight", "the weight of point %d is %v, it must be finite and not negative", i, w)
		}
		sum += w
	}
	if sum == 0 || !data.Finite(sum) {
		return Problemf("weight", "the weights add up to %v", sum)
	}
	return nil
}
