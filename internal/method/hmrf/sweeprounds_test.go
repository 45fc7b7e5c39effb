package hmrf

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

func objectiveOf(t *testing.T, r *descent) float64 {
	t.Helper()
	terms, err := r.Objective(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return terms.Sum()
}

// A sweep of many points together is a sweep one by one in some order: it lowers
// J by what its moves promise, keeps the counts of violated ties, and gives the
// same labels on any number of workers.
func TestSweepTogether(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		var want []int32
		for _, workers := range []int{1, 3} {
			r := entangled(t, a, 4000, workers)
			was, before := objectiveOf(t, r), slices.Clone(r.labels)
			moved, err := r.sweepInRounds(ctx, slices.Clone(r.graph.Constrained), nil)
			if err != nil {
				t.Fatal(err)
			}
			changed := 0
			for i, h := range r.labels {
				if h != before[i] {
					changed++
				}
			}
			if now := objectiveOf(t, r); moved != changed || moved < 1000 || now >= was {
				t.Errorf("%s: %d points say that they moved, %d did, J was %v and is %v", name, moved, changed, was, now)
			}
			bad := slices.Clone(r.violationCount)
			if r.countViolations(); !slices.Equal(bad, r.violationCount) {
				t.Errorf("%s: the violated ties are counted wrongly", name)
			}
			if slices.ContainsFunc(r.marks, func(m byte) bool { return m != 0 }) {
				t.Errorf("%s: marks are left over", name)
			}
			if want == nil {
				want = slices.Clone(r.labels)
			} else if !slices.Equal(want, r.labels) {
				t.Errorf("%s: labels differ on %d workers", name, workers)
			}
		}
	}
}

// Whoever goes at once would have gone the same way, had those that go with it
// gone before.
func TestThoseWhoGoAtOnceDoNotMeet(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		r := entangled(t, a, 2000, 2)
		s := r.newRound(r.graph.Constrained, 3)
		for _, step := range []func(lo, hi int){s.propose, s.chooseMovers} {
			if err := s.eachChunk(ctx, step); err != nil {
				t.Fatal(err)
			}
		}
		gone := 0
		for at, i := range s.visit {
			if s.movesNow[at] {
				if to := r.cheapest(int(i)); to != s.proposal[at] {
					t.Fatalf("%s: point %d went to %d and would go to %d", name, i, s.proposal[at], to)
				}
				r.moveTo(int(i), s.proposal[at], nil)
				gone++
			}
		}
		if gone < 100 {
			t.Errorf("%s: only %d go at once", name, gone)
		}
	}
}

// With sweeps until nothing moves, no point is cheaper elsewhere in the end.
func TestSweepsTogetherEndWhereNobodyMoves(t *testing.T) {
	for name, a := range withMoveCost() {
		a.Sweeps, a.JointReassign = 0, false
		r := entangled(t, a, 4000, 2)
		if _, err := r.assignByICM(context.Background(), slices.Clone(r.graph.Constrained)); err != nil {
			t.Fatal(err)
		}
		for _, i := range r.graph.Constrained {
			if h := r.cheapest(int(i)); h != r.labels[i] {
				t.Errorf("%s: point %d is in %d and would go to %d", name, i, r.labels[i], h)
				break
			}
		}
	}
}

// A joint reassignment keeps what it finds only where J falls, and knows by how much it does.
func TestThawKnowsWhatItChanges(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		var want []int32
		for _, workers := range []int{1, 3} {
			r := entangled(t, a, 4000, workers)
			was := objectiveOf(t, r)
			list, err := r.findHeld(ctx)
			if err != nil || len(list) < minInRounds {
				t.Fatalf("%s: %d points are frozen, %v", name, len(list), err)
			}
			objective, err := r.newObjectiveChange(ctx, list)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				r.moveTo(int(x.point), -1, nil)
			}
			if err := r.reassignHeld(ctx, list, objective); err != nil {
				t.Fatal(err)
			}
			change, err := objective.total(ctx)
			if now := objectiveOf(t, r); err != nil || math.Abs(now-was-change) > 1e-9*was {
				t.Errorf("%s: J was %v and is %v, jointReassign says %v, %v", name, was, now, change, err)
			}
			if want == nil {
				want = slices.Clone(r.labels)
			} else if !slices.Equal(want, r.labels) {
				t.Errorf("%s: labels differ on %d workers", name, workers)
			}
		}
	}
}

// Whole fits of many pairs, audited, have the same bits on any number of workers.
func TestManyPairsOnAnyWorkers(t *testing.T) {
	for name, a := range withMoveCost() {
		n, most := longtest.Size(2000, 3000, 6000), longtest.Size(2, 3, 5)
		p := entangled(t, a, n, 1).p.Problem
		var want *cluster.Result
		for _, workers := range []int{1, 2, 5} {
			s := cluster.Default()
			s.Restarts, s.MaxIter, s.Workers, s.Audit = 1, most, workers, true
			got, err := cluster.Fit(context.Background(), p, a, s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want == nil {
				want = got
			} else if !slices.Equal(want.Labels, got.Labels) || want.Objective.Sum() != got.Objective.Sum() {
				t.Errorf("%s: %d workers give another result", name, workers)
			}
		}
	}
}
