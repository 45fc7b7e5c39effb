package infer

import (
	"context"
	"math/rand/v2"
)

// SolveOptions are the options of [Solve]. The zero value has the usual settings.
type SolveOptions struct {
	Propagate BPOptions
	Relax     RelaxOptions
	Rand      *rand.Rand // for both; theirs are not used
}

// Solve looks for the best labels by all methods of this package, and proves what
// it can: first belief propagation with ICM, cores of few cycles exactly; then, for
// what is not proved optimal by that, the linear program with ICM, which keeps the
// better labels of the two and has a bound.
//
// When ctx ends it returns the best labels so far with the error of ctx.
func Solve(ctx context.Context, f *Field, start []int32, o SolveOptions, workers int) (Answer, error) {
	o.Propagate.Rand, o.Propagate.Polish, o.Propagate.Exact = o.Rand, true, true
	o.Relax.Rand, o.Relax.Polish, o.Relax.Exact = o.Rand, true, true
	a, err := BeliefPropagation(ctx, f, start, o.Propagate, workers)
	if err != nil || a.Exact {
		return a, err
	}
	b, err := Relax(ctx, f, a.Labels, o.Relax, workers)
	b.Iterations = max(a.Iterations, b.Iterations)
	return b, err
}
