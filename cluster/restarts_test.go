package cluster_test

import (
	"context"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
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

// estimating is a script whose runs say how many of them pay.
type estimating struct {
	escaping
	pay int
}

func (a *estimating) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r, err := a.script.Start(ctx, p, e)
	return estimatingRun{r, a.pay}, err
}

type estimatingRun struct {
	cluster.Run
	pay int
}

func (r estimatingRun) WorthwhileRuns() int { return r.pay }

// The first run says how many pay where nobody asked for a number and the size of the
// problem allows for one.
func TestFirstRunEstimatesHowManyPay(t *testing.T) {
	for _, c := range []struct {
		n, restarts, pay, want int
	}{
		{400_000, 0, 4, 4},
		{400_000, 0, 1, 1},
		{400_000, 0, 0, 1},
		{400_000, 1, 4, 1},
		{400_000, 2, 4, 2},
		{4, 0, 3, 10}, // a small problem
	} {
		a := &estimating{pay: c.pay}
		for run := range 10 {
			a.costs = append(a.costs, []float64{9, 8 - float64(run)/10})
		}
		s := cluster.Default()
		s.Effort, s.Restarts = cluster.EffortNormal, c.restarts
		var told []int
		s.Observe = func(e cluster.Event) {
			if e.Iter == 0 {
				told = append(told, e.Restarts)
			}
		}
		r, err := cluster.Fit(background, line(c.n), a, s)
		if err != nil || r.Runs != c.want || r.Run != c.want-1 || told[len(told)-1] != c.want {
			t.Errorf("%+v: %d runs, the best is %d, announced %v (%v)", c, r.Runs, r.Run, told, err)
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

// resuming is a script that uses must-links and whose last run starts from a result.
type resuming struct {
	script
	from []*cluster.Result
}

func (*resuming) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows}, Uses: []cluster.Kind{cluster.MustLinks}}
}

func (a *resuming) StartFromResult(ctx context.Context, p *cluster.Problem, e *cluster.Env, r *cluster.Result) (cluster.Run, error) {
	a.from = append(a.from, r)
	return a.Start(ctx, p, e)
}

// Where constraints count and the effort asks for a search, the last of several runs starts
// from the best result without them.
func TestLastRunStartsFromTheUnconstrainedResult(t *testing.T) {
	must := &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}}
	cannot := &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}}}
	for _, c := range []struct {
		effort         cluster.Effort
		known          *constraint.Set
		restarts, runs int
		resumed        bool
	}{
		{cluster.EffortLow, must, 3, 3, false},
		{cluster.EffortNormal, nil, 3, 3, false},
		{cluster.EffortNormal, cannot, 3, 3, false},
		{cluster.EffortNormal, must, 3, 3, true},
		{cluster.EffortNormal, must, 1, 1, false},
	} {
		a := &resuming{script: script{costs: [][]float64{{9, 8}, {9, 5}, {9, 7}, {4, 3}, {4, 3}, {4, 2}}}}
		p := line(4)
		p.Constraints = c.known
		s := settings(c.restarts, 10)
		s.Effort = c.effort
		r, err := cluster.Fit(background, p, a, s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Runs != c.runs || (len(a.from) == 1) != c.resumed || c.known != nil && p.Constraints != c.known {
			t.Errorf("%+v: %d runs, %d from a result", c, r.Runs, len(a.from))
		}
		if c.resumed && c.restarts == 3 && (a.from[0].Objective.Sum() != 3 || a.from[0].Runs != 3 || r.Run != 2) {
			t.Errorf("the last run starts from %+v, and the best is run %d", a.from[0], r.Run)
		}
	}
}

// Runs that start from the same clusters, whatever their numbers, are one.
func TestDistinctStartsAreCounted(t *testing.T) {
	for _, c := range []struct {
		starts   [][]int
		distinct int
	}{
		{[][]int{{0, 0, 1, 1}, {0, 0, 1, 1}, {1, 1, 0, 0}}, 1},
		{[][]int{{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 0, 0}}, 2},
		{[][]int{{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 0, 1}}, 3},
	} {
		r, err := cluster.Fit(background, line(4), &fixedStarts{labels: c.starts}, settings(len(c.starts), 10))
		if err != nil || r.Runs != len(c.starts) || r.Distinct != c.distinct {
			t.Errorf("%v: %d of %d runs distinct, want %d (%v)", c.starts, r.Distinct, r.Runs, c.distinct, err)
		}
	}
}

// fixedStarts ends where it starts, with given labels for each run.
type fixedStarts struct {
	script
	labels [][]int
	at     int
}

func (a *fixedStarts) Start(context.Context, *cluster.Problem, *cluster.Env) (cluster.Run, error) {
	a.at++
	return &fixedRun{scripted{s: &script{costs: [][]float64{{1}}}, n: 4, cost: 1}, a.labels[a.at-1]}, nil
}

type fixedRun struct {
	scripted
	fixed []int
}

func (r *fixedRun) Labels() []int { return r.fixed }
