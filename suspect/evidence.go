package suspect

import (
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/posterior"
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
	remarks []string // in words
}

// add adds the verdict of a source: the probability that the constraint is wrong.
func (e *constraintEvidence) add(source string, weight, wrong float64, contradicts bool) {
	e.weight = append(e.weight, weight)
	e.logOdds, e.source, e.against = append(e.logOdds, posterior.LogOdds(wrong)), append(e.source, source), append(e.against, contradicts)
}

func newEvidence(n int) []*constraintEvidence {
	out := make([]*constraintEvidence, n)
	for i := range out {
		out[i] = &constraintEvidence{}
	}
	return out
}

// verdict averages the log-odds of the sources.
func (e *constraintEvidence) verdict() Verdict {
	if len(e.logOdds) == 0 {
		return Verdict{Wrong: posterior.PriorWrong, Why: "no evidence"}
	}
	sum, total := 0.0, 0.0
	for i, y := range e.logOdds {
		sum += e.weight[i] * y
		total += e.weight[i]
	}
	wrong := posterior.Logistic(sum / total)
	if math.IsNaN(wrong) {
		wrong = posterior.PriorWrong
	}
	return Verdict{Wrong: wrong, Why: e.words()}
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
	case all == 1 && len(against) == 0:
		parts = append(parts, "the held-out fit agrees")
	case all == 1:
		parts = append(parts, "the held-out fit disagrees")
	case len(against) == 0:
		parts = append(parts, fmt.Sprintf("all %d held-out fits agree", all))
	case len(against) == all:
		parts = append(parts, fmt.Sprintf("all %d held-out fits disagree", all))
	case len(against) == 1:
		parts = append(parts, fmt.Sprintf("1 of %d held-out fits disagrees (%s)", all, against[0]))
	default:
		parts = append(parts, fmt.Sprintf("%d of %d held-out fits disagree (%s)", len(against), all, strings.Join(against, ", ")))
	}
	return strings.Join(parts, "; ")
}
