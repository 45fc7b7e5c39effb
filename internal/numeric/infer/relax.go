package infer

import (
	"context"
	"math"
	"math/rand/v2"
)

// RelaxOptions are the options of [Relax]. The zero value has the usual settings,
// without polish.
type RelaxOptions struct {
	Rounds  int     // random roundings; 0: 20, negative: none
	Gap     float64 // relative gap of the program that is small enough; 0: 1e-6
	MaxIter int     // maximum number of steps; 0: 3000
	// Polish lets ICM improve the labels found, in the order of Rand. The paper
	// does not, but rounding tends to put cannot-linked variables together, and
	// ICM repairs that: switch it on unless you want to follow the paper.
	Polish bool
	Rand   *rand.Rand // of rounding and polish; nil: a fixed seed, and the order of numbers
	// Exact solves cores with few cycles exactly, by eliminating one variable after
	// the other, where that takes about as long. The paper does not.
	Exact bool
	// Abandon says that the caller does not want labels found so far when ctx
	// ends: the answer is then empty, and returned immediately.
	Abandon bool
}

func (o RelaxOptions) orDefaults() RelaxOptions {
	if o.Rounds == 0 {
		o.Rounds = 20
	}
	if o.Gap <= 0 {
		o.Gap = 1e-6
	}
	if o.MaxIter <= 0 {
		o.MaxIter = 3000
	}
	return o
}

// Relax solves the linear program of the paper's section 3.3 and rounds its
// solution: the best of the largest entries and of some roundings after Kleinberg
// and Tardos (1999). Trees, trees attached to cycles, and with two labels all
// that one maximum flow can solve, are solved exactly, as the program would be
// there.
//
// The bound of the answer holds whatever the number of steps. The labels of start
// are kept unless better ones are found.
//
// When ctx ends it returns the best labels so far with the error of ctx.
func Relax(ctx context.Context, f *Field, start []int32, o RelaxOptions, workers int) (Answer, error) {
	o = o.orDefaults()
	return solveField(ctx, f, start, relaxationSolver(o), solveOptions{o.Polish, o.Abandon, o.Exact, o.Rand, workers})
}

// relaxationSolver returns the method of Relax for a core.
func relaxationSolver(o RelaxOptions) coreSolver {
	seed := uint64(0)
	if o.Rand != nil {
		seed = o.Rand.Uint64()
	}
	return func(ctx context.Context, p *core, workers int) coreResult {
		if y, ok := solveByFlow(ctx, p); ok {
			e := p.energyOf(y)
			return coreResult{labels: y, bound: e, relaxed: e, exact: true, converged: true}
		}
		s := newPrimalDual(newLinearProgram(p), workers)
		result := coreResult{}
		result.converged, result.err = s.solveToGap(ctx, o.Gap, o.MaxIter)
		if o.Abandon && result.err != nil {
			return result
		}
		result.fractional = s.countFractional()
		if result.converged && result.fractional == 0 { // an integral solution can be proved optimal
			_, result.err = s.solveToGap(ctx, proofTol/8, o.MaxIter)
			result.fractional = s.countFractional()
		}
		result.iterations, result.relaxed = s.steps, s.bestValue
		result.bound = max(s.bestBound, p.lowerBound()) - p.roundingSlack()
		result.labels = s.roundedLabels(ctx, o.Rounds, seed, workers)
		return result
	}
}

// roundingSlack returns how much the rounding of sums can raise a bound.
func (p *core) roundingSlack() float64 {
	sum := 0.0
	for _, u := range p.unary {
		sum += math.Abs(u) / float64(p.k)
	}
	for _, c := range p.linkCost {
		sum += math.Abs(c) * float64(p.k/p.costWidth)
	}
	return roundingError * sum
}
