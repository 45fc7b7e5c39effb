package dedupe_test

import (
	"math"
	"testing"

	"github.com/inklinghq/inkling/dedupe"
)

// The estimated part of the matches that was compared is near the truth, also where few neighbours of a record are compared.
func TestBlockingRecall(t *testing.T) {
	t.Parallel()
	for _, neighbours := range []int{1, 20} {
		p := customers(3, 250, 1000)
		found := entities(t, &p.Records, nil, dedupe.Options{Neighbours: neighbours})
		compared := map[[2]int]bool{}
		seen := map[int]bool{} // records that stand for themselves: equal ones are compared once
		for _, pair := range found.UncertainPairs(-1) {
			compared[[2]int{pair.A, pair.B}], seen[pair.A], seen[pair.B] = true, true, true
		}
		both, all := 0.0, 0.0
		for a := range p.truth {
			for b := a + 1; b < len(p.truth); b++ {
				if p.truth[a] == p.truth[b] && seen[a] && seen[b] {
					all++
					if compared[[2]int{a, b}] {
						both++
					}
				}
			}
		}
		t.Logf("%d neighbours: %.3f of %v matches compared, estimated %.3f", neighbours, both/all, all, found.Recall)
		if math.Abs(both/all-found.Recall) > 0.05 {
			t.Errorf("%d neighbours: %.3f of the matches were compared, estimated %.3f", neighbours, both/all, found.Recall)
		}
	}
}
