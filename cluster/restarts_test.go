package cluster_test

import (
	"context"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

// escaping is a script whose runs leave local minima.
type escaping struct{ script }

func (*escaping) Escapes(*cluster.Problem) bool { return true }

// Enough runs with the same objective end the restarts that nobody asked for, and only
// those.
func TestRestartsEndWhenRunsAgree(t *testing.T) {
	for _, c := range []struct {
		effort   cluster.Effort
		restarts int
		want     int
	}{
		{cluster.EffortLow, 0, 10},
		{cluster.EffortNormal, 0, 5},
		{cluster.EffortHigh, 0, 10},
		{cluster.EffortNormal, 7, 7},
	} {
		s := cluster.Default()
		s.Effort, s.Restarts = c.effort, c.restarts
		r, err := cluster.Fit(context.Background(), line(4), &escaping{script{costs: slices.Repeat([][]float64{{3, 2, 2}}, 10)}}, s)
		if err != nil || r.Runs != c.want {
			t.Errorf("%s, %d restarts: %d runs, want %d (%v)", c.effort, c.restarts, r.Runs, c.want, err)
		}
	}
}

// Fewer restarts where a run searches by itself, more at high effort.
func TestAutoRestartsByEffort(t *testing.T) {
	large := line(400_000) // 400,000 × 1 feature × 2 clusters
	for _, c := range []struct {
		a      cluster.Algorithm
		effort cluster.Effort
		want   int
	}{
		{&script{}, cluster.EffortNormal, 10},
		{&escaping{}, cluster.EffortLow, 10},
		{&escaping{}, cluster.EffortNormal, 1},
		{&escaping{}, cluster.EffortHigh, 30},
		{&script{}, cluster.EffortHigh, 30},
	} {
		if got := cluster.AutoRestarts(large, c.a, c.effort); got != c.want {
			t.Errorf("%T at %s effort: %d runs, want %d", c.a, c.effort, got, c.want)
		}
	}
}

func TestEffortIsChecked(t *testing.T) {
	s := cluster.Default()
	s.Effort = "huge"
	if _, err := cluster.Fit(context.Background(), line(4), &script{}, s); err == nil || err.Error() != `effort must be one of low, normal, high, got "huge"` {
		t.Errorf("the error is %v", err)
	}
}
