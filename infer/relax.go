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
	return compose(ctx, f, start, relaxation(o), manner{o.Polish, o.Abandon, o.Rand, workers})
}

// relaxation returns the method of Relax for a piece.
func relaxation(o RelaxOptions) method {
	seed := uint64(0)
	if o.Rand != nil {
		seed = o.Rand.Uint64()
	}
	return func(ctx context.Context, p *piece, workers int) finding {
		if y, ok := byFlow(ctx, p); ok {
			e := p.energy(y)
			return finding{labels: y, bound: e, relaxed: e, exact: true, converged: true}
		}
		s := newDescent(newProgram(p), workers)
		found := finding{}
		found.converged, found.err = s.solve(ctx, o.Gap, o.MaxIter)
		if o.Abandon && found.err != nil {
			return found
		}
		found.fractional = s.fractional()
		if found.converged && found.fractional == 0 { // what is whole can be proved
			_, found.err = s.solve(ctx, proofTol/8, o.MaxIter)
			found.fractional = s.fractional()
		}
		found.iterations, found.relaxed = s.steps, s.value
		found.bound = max(s.bound, p.floor()) - p.rounding()
		found.labels = s.whole(ctx, o.Rounds, seed, workers)
		return found
	}
}

// rounding returns what the rounding of sums can add to a bound.
func (p *piece) rounding() float64 {
	sum := 0.0
	for _, u := range p.unary {
		sum += math.Abs(u) / float64(p.k)
	}
	for _, c := range p.c {
		sum += math.Abs(c) * float64(p.k/p.width)
	}
	return rounding * sum
}
