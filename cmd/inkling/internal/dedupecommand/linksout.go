package dedupecommand

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/inklinghq/inkling/dedupe"
)

// leastProbability is that of the pairs in --links-out.
const leastProbability = 0.01

// A scoredLink is a row of --links-out.
type scoredLink struct {
	A           string  `parquet:"a"`
	B           string  `parquet:"b"`
	Probability float64 `parquet:"probability"`
	Together    bool    `parquet:"together"`
}

// writeLinks writes the likely pairs, as Parquet where the file is called so, else as CSV.
func (j *answer) writeLinks(w io.Writer, r *dedupe.Result) error {
	if isParquet(j.linksOut) {
		out := parquet.NewGenericWriter[scoredLink](w)
		var failed error
		r.LikelyPairs(leastProbability, func(p dedupe.ScoredPair) {
			if failed == nil {
				_, failed = out.Write([]scoredLink{{j.ids.ID(p.A), j.ids.ID(p.B), p.Probability, p.Together}})
			}
		})
		if failed != nil {
			return failed
		}
		return out.Close()
	}
	out := csv.NewWriter(w)
	_ = out.Write([]string{"a", "b", "probability", "together"})
	r.LikelyPairs(leastProbability, func(p dedupe.ScoredPair) {
		_ = out.Write([]string{j.ids.ID(p.A), j.ids.ID(p.B), strconv.FormatFloat(p.Probability, 'f', 4, 64), strconv.FormatBool(p.Together)})
	})
	out.Flush()
	return out.Error()
}

func isParquet(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".parquet") }
