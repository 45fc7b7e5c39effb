package dedupe_test

import (
	"os"
	"testing"

	"github.com/inklinghq/inkling/dedupe"
)

// Of 900 records of 300 people the entities are found with a pairwise F of at least
// 0.9, and of at least 0.95 once 60 questions about uncertain pairs are answered, for
// people of generators that are built differently.
func TestQuality(t *testing.T) {
	t.Parallel()
	seeds := uint64(1)
	if os.Getenv("INKLING_FULL") != "" {
		seeds = 5
	}
	for _, g := range []struct {
		name     string
		generate func(seed uint64, persons, records int) *people
	}{{"customers", customers}, {"patients", patients}, {"members", members}} {
		for seed := range seeds {
			p := g.generate(seed, 300, 900)
			r := entities(t, &p.Records, nil, dedupe.Options{})
			precision, recall, f := pairwiseF(p.truth, r.Entity)
			t.Logf("%s, seed %d: precision %.3f, recall %.3f, F %.3f", g.name, seed, precision, recall, f)
			if f < 0.9 {
				t.Errorf("%s, seed %d: F %.3f without answers", g.name, seed, f)
			}
			// Answers on easy pairs do not mislead.
			easy := entities(t, &p.Records, randomAnswers(p.truth, seed), dedupe.Options{})
			if _, _, g := pairwiseF(p.truth, easy.Entity); g < f-0.02 {
				t.Errorf("seed %d: F %.3f with answers on random pairs, %.3f without", seed, g, f)
			}
			r = entities(t, &p.Records, answers(r, p.truth, 60, seed), dedupe.Options{})
			precision, recall, f = pairwiseF(p.truth, r.Entity)
			t.Logf("%s, seed %d, 60 answers: precision %.3f, recall %.3f, F %.3f", g.name, seed, precision, recall, f)
			if f < 0.95 {
				t.Errorf("%s, seed %d: F %.3f with 60 answers", g.name, seed, f)
			}
		}
	}
}
