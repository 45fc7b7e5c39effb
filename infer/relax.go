package infer

import (
	"context"
	"math"
	"math/rand/v2"
)

// RelaxOptions says how [Relax] goes about it. The zero value is the usual
// setting, without polish.
type RelaxOptions struct {
	Rounds  int     // random roundings; 0: 20, negative: none
	Gap     float64 // of the program, as a part of its value, that is small enough; 0: 1e-6
	MaxIter int     // steps at most; 0: 3000
	// Polish lets ICM improve the labels found, in the order of Rand. The paper
	// does not, but rounding tends to put cannot-linked variables together, and
	// ICM repairs that: switch it on unless the paper is to be followed.
	Polish bool
	Rand   *rand.Rand // of rounding and polish; nil: a fixed seed, and the order of numbers
	// Abandon says that labels found so far are of no use when ctx ends: the
	// answer is then empty, and comes at once.
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
// solution: the best of the largest entries and of some roundings after
// Kleinberg and Tardos (1999). Trees, what hangs on cycles, and with two labels
// whatever one maximum flow can answer, are solved exactly, where the program
// would be as well.
//
// The bound of the answer holds whatever the number of steps. The labels of
// start are kept where nothing better is found.
//
// When ctx ends it returns the best labels so far with the error of ctx.
func Relax(ctx context.Context, f *Field, start []int32, o RelaxOptions, workers int) (Answer, error) {
	o = o.orDefaults()
	return solveField(ctx, f, start, relaxationSolver(o), solveManner{o.Polish, o.Abandon, o.Rand, workers})
}

// relaxation returns the method of Relax for a piece.
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
		results := coreResult{}
		results.converged, results.err = s.solveToGap(ctx, o.Gap, o.MaxIter)
		if o.Abandon && results.err != nil {
			return results
		}
		results.fractional = s.countFractional()
		if results.converged && results.fractional == 0 { // what is whole can be proved
			_, results.err = s.solveToGap(ctx, proofTol/8, o.MaxIter)
			results.fractional = s.countFractional()
		}
		results.iterations, results.relaxed = s.steps, s.bestValue
		results.bound = max(s.bestBound, p.lowerBound()) - p.roundingSlack()
		results.labels = s.roundedLabels(ctx, o.Rounds, seed, workers)
		return results
	}
}

// rounding returns what the rounding of sums can add to a bound.
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
