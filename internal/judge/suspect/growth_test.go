package suspect

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
)

// What judging pairs takes grows with their number, not with its square: four times as many pairs
// need no more than six times the memory. All pairs of 75 rows once took half a minute.
func TestJudgingGrowsWithTheNumberOfPairs(t *testing.T) {
	allocated := func(rows int) (pairs int, bytes uint64) {
		x, truth, err := example.Blobs(rows, 3, 2, 8, 1, rand.New(rand.NewPCG(4, 36)))
		if err != nil {
			t.Fatal(err)
		}
		set := &constraint.Set{}
		for i := range truth {
			for j := range i {
				if p := (constraint.Pair{I: i, J: j, W: 1}); truth[i] == truth[j] {
					set.Must = append(set.Must, p)
				} else {
					set.Cannot = append(set.Cannot, p)
				}
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := NewCleaner(context.Background(), &cluster.Problem{X: x, K: 3, Constraints: set}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Judge(context.Background(), set); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return len(set.Must) + len(set.Cannot), after.TotalAlloc - before.TotalAlloc
	}
	few, less := allocated(40)
	many, more := allocated(80)
	t.Logf("%d pairs %d KB, %d pairs %d KB", few, less>>10, many, more>>10)
	if more > 6*less {
		t.Errorf("%d pairs allocate %d KB, %d pairs %d KB", few, less>>10, many, more>>10)
	}
}
