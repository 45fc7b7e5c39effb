package eigen

import (
	"context"
	"fmt"
	"math"
)

// A Preconditioner sets dst to roughly A⁻¹ r. It must be positive definite
// where it is used, and need not be linear.
type Preconditioner interface {
	Precondition(dst, r []float64)
}

// A Solver solves A x = b by preconditioned conjugate gradients, for an A that
// is positive definite on the complement of Null.
type Solver struct {
	A Operator
	// Pre is the preconditioner; nil for none.
	Pre Preconditioner
	// Null holds orthonormal vectors: b and x are rid of their part along
	// them, and so is what A and Pre return.
	Null [][]float64
	// Tol bounds ‖b − A x‖ relative to ‖b‖; 0 stands for 1e-8.
	Tol float64
	// Max bounds the number of iterations; 0 stands for 1000.
	Max int
	// Workers is the number of goroutines for work beside A and Pre.
	Workers int
	// Observe, if not nil, is called after every iteration.
	Observe func(Solution)
	// Total counts the iterations of all calls so far.
	Total Solution
}

// A Solution says how a system was solved: in how many iterations, and to which
// ‖b − A x‖/‖b‖. It is returned; in Solver.Total both are summed up (the
// residual as the largest).
type Solution struct {
	Solves     int
	Iterations int
	Residual   float64
}

// IndefiniteError is the error that A is not positive definite, with its proof: a
// direction Vector, of unit length and off the null space, with
// Vectorᵀ A Vector = Value ≤ 0.
type IndefiniteError struct {
	Vector []float64
	Value  float64
}

func (e *IndefiniteError) Error() string {
	return fmt.Sprintf("the matrix is not positive definite: a unit vector v has vᵀAv = %g", e.Value)
}

// NotSolvedError is the error that the iterations ran out.
type NotSolvedError struct {
	Solution
	Tol float64
}

func (e *NotSolvedError) Error() string {
	return fmt.Sprintf("after %d iterations the residual is %.2g of the right side, not %.2g; allow more iterations, a larger tolerance, or use a better preconditioner", e.Iterations, e.Residual, e.Tol)
}

// Solve sets dst to the solution for b. If the iterations run out it holds the
// best so far and the error is NotSolvedError; a direction of negative curvature
// gives IndefiniteError.
func (s *Solver) Solve(ctx context.Context, dst, b []float64) (Solution, error) {
	n := s.A.Dim()
	if len(b) != n || len(dst) != n {
		return Solution{}, fmt.Errorf("a right side of %d and room for %d numbers, for %d rows", len(b), len(dst), n)
	}
	tol, limit := s.Tol, s.Max
	if tol == 0 {
		tol = 1e-8
	}
	if limit == 0 {
		limit = 1000
	}
	c := &conjugateGradients{s: s, x: dst, r: append([]float64(nil), b...),
		z: make([]float64, n), q: make([]float64, n), aq: make([]float64, n), old: make([]float64, n)}
	clear(dst)
	projectOut(s.Workers, c.r, s.Null)
	size := norm(s.Workers, c.r)
	if !isFinite(size) {
		return Solution{}, fmt.Errorf("the right side of a system is not finite")
	}
	got, err := c.iterate(ctx, tol, limit, size)
	s.Total.Solves++
	s.Total.Iterations += got.Iterations
	s.Total.Residual = max(s.Total.Residual, got.Residual)
	return got, err
}

// isFinite reports that x is neither infinite nor NaN.
func isFinite(x float64) bool { return x-x == 0 }

// conjugateGradients is one run of the flexible conjugate gradients (Notay 2000), whose
// β = zᵀ(r − r_old)/zᵀ_old r_old stands a preconditioner that is not linear.
type conjugateGradients struct {
	s                   *Solver
	x, r, z, q, aq, old []float64
}

func (c *conjugateGradients) iterate(ctx context.Context, tol float64, limit int, size float64) (Solution, error) {
	got := Solution{Solves: 1}
	if size == 0 {
		return got, ctx.Err()
	}
	w := c.s.Workers
	last := 0.0
	for got.Residual = 1; got.Iterations < limit; {
		if err := ctx.Err(); err != nil {
			return got, err
		}
		rz := c.nextDirection(last)
		last = rz
		c.s.A.Apply(c.aq, c.q)
		projectOut(w, c.aq, c.s.Null)
		curve := dot(w, c.q, c.aq)
		if !(curve > 0) {
			return got, c.indefiniteError(curve)
		}
		step := dot(w, c.q, c.r) / curve
		copy(c.old, c.r)
		axpy(w, c.x, step, c.q)
		axpy(w, c.r, -step, c.aq)
		got.Iterations++
		got.Residual = norm(w, c.r) / size
		if c.s.Observe != nil {
			c.s.Observe(got)
		}
		if got.Residual <= tol {
			projectOut(w, c.x, c.s.Null)
			return got, nil
		}
	}
	return got, &NotSolvedError{got, tol}
}

// nextDirection makes the next direction q and returns rᵀz.
func (c *conjugateGradients) nextDirection(last float64) float64 {
	w := c.s.Workers
	if c.s.Pre == nil {
		copy(c.z, c.r)
	} else {
		c.s.Pre.Precondition(c.z, c.r)
		projectOut(w, c.z, c.s.Null)
	}
	rz := dot(w, c.r, c.z)
	if last == 0 {
		copy(c.q, c.z)
		return rz
	}
	beta := (rz - dot(w, c.old, c.z)) / last
	chunks(w, len(c.q), func(_, lo, hi int) {
		q, z := c.q[lo:hi], c.z[lo:hi]
		for i := range q {
			q[i] = z[i] + float64(beta*q[i])
		}
	})
	return rz
}

func (c *conjugateGradients) indefiniteError(curve float64) error {
	l := norm(c.s.Workers, c.q)
	if !(l > 0) || math.IsNaN(curve) {
		return fmt.Errorf("conjugate gradients broke down: direction of length %v, curvature %v; is the preconditioner positive definite?", l, curve)
	}
	v := append([]float64(nil), c.q...)
	scale(v, 1/l)
	return &IndefiniteError{v, curve / l / l}
}
