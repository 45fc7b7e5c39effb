package suspect

import (
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// A Verdict is how likely one constraint is wrong.
type Verdict struct {
	Wrong float64 // an estimate of the probability that it is wrong, 0 to 1
	Why   string  // the evidence, in words
}

// constraintEvidence is what the sources say of one constraint.
type constraintEvidence struct {
	logOdds []float64 // that it is wrong, by source
	weight  []float64 // of the source
	source  []string
	against []bool   // whether the source contradicts it
	pair    bool     // of a pair, which needs more to be called wrong
	proven  bool     // a source predicts other pairs well
	beyond  int      // sources that contradict it more than the shares of the kinds do
	noise   float64  // the sum of the logarithms of the shares of wrong pairs that the sources see, each times its weight
	remarks []string // in words
}

// add adds the verdict of a source: the probability that the constraint is wrong.
func (e *constraintEvidence) add(source string, weight, wrong float64, contradicts bool) {
	e.weight = append(e.weight, weight)
	e.logOdds, e.source, e.against = append(e.logOdds, posterior.LogOdds(wrong)), append(e.source, source), append(e.against, contradicts)
}

// addPair adds the verdict of a source on a pair: the score that its points belong together.
func (e *constraintEvidence) addPair(source string, c pairCalibration, score float64, together bool) {
	wrong, against := c.wrong(score, together)
	e.add(source, sourceWeight(c.gain), wrong, against)
	e.pair, e.proven = true, e.proven || c.proven()
	e.noise += sourceWeight(c.gain) * math.Log(c.noise)
	if c.beyond(score, together) {
		e.beyond++
	}
}

// open reports whether the evidence is too thin to call a pair wrong: no source has shown that it
// predicts pairs, or one of them does not speak against it.
func (e *constraintEvidence) open() bool {
	return e.pair && (!e.proven || e.beyond < len(e.source))
}

// openAbove is the probability above which thin evidence counts less, so that it stays below one
// half; the order of the constraints remains.
const openAbove = 0.4

// cleanTrust is how much it counts that the sources see fewer wrong pairs in the file than they would expect without
// looking: what they contradict there is more often a right pair of unusual rows.
// Of fewer than cleanFrom pairs nobody sees which share of them is wrong.
const (
	cleanTrust = 1.5
	cleanFrom  = 50
)

// cleanFile returns by how much less the log-odds of a pair being wrong are because the file, of so many pairs, looks clean; 0
// where it does not.
func (e *constraintEvidence) cleanFile(pairs int) float64 {
	if !e.pair || pairs < cleanFrom {
		return 0
	}
	total := 0.0
	for _, w := range e.weight {
		total += w
	}
	seen := math.Exp(e.noise / total)
	return cleanTrust * max(0, posterior.LogOdds(posterior.LikeliestNoise())-posterior.LogOdds(seen))
}

func newEvidence(n int) []*constraintEvidence {
	out := make([]*constraintEvidence, n)
	for i := range out {
		out[i] = &constraintEvidence{}
	}
	return out
}

// meanLogOdds returns the mean of the log-odds of the sources, each weighted by how much
// it knows; without sources that of the prior.
func (e *constraintEvidence) meanLogOdds() float64 {
	sum, total := 0.0, 0.0
	for i, y := range e.logOdds {
		sum += e.weight[i] * y
		total += e.weight[i]
	}
	if total == 0 || math.IsNaN(sum) {
		return posterior.LogOdds(posterior.PriorWrong)
	}
	return sum / total
}

// sharpness makes up for what averaging loses: several sources that agree know more
// than each of them.
const sharpness = 1.7

// verdicts returns how likely each constraint is wrong. The share of wrong ones, which the
// log-odds of the sources take to be the prior's, is estimated: the expectation of each
// being wrong and the share are computed in turn.
func verdicts(all []*constraintEvidence) []Verdict {
	ratio := make([]float64, len(all)) // the log-likelihood ratio of wrong to right
	for i, e := range all {
		ratio[i] = sharpness * (e.meanLogOdds() - posterior.LogOdds(posterior.PriorWrong))
	}
	const prior = 20.0 // constraints that the prior counts as
	share := posterior.PriorWrong
	for range 50 {
		sum := prior * posterior.PriorWrong
		for _, y := range ratio {
			sum += posterior.Logistic(y + posterior.LogOdds(share))
		}
		share = sum / (prior + float64(len(all)))
	}
	pairs := 0
	for _, e := range all {
		if e.pair {
			pairs++
		}
	}
	out := make([]Verdict, len(all))
	for i, e := range all {
		p := posterior.Logistic(ratio[i] + posterior.LogOdds(share) - e.cleanFile(pairs))
		if e.open() && p > openAbove {
			p = openAbove + (0.5-openAbove)*(p-openAbove)/(1-openAbove)
		}
		out[i] = Verdict{Wrong: p, Why: e.words()}
	}
	return out
}

// words returns the evidence in words: first what was seen, then how many held-out fits
// contradict the constraint.
func (e *constraintEvidence) words() string {
	parts := append([]string(nil), e.remarks...)
	var against []string
	for i, contradicts := range e.against {
		if contradicts {
			against = append(against, e.source[i])
		}
	}
	all := len(e.source)
	switch {
	case all == 0:
		parts = append(parts, "no evidence")
	case all == 1 && len(against) == 0:
		parts = append(parts, "the held-out fit agrees")
	case all == 1:
		parts = append(parts, "the held-out fit disagrees")
	case len(against) == 0:
		parts = append(parts, every(all)+" held-out fits agree")
	case len(against) == all:
		parts = append(parts, every(all)+" held-out fits disagree")
	case len(against) == 1:
		parts = append(parts, fmt.Sprintf("1 of %d held-out fits disagrees (%s)", all, against[0]))
	default:
		parts = append(parts, fmt.Sprintf("%d of %d held-out fits disagree (%s)", len(against), all, strings.Join(against, ", ")))
	}
	return strings.Join(parts, "; ")
}

// every begins a sentence about all of several.
func every(n int) string {
	if n == 2 {
		return "both"
	}
	return fmt.Sprintf("all %d", n)
}
