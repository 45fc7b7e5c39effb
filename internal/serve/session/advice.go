package session

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/internal/support/format"
)

// A refit is how much a fit changed.
type refit struct{ answers, moved int }

// Bounds of the advice to stop.
const (
	stopAfter      = 20   // answers; never before
	judgedLast     = 10   // answers that the clusters before them must have told
	leastPredicted = 9    // so many of them
	stopBelow      = 0.01 // the share of the rows that ten more answers move at most
	nextAnswers    = 10
)

// Advice is whether more answers are worth it.
type Advice struct {
	Known     bool    // there were two fits; else Rows, Low and High are 0
	Rows      float64 // that the next ten answers are expected to move
	Low, High float64 // its interval of about 90 %, never above the number of rows
	Answers   int     // so far
	Predicted int     // of the last Judged answers, those that the clusters before them told
	Judged    int
	Stop      bool // stopping is reasonable
	of        int  // rows
}

// Advice estimates what the next ten answers are worth: rows that they move, by what answers
// moved so far, and whether clusters tell answers before they are given. Stopping is
// never advised in the first twenty answers, nor while answers surprise.
func (q *Questions) Advice() Advice {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := Advice{Answers: q.answered(), of: len(q.ids)}
	for _, right := range q.predicted[max(0, len(q.predicted)-judgedLast):] {
		out.Judged++
		if right {
			out.Predicted++
		}
	}
	out.Rows, out.Low, out.High, out.Known = expectedMoves(q.moves, len(q.ids))
	out.Stop = out.Known && out.Answers >= stopAfter && out.Judged == judgedLast && out.Predicted >= leastPredicted && out.High < stopBelow*float64(out.of)
	return out
}

// expectedMoves estimates how many of n rows ten more answers move, by the last three fits: the
// mean over their answers, and an interval by the largest of them and by chance, as of a count that
// was observed (Poisson).
func expectedMoves(fits []refit, n int) (rows, low, high float64, known bool) {
	if len(fits) < 2 {
		return 0, 0, 0, false
	}
	answers, moved, most := 0, 0, 0.0
	for _, f := range fits[max(0, len(fits)-3):] {
		answers, moved = answers+f.answers, moved+f.moved
		most = max(most, nextAnswers*float64(f.moved)/float64(f.answers))
	}
	share := nextAnswers / float64(answers)
	spread := 1.645 * math.Sqrt(float64(moved))
	rows = min(float64(n), share*float64(moved))
	low, high = max(0, share*(float64(moved)-spread)), max(most, share*(float64(moved)+spread))
	return rows, min(low, rows), min(float64(n), high), true
}

// String says it in a sentence; "" where nothing is known.
func (a Advice) String() string {
	if !a.Known {
		return ""
	}
	text := fmt.Sprintf("the next ten answers are expected to move about %.0f of %s (%.0f to %.0f)", a.Rows, format.Count(a.of, "row"), math.Floor(a.Low), math.Ceil(a.High))
	switch {
	case a.Stop:
		return text + fmt.Sprintf("; the fit predicted %d of the last %d answers: stopping here is reasonable", a.Predicted, a.Judged)
	case a.Answers < stopAfter:
		return text + "; more answers show whether the fit is right"
	case a.Judged > 0 && a.Predicted < leastPredicted*a.Judged/judgedLast:
		return text + fmt.Sprintf("; the fit predicted only %d of the last %d answers: more answers correct them", a.Predicted, a.Judged)
	}
	return text + "; more answers settle rows that lie between two"
}
