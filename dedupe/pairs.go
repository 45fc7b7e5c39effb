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

// fieldEvidence returns what each field of a pair contributes to the log-odds: by how much they are higher than if it were missing.
func (m *linkModel) fieldEvidence(p pair, c comparison) []float64 {
	e, in := make([]float64, m.x.d.fields), make([]float64, len(m.weights))
	score := func(c comparison) float64 {
		m.inputs(p, c, e, in)
		return dot(m.weights, in)
	}
	z := score(c)
	out, without := make([]float64, m.x.d.fields), slices.Clone(c)
	for f := range out {
		if c[f] != missing {
			without[f] = missing
			out[f] = z - score(without)
			without[f] = c[f]
		}
	}
	return out
}
