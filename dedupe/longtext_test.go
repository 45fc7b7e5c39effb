package dedupe_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/dedupe"
)

// articles returns a library in which a title is all that tells: each article is entered once or twice, mostly with a typing error in the
// title and never with the same writing of the venue, which many articles share.
func articles(seed uint64, count int) (*dedupe.Records, []int) {
	rng := rand.New(rand.NewPCG(seed, 41))
	words, venues := invented(rng, 260, 2, 4), invented(rng, 12, 2, 3)
	r := &dedupe.Records{Fields: []string{"title", "venue", "year"}, Cells: make([][]string, 3)}
	var truth []int
	for a := range count {
		var title []string
		for range 4 + rng.IntN(4) {
			title = append(title, words[rng.IntN(len(words))])
		}
		venue, year := venues[rng.IntN(len(venues))], 1990+rng.IntN(30)
		for again := range 1 + rng.IntN(2) {
			written := strings.Join(title, " ")
			if again > 0 && rng.Float64() < 0.6 {
				written = typo(rng, written)
			}
			cells := []string{written, []string{"Journal of ", "J. ", ""}[rng.IntN(3)] + venue, fmt.Sprint(year + rng.IntN(2)*rng.IntN(2))}
			if rng.Float64() < 0.4 {
				cells[1] = ""
			}
			for f, c := range cells {
				r.Cells[f] = append(r.Cells[f], c)
			}
			truth = append(truth, a)
		}
	}
	return r, truth
}

// A title of six words says more than a surname does: two records that share it are one, whatever else is missing.
func TestLongTexts(t *testing.T) {
	for seed := range uint64(3) {
		r, truth := articles(seed, 300)
		found := entities(t, r, nil, dedupe.Options{})
		precision, recall, f := pairwiseF(truth, found.Entity)
		matches := 0.0
		found.LikelyPairs(0, func(p dedupe.ScoredPair) {
			if truth[p.A] == truth[p.B] {
				matches++
			}
		})
		t.Logf("seed %d: precision %.3f, recall %.3f, F %.3f; %.1f matches expected, %.0f compared", seed, precision, recall, f, found.Matches, matches)
		if f < 0.95 || found.Matches < 0.9*matches {
			t.Errorf("seed %d: F %.3f, %.1f matches expected, %.0f compared", seed, f, found.Matches, matches)
		}
	}
}
