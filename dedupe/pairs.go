package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// A ScoredPair is two records that were compared, with the probability that they match and
// what each field contributes to its log-odds, in the order of Fields.
type ScoredPair struct {
	A, B        int // records, A before B
	Probability float64
	Together    bool
	Evidence    []float64
}

// UncertainPairs returns up to most of the pairs that were compared, those with the
// probability nearest to the threshold first; below 0 all of them. Equal records stand
// for each other: of each only the first is named.
func (r *Result) UncertainPairs(most int) []ScoredPair {
	order := make([]int32, len(r.pairs))
	for i := range order {
		order[i] = int32(i)
	}
	z := logit(r.Threshold)
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(math.Abs(r.logOdds[a]-z), math.Abs(r.logOdds[b]-z))
	})
	if most >= 0 {
		order = order[:min(most, len(order))]
	}
	out := make([]ScoredPair, len(order))
	for k, i := range order {
		out[k] = r.scored(i)
	}
	return out
}

// LikelyPairs calls do with the pairs that were compared and have at least this probability, the likeliest
// first. Equal records stand for each other, as in UncertainPairs.
func (r *Result) LikelyPairs(least float64, do func(ScoredPair)) {
	var order []int32
	for i, z := range r.logOdds {
		if sigmoid(z) >= least {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(r.logOdds[b], r.logOdds[a]) })
	for _, i := range order {
		do(r.scored(i))
	}
}

// scored returns pair i as others see it.
func (r *Result) scored(i int32) ScoredPair {
	p := r.pairs[i]
	width := r.d.width()
	a, b := int(r.d.copies[p.A][0]), int(r.d.copies[p.B][0])
	return ScoredPair{A: min(a, b), B: max(a, b), Probability: sigmoid(r.logOdds[i]), Together: r.Entity[a] == r.Entity[b],
		Evidence: r.model.fieldEvidence(p, r.levels[int(i)*width:(int(i)+1)*width])}
}

// fieldEvidence returns what each field of a pair contributes to the log-odds.
func (m *linkModel) fieldEvidence(p pair, c comparison) []float64 {
	e := make([]float64, m.x.d.fields)
	m.x.total(p, c, e)
	w := m.weights
	for f, v := range e {
		fixed := !changing[m.x.d.kinds[f]]
		switch {
		case v > 0:
			e[f] = v * (w[inLogOdds] + w[secondInputs+2*f])
		case fixed:
			e[f] = v * (w[inLogOdds] + w[inDisagreeFixed] + w[secondInputs+2*f+1])
		default:
			e[f] = v * (w[inLogOdds] + w[inDisagreeChanging] + w[secondInputs+2*f+1])
		}
		if in := levelInput(c[f], fixed); in >= 0 {
			e[f] += w[in]
		}
	}
	return e
}
