package cluster

import (
	"context"
	"math"
	"slices"
)

// cheap is the number of multiplications, n·d·k, up to which ten restarts of any
// method here take at most a few seconds.
const cheap = 20_000_000

// A Deterministic algorithm reports on which problems all its runs are equal,
// because the start is not random. Fit then makes one run.
type Deterministic interface {
	Deterministic(p *Problem) bool
}

// A CostEstimator is an Algorithm that estimates the cost of one pass over the
// points, in multiplications, where that is not n·d·k.
type CostEstimator interface {
	PassCost(p *Problem) float64
}

// An Escaper is an Algorithm whose runs leave local minima if the effort says so. A
// run then takes longer and ends lower, and fewer restarts pay.
type Escaper interface {
	Escapes(p *Problem) bool
}

// A RunsEstimator is a Run that estimates how many runs pay, itself included, when it
// has ended. Fit asks the first run where nobody asked for a number of restarts and
// there would be no second one.
type RunsEstimator interface {
	WorthwhileRuns() int
}

// A ResultStarter is an Algorithm whose runs can start from a result. At normal and high
// effort the last of at least two runs of Fit starts from the result without constraints,
// found with the same settings, so that the objective is never higher than the labels of
// that result have it. Only where one run is asked for is it the algorithm's own start.
type ResultStarter interface {
	// StartFromResult starts a run with the labels of r, a result on p without its
	// constraints. Everything else is the best for these labels.
	StartFromResult(ctx context.Context, p *Problem, e *Env, r *Result) (Run, error)
}

// comparesUnconstrained reports whether one run starts from the fit without
// constraints: where there are some that count.
func (f *fitting) comparesUnconstrained() bool {
	_, ok := f.a.(ResultStarter)
	return ok && f.s.Effort.Searches() && f.s.Restarts != 1 && f.s.MaxIter > 0 &&
		slices.ContainsFunc(f.p.Given(), f.a.Capabilities().UsesKind)
}

// fitUnconstrained fits without constraints, as if there were none. The observer
// sees its iterations as those of the run that starts from it, without objectives.
func (f *fitting) fitUnconstrained(ctx context.Context, run int) (*Result, error) {
	p, s := *f.p, f.s
	p.Constraints = nil
	if f.s.Observe != nil {
		s.Observe = func(e Event) {
			e.Run, e.Restarts, e.Stage, e.Ended, e.Objective = run, f.runs, UnconstrainedStage, false, nil
			f.s.Observe(e)
		}
	}
	return Fit(ctx, &p, f.a, s)
}

// UnconstrainedStage is the stage of an Event during the fit without constraints that
// one of the runs starts from.
const UnconstrainedStage = "unconstrained"

// partitionHash returns a number that is the same for labels that differ only in the
// names of the clusters; 0 where a label is not one of 0 to k−1.
func partitionHash(labels []int, k int) uint64 {
	name, next, hash := make([]uint64, k), uint64(0), uint64(14695981039346656037)
	for _, h := range labels {
		if h < 0 || h >= k {
			return 0
		}
		if name[h] == 0 {
			next++
			name[h] = next
		}
		hash = (hash ^ name[h]) * 1099511628211
	}
	return hash
}

// AutoRestarts returns how many runs of a Fit makes on p at most when
// Settings.Restarts is 0: ten if one pass over the points is cheap and runs can
// differ, else one; at high effort thirty or three. Fit stops earlier when enough
// runs have reached the same minimum, and makes one more for a ResultStarter. Where it
// is one, a RunsEstimator may ask for more.
func AutoRestarts(p *Problem, a Algorithm, effort Effort) int {
	if d, ok := a.(Deterministic); ok && d.Deterministic(p) {
		return 1
	}
	cost, few, many := passCost(p, a), 1, 10
	if escapes(p, a, effort) {
		cost *= escapeCost
	}
	if effort == EffortHigh {
		few, many, cost = 3, 30, cost/highFactor
	}
	if cost <= cheap {
		return many
	}
	return few
}

// escapes reports whether runs of a on p leave local minima.
func escapes(p *Problem, a Algorithm, effort Effort) bool {
	e, ok := a.(Escaper)
	return ok && effort.Searches() && e.Escapes(p)
}

const (
	escapeCost = 100 // how much less a pass has to cost for ten restarts where runs leave local minima
	highFactor = 20  // how much more it may cost at high effort
)

// agreeing is the number of runs that have to reach the lowest objective, up to a
// relative difference of sameMinimum, before Fit makes no more of them.
func (e Effort) agreeing() int {
	switch e {
	case EffortNormal:
		return 5
	case EffortHigh:
		return 10
	}
	return math.MaxInt
}

const sameMinimum = 1e-6

// passCost estimates the cost of one pass over the points, in multiplications.
func passCost(p *Problem, a Algorithm) float64 {
	if c, ok := a.(CostEstimator); ok {
		return c.PassCost(p)
	}
	d := 1
	if p.Graph != nil {
		d = 1 + len(p.Graph.To)/max(1, p.Len())
	}
	if p.X != nil {
		d = p.X.Dim()
	}
	if s, ok := p.X.(interface{ Stored() int }); ok {
		d = 1 + s.Stored()/max(1, p.Len())
	}
	return float64(p.Len()) * float64(d) * float64(p.K)
}

// countLowest returns how many objectives are the lowest, up to sameMinimum.
func countLowest(objectives []float64) (count int) {
	if len(objectives) == 0 {
		return 0
	}
	least := slices.Min(objectives)
	for _, y := range objectives {
		if y-least <= sameMinimum*math.Abs(least) {
			count++
		}
	}
	return count
}

// A Fallbacker is a ResultStarter that can tell whether constraints support the result
// that was found with them. Where they do not, Fit makes one more run and returns its
// result, though another run has a lower objective: with constraints that few rows
// follow the lowest objective can be a worse answer than the one without them.
type Fallbacker interface {
	ResultStarter
	// Fallback returns a run from the result without constraints, whose objective ends no
	// higher than that of its labels; nil if the constraints support best.
	Fallback(ctx context.Context, p *Problem, e *Env, best, without *Result) (Run, error)
}
