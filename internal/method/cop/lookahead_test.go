package cop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A search that looks ahead makes the moves of one that does not: labels and centres
// have the same bits, with and without cannot-links, from few moves to many.
func TestLookingAheadChangesNothing(t *testing.T) {
	for _, c := range []struct{ n, k, links int }{{3000, 4, 0}, {3000, 12, 1500}, {700, 30, 200}} {
		t.Run(fmt.Sprintf("n=%d k=%d links=%d", c.n, c.k, c.links), func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(c.n+c.k)))
			var cannot []constraint.Pair
			for range c.links {
				if i, j := r.IntN(c.n), r.IntN(c.n); i != j {
					cannot = append(cannot, link(i, j))
				}
			}
			first := randomPartition(t, c.n, c.k, cannot, r)
			var all []int32
			for q := range first.label { // no violation: greedily the first cluster that is free
				all = append(all, int32(q))
				for h := range int32(c.k) {
					first.label[q] = (h + int32(q)) % int32(c.k)
					if !slices.ContainsFunc(first.cannotLinked.listOf(int32(q)), func(o int32) bool { return int(o) < q && first.label[o] == first.label[q] }) {
						break
					}
				}
			}
			search := func(workers int) (*partition, int) {
				s := newPartition(first.chunklets, slices.Clone(first.label), slices.Clone(first.centre))
				s.updateCentres()
				s.markAllChanged()
				s.ahead = newLookahead(workers)
				steps, err := s.localSearch(context.Background(), all, rand.New(rand.NewPCG(3, 3)), maxPasses)
				if err != nil {
					t.Fatal(err)
				}
				return s, steps
			}
			want, steps := search(1)
			if want.ahead != nil || steps < c.n/10 {
				t.Fatalf("%d steps, looking ahead %v", steps, want.ahead != nil)
			}
			for _, workers := range []int{3, 7, 16} {
				got, moved := search(workers)
				if moved != steps || !slices.Equal(got.label, want.label) || !slices.Equal(got.centre, want.centre) {
					t.Errorf("%d workers: %d steps, %d on one; labels or centres may differ", workers, moved, steps)
				}
				if cap(got.ahead.dist) <= shortest*c.k {
					t.Errorf("%d workers: it hardly looked ahead", workers)
				}
			}
		})
	}
}
