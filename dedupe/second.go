package dedupe

import "math"

// Inputs of the second stage, see secondWeights.
const (
	inOne = iota
	inLogOdds
	inAgreeTop
	inDisagreeFixed
	inDisagreeChanging
	inDifferentFixed
	inReplacedFixed
	inDifferentChanging
	inEqual
	inMissing
	inCross
	inGapFar
	inGapNear
	inLow
	inHigh
	inSize
	secondInputs
)

// bests returns the largest log-odds of each distinct record with another.
func bests(n int, pairs []pair, z []float64) []float64 {
	best := make([]float64, n)
	for u := range best {
		best[u] = math.Inf(-1)
	}
	for i, p := range pairs {
		best[p.A], best[p.B] = max(best[p.A], z[i]), max(best[p.B], z[i])
	}
	return best
}

// secondInputs writes what the second stage sees of a pair.
func (x *mixture) secondInputs(p pair, c comparison, e []float64, best, out []float64) {
	z := x.total(p, c, e)
	clear(out)
	usual := z - x.prior + usualPrior // the log-odds in a table of usual size
	out[inOne], out[inLogOdds], out[inSize] = 1, usual, min(x.prior-usualPrior, 0)
	for f, v := range e {
		fixed := !changing[x.d.kinds[f]]
		if v > 0 {
			out[inAgreeTop] = max(out[inAgreeTop], v)
		} else if fixed {
			out[inDisagreeFixed] += v
		} else {
			out[inDisagreeChanging] += v
		}
		if in := levelInput(c[f], fixed); in >= 0 {
			out[in]++
		}
	}
	out[inCross] = float64(c[x.d.fields])
	a, b := min(max(z-best[p.A], -12), 0), min(max(z-best[p.B], -12), 0)
	out[inGapFar], out[inGapNear] = min(a, b), max(a, b)
	out[inLow], out[inHigh] = min(usual, 0), max(usual-8, 0)
}

// levelInput returns which input counts a level, −1 where none does.
func levelInput(l level, fixed bool) int {
	switch {
	case l == missing:
		return inMissing
	case l == equal:
		return inEqual
	case l == different && fixed:
		return inDifferentFixed
	case l == different:
		return inDifferentChanging
	case (l == replaced || l == weak) && fixed:
		return inReplacedFixed
	}
	return -1
}

// usualPrior is the prior of the tables that the weights were fitted on.
const usualPrior = -7.0

// secondWeights are the weights of the second stage: a logistic regression on the pairs of 18 made-up tables of six kinds
// (bench/records, other seeds than those measured). The evidence of fields overlaps, so it counts less than in
// full; what a difference in a field of each sort says is counted apart; and a record that has a far better match
// elsewhere is less likely to match. The size of a larger table counts
// in full; in a smaller one chance is not taken to be rarer.
var secondWeights = [secondInputs]float64{
	inOne: 0.24, inLogOdds: 0.132, inAgreeTop: 0.124, inDisagreeFixed: 0.482, inDisagreeChanging: -0.325, inDifferentFixed: 0.095, inReplacedFixed: -1.013,
	inDifferentChanging: -1.61, inEqual: 0.476, inMissing: 0.039, inCross: 0.293, inGapFar: 0.084, inGapNear: 0.109, inLow: 0.151, inHigh: 0.129, inSize: 1,
}
