package spreading

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
)

// With -short, which the race detector is run with, the clauses that take long are left to
// TestSameBitsOfSmallFits.
func TestContract(t *testing.T) {
	if !testing.Short() {
		clustertest.RunBoth(t, NewLabelSpreading())
		return
	}
	for _, c := range clustertest.Checks() {
		if slices.Contains([]string{"StartsWithoutTime", "DegenerateInputHasAnAnswer", "RefusesBadProblems", "ContradictionHasAnAnswer"}, c.Name) {
			t.Run(c.Name, func(t *testing.T) {
				if err := c.Do(NewLabelSpreading()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestSameBitsOfSmallFits(t *testing.T) {
	x, truth, err := example.Blobs(150, 3, 4, 1, 2, rand.New(rand.NewPCG(16, 6)))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, 20, rand.New(rand.NewPCG(16, 7)))}
	var first *cluster.Result
	for _, workers := range []int{1, 2, 7} {
		s := cluster.Default()
		s.Workers, s.Audit = workers, true
		r, err := cluster.Fit(context.Background(), p, NewLabelSpreading(), s)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if !slices.Equal(r.Labels, first.Labels) || r.Objective.Sum() != first.Objective.Sum() {
			t.Errorf("%d workers: another result", workers)
		}
	}
}

func TestClassifierContract(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	clustertest.Run(t, NewClassifier())
}
