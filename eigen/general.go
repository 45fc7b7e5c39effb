package eigen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// An Inverse solves M x = b. Solver is one.
type Inverse interface {
	// Invert sets dst to the solution for b.
	Invert(ctx context.Context, dst, b []float64) error
}

// A Pencil is the problem S y = θ M y, with M positive definite.
//
// If both are known on a subspace only, Null holds orthonormal vectors of its
// complement: S and M are then used on vectors without a part along them, and
// what they return is rid of it.
type Pencil struct {
	S, M    Operator
	Inverse Inverse // of M
	Null    [][]float64
}

// General returns the wanted pairs by Lanczos for M⁻¹S in the inner product of
// M, in which it is symmetric. Vectors have unit length in that inner product;
// Residuals hold ‖S y − θ M y‖. An error of Inverse ends it and is wrapped: an
// IndefiniteError one is a proof that M is not positive definite.
//
// Solutions of M x = b must be better than the tolerance asked for, by a digit
// at least.
func General(ctx context.Context, p Pencil, o Options) (*Pairs, error) {
	n := p.S.Dim()
	if p.M.Dim() != n {
		return nil, fmt.Errorf("S has %d rows, M has %d", n, p.M.Dim())
	}
	o, err := o.check(n)
	if err != nil {
		return nil, err
	}
	o.K = min(o.K, n-len(p.Null))
	s := func(dst, x []float64) {
		p.S.Apply(dst, x)
		clean(o.Workers, dst, p.Null)
	}
	m := func(dst, x []float64) {
		p.M.Apply(dst, x)
		clean(o.Workers, dst, p.Null)
	}
	room := make([]float64, n)
	k := &krylov{n: n, workers: o.Workers, mass: m, rng: rand.New(rand.NewPCG(o.Seed, 0x9e1)),
		start: func(x []float64) { clean(o.Workers, x, p.Null) },
		apply: func(dst, x []float64) error {
			s(room, x)
			if err := p.Inverse.Invert(ctx, dst, room); err != nil {
				return err
			}
			clean(o.Workers, dst, p.Null)
			return nil
		}}
	k.away = len(p.Null)
	values, vectors, _, err := k.search(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("pencil with %d rows: %w", n, err)
	}
	out := &Pairs{Values: values, Vectors: vectors, Products: k.products, Method: "lanczos in the inner product of M", Converged: true}
	sy, my := make([]float64, n), make([]float64, n)
	for c, v := range vectors {
		m(my, v)
		scale(v, 1/math.Sqrt(dot(o.Workers, v, my)))
		orient(v)
		s(sy, v)
		m(my, v)
		most := norm(o.Workers, sy) + math.Abs(values[c])*norm(o.Workers, my)
		axpy(o.Workers, sy, -values[c], my)
		out.Residuals = append(out.Residuals, norm(o.Workers, sy))
		out.Converged = out.Converged && out.Residuals[c] <= max(100*o.Tol, 1e-12*math.Sqrt(float64(n)))*most
	}
	return out, ctx.Err()
}
