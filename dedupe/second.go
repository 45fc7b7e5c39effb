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
	inAgreeLog
	inEqualShare
	inRate
	inLong
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
	out[inOne], out[inLogOdds], out[inSize] = 1, usual, min(max(x.prior-usualPrior, leastSize), 0)
	agree, filled := 0.0, 0
	for f, v := range e {
		fixed := !changing[x.d.kinds[f]]
		if c[f] != missing {
			filled++
		}
		if agree += max(v, 0); v > 0 {
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
	out[inAgreeLog], out[inRate] = math.Log1p(agree), x.rate()
	// What other fields contradict may be what look-alikes share.
	out[inLong] = max(x.d.sharedBeyond(p)+out[inDisagreeFixed]+out[inDisagreeChanging], 0) / tenNats
	if filled > 0 {
		out[inEqualShare] = out[inEqual] / float64(filled)
	}
	out[inCross] = float64(c[x.d.fields])
	a, b := min(max(z-best[p.A], -12), 0), min(max(z-best[p.B], -12), 0)
	out[inGapFar], out[inGapNear] = min(a, b), max(a, b)
	out[inLow], out[inHigh] = min(usual, 0), max(usual-8, 0)
}

// Units of the input for long texts.
const (
	tenNats  = 10.0
	mostLong = 30.0
)

// sharedBeyond returns by how much the words that two records share in texts weigh more than a value that no other record has, which is all
// that an equal value can count for in a mixture: it knows values, and a title of six words is one value like a surname.
func (d *distinct) sharedBeyond(p pair) (sum float64) {
	a, b := d.valuesOf(p.A), d.valuesOf(p.B)
	once := logOf(1 + float64(d.len()))
	for f, k := range d.kinds {
		if a[f] < 0 || b[f] < 0 || k != text {
			continue
		}
		x, y := &d.values[a[f]], &d.values[b[f]]
		if x.digits && y.digits {
			continue
		}
		shared, j := 0.0, 0
		for _, t := range x.sorted {
			for j < len(y.sorted) && y.sorted[j] < t {
				j++
			}
			if j < len(y.sorted) && y.sorted[j] == t {
				shared += d.tokens[t].weight
			}
		}
		sum += max(shared-once, 0)
	}
	return min(sum, mostLong)
}

// rate returns the logarithm of the matches per record that the mixture expects, between −3 and 1.
func (x *mixture) rate() float64 {
	return min(max(x.prior+math.Log(max(float64(x.d.len()-1), 1)/2), -3), 1)
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

// leastSize bounds the size input, whose effect was fitted on small tables. It was chosen on 25,000 contacts: F and precision are .864 and
// .991 without it, .901 and .979 at -2, .910 and .935 at -1.
const leastSize = -2.0

// secondWeights are the weights of the second stage: a logistic regression on the pairs of made-up tables, most of them with drawn columns
// (bench/records/fit). The evidence of fields overlaps, so it counts less than in full, and its logarithm counts;
// what a difference in a field of each sort says is counted apart; and a record that has a far better match elsewhere is less likely to match.
// The weight of long texts was fitted later, the others held: fitted with them it made tables of people worse.
var secondWeights = [secondInputs]float64{
	inOne: -10.1466, inLogOdds: -0.2947, inAgreeTop: 0.1265, inDisagreeFixed: 0.8816, inDisagreeChanging: 0.1114, inDifferentFixed: -0.0877, inReplacedFixed: -0.7425, inDifferentChanging: -2.0135,
	inEqual: 0.5096, inMissing: 0.0437, inCross: -1.4041, inGapFar: 0.0682, inGapNear: 0.0581, inLow: -0.051, inHigh: 0.1337, inSize: 1.275, inAgreeLog: 4.7039, inEqualShare: 0.0817, inRate: -0.3884, inLong: 0.9835,
}
