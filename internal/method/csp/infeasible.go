package csp

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// InfeasibleError is the error that no vector, or fewer than a cut needs, satisfies
// the constraints as well as β asks. It is a cluster.Infeasible with a hint.
type InfeasibleError struct {
	Beta      float64 // that was asked for
	Most      float64 // λ₁·vol, which β must be below
	Trivial   float64 // 1ᵀQ1, what all points in one cluster would satisfy
	Feasible  int     // how many vectors there are
	Wanted    int     // how many are needed
	Uncertain bool    // Feasible is a lower bound
	Enough    float64 // as a share of λ₁·vol: below it enough vectors are feasible; 0: not known
	Views     bool    // views are among the constraints
}

var _ cluster.Infeasible = (*InfeasibleError)(nil)

// trivialBlocks reports that all points in one cluster satisfy the constraints
// better than any cut does.
func (e *InfeasibleError) trivialBlocks() bool {
	return e.Beta < e.Most && e.Trivial > e.Beta && e.Feasible == 0
}

func (e *InfeasibleError) Error() string {
	why := fmt.Sprintf("beta must be below %.6g, the largest eigenvalue of the constraint matrix times the volume", e.Most)
	switch {
	case e.trivialBlocks():
		why = fmt.Sprintf("all points in one cluster satisfy them to %.6g, better than any cut", e.Trivial)
	case e.Beta < e.Most:
		why = fmt.Sprintf("the constraint matrix has too few large eigenvalues: feasible vectors: %d, needed: %d", e.Feasible, e.Wanted)
	}
	return fmt.Sprintf("no feasible cut satisfies the constraints to beta = %.6g: %s", e.Beta, why)
}

// Describe returns Error: the cause is not in single points.
func (e *InfeasibleError) Describe(func(point int) string) string { return e.Error() }

// Infeasible returns true: see cluster.Infeasible.
func (e *InfeasibleError) Infeasible() bool { return true }

// Advice says what can be done.
func (e *InfeasibleError) Advice() hint.Hint {
	switch {
	case e.trivialBlocks() && e.Views:
		return hint.Hint(fmt.Sprintf("a view is all must-links: use a {beta} below %.4g, or {beta=auto}", e.Enough))
	case e.trivialBlocks():
		return "must-links alone do not say where to cut: give some cannot-links, or use {beta=auto}"
	case e.Beta < e.Most:
		return "give more constraints, use a smaller {beta}, or {beta=auto}"
	}
	return "use a smaller {beta}, or {beta=auto}"
}

// A SolverError is the error that an iteration found fewer vectors than are feasible
// and needed: the fault is not in the constraints.
type SolverError struct {
	Beta                    float64
	Found, Feasible, Needed int
}

func (e *SolverError) Error() string {
	return fmt.Sprintf("the eigensolver found %d of the %d feasible vectors for beta = %.6g; the cut needs %d", e.Found, e.Feasible, e.Beta, e.Needed)
}

// Advice says what can be done.
func (e *SolverError) Advice() hint.Hint { return "use a smaller {beta}, or {beta=auto}" }
