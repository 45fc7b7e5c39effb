package cluster

import (
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

// AutoRestarts returns how many runs of a Fit makes on p at most when
// Settings.Restarts is 0: ten if one pass over the points is cheap and runs can
// differ, else one; at high effort thirty or three. Fit stops earlier when enough
// runs have reached the same minimum.
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
