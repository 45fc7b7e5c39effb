package dedupecommand

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/inklinghq/inkling/dedupe"
)

// leastProbability is that of the pairs in --links-out.
const leastProbability = 0.01

// writeLinks writes the likely pairs.
func (j *answer) writeLinks(w io.Writer, r *dedupe.Result) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"a", "b", "probability", "together"})
	r.LikelyPairs(leastProbability, func(p dedupe.ScoredPair) {
		_ = out.Write([]string{j.ids.ID(p.A), j.ids.ID(p.B), strconv.FormatFloat(p.Probability, 'f', 4, 64), strconv.FormatBool(p.Together)})
	})
	out.Flush()
	return out.Error()
}
