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
	in := make([]float64, len(r.model.factors))
	width := r.d.width()
	for k, i := range order {
		p := r.pairs[i]
		a, b := int(r.d.copies[p.A][0]), int(r.d.copies[p.B][0])
		s := ScoredPair{A: min(a, b), B: max(a, b), Probability: sigmoid(r.logOdds[i]), Together: r.Entity[a] == r.Entity[b], Evidence: make([]float64, r.d.fields)}
		r.model.total(p, r.levels[int(i)*width:(int(i)+1)*width], in)
		for f := range s.Evidence {
			s.Evidence[f] = r.model.factors[1+2*f]*in[1+2*f] + r.model.factors[2+2*f]*in[2+2*f]
		}
		out[k] = s
	}
	return out
}
