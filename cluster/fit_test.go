package cluster_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
)

func TestStatusSaysWhyARunEnded(t *testing.T) {
	for _, c := range []struct {
		name   string
		costs  []float64
		tol    float64
		max    int
		status cluster.Status
		iters  int
	}{
		{"no stages left", []float64{9, 5, 4}, 0, 10, cluster.Converged, 2},
		{"no stages at all", []float64{9}, 0, 10, cluster.Converged, 0},
		{"no stages at the limit", []float64{9, 5}, 0, 1, cluster.Converged, 1},
		{"the limit", []float64{9, 5, 4}, 0, 1, cluster.IterLimit, 1},
		{"a limit of 0 keeps the start", []float64{9, 5, 4}, 0, 0, cluster.IterLimit, 0},
		{"no fall", []float64{9, 5, 5, 4}, 0, 10, cluster.Converged, 2},
		{"a fall of just the tolerance", []float64{100, 50, 49.5, 40}, 0.01, 10, cluster.Converged, 2},
		{"a fall above the tolerance", []float64{100, 50, 49.4, 40}, 0.01, 10, cluster.Converged, 3},
		{"the tolerance is relative to the value before, also below 0", []float64{-100, -101, -110}, 0.01, 10, cluster.Converged, 1},
		{"a negative tolerance goes on without a fall", []float64{9, 5, 5, 4}, -1, 10, cluster.Converged, 3},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			s := settings(1, c.max)
			s.Tol = c.tol
			r, err := cluster.Fit(background, line(5), &script{costs: [][]float64{c.costs}}, s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != c.status || r.Iterations != c.iters {
				t.Errorf("%s after %d iterations, wanted %s after %d", r.Status, r.Iterations, c.status, c.iters)
			}
			if !isOf(r) || r.Objective.Sum() != c.costs[c.iters] {
				t.Errorf("after %d iterations: labels %v, model %+v, objective %v", r.Iterations, r.Labels, r.Model, r.Objective)
			}
			if len(r.Trace) != c.iters+1 {
				t.Fatalf("a trace of %d points for %d iterations", len(r.Trace), c.iters)
			}
			for i, p := range r.Trace {
				if p.Iter != i || p.Objective != c.costs[i] || p.Moved != 2*min(i, 1) {
					t.Errorf("point %d of the trace is %+v", i, p)
				}
			}
		})
	}
}

func TestRestartsKeepTheBest(t *testing.T) {
	a := &script{costs: [][]float64{{9, 6}, {9, 8, 3}, {7, 3}, {9, 5}}}
	r, err := cluster.Fit(background, line(5), a, settings(4, 10))
	if err != nil {
		t.Fatal(err)
	}
	if r.Run != 1 || r.Runs != 4 || r.Objective.Sum() != 3 || r.Iterations != 2 || !isOf(r) {
		t.Errorf("the result is %+v, the first of the best is run 1 with 3 after 2", r)
	}
}

func TestEachRunHasItsOwnStream(t *testing.T) {
	flat := slices.Repeat([][]float64{{1}}, 3)
	streams := func(seed uint64) []uint64 {
		a, s := &script{costs: flat}, settings(3, 1)
		s.Seed = seed
		if _, err := cluster.Fit(background, line(2), a, s); err != nil {
			t.Fatal(err)
		}
		return a.rand
	}
	one, again, two := streams(1), streams(1), streams(2)
	if !slices.Equal(one, again) {
		t.Error("the same seed gives other numbers")
	}
	seen := map[uint64]bool{}
	for _, x := range append(one, two...) {
		seen[x] = true
	}
	if len(seen) != 6 {
		t.Errorf("two seeds of three runs have only %d streams", len(seen))
	}
}

func TestObserverHearsEveryStageInOrder(t *testing.T) {
	type heard struct {
		run, iter int
		stage     string
		price     float64 // NaN: not said
	}
	listen := func(audit bool) (got []heard) {
		s := settings(2, 7)
		s.Audit = audit
		s.Observe = func(e cluster.Event) {
			h := heard{e.Run, e.Iter, e.Stage, -1}
			if e.Objective != nil {
				h.price = e.Objective.Sum()
			}
			if e.Restarts != 2 || e.MaxIter != 7 {
				t.Errorf("the event is of %d runs and %d iterations", e.Restarts, e.MaxIter)
			}
			got = append(got, h)
		}
		if _, err := cluster.Fit(background, line(5), &script{costs: [][]float64{{8, 4, 3}, {9}}}, s); err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := []heard{{0, 0, "start", 8}, {0, 1, "half", -1}, {0, 1, "rest", 4}, {0, 2, "half", -1}, {0, 2, "rest", 3}, {1, 0, "start", 9}}
	if got := listen(false); !reflect.DeepEqual(got, want) {
		t.Errorf("heard %v, wanted %v", got, want)
	}
	want[1].price, want[3].price = 6, 3.5
	if got := listen(true); !reflect.DeepEqual(got, want) {
		t.Errorf("in an audit heard %v, wanted %v", got, want)
	}
}

func TestAuditFindsFaults(t *testing.T) {
	honest := func(c float64) float64 { return c }
	for _, c := range []struct {
		name    string
		costs   []float64
		tracked func(float64) float64
		iter    int
		stage   string // "": nothing to find
	}{
		{"all well", []float64{8, 4, 3}, honest, 0, ""},
		{"all well, untracked", []float64{8, 4, 3}, nil, 0, ""},
		{"a rise", []float64{8, 4, 5}, nil, 2, "half"},
		{"a tracked rise", []float64{8, 4, 5}, honest, 2, "half"},
		{"rounding", []float64{8, 4, 4 * (1 + 1e-13)}, honest, 0, ""},
		{"a false claim", []float64{8, 4}, func(c float64) float64 { return c * 1.001 }, 0, "start"},
		{"a false claim later", []float64{8, 4}, func(c float64) float64 { return max(c, 4.5) }, 1, "rest"},
	} {
		s := settings(1, 10)
		s.Audit, s.Tol = true, -1
		r, err := cluster.Fit(background, line(5), &script{costs: [][]float64{c.costs}, tracked: c.tracked}, s)
		if c.stage == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var fault *cluster.AuditError
		if !errors.As(err, &fault) || r != nil {
			t.Errorf("%s: the result is %v, the error %v", c.name, r, err)
		} else if fault.Iter != c.iter || fault.Stage != c.stage {
			t.Errorf("%s: found in stage %q of iteration %d, it is in %q of %d", c.name, fault.Stage, fault.Iter, c.stage, c.iter)
		}
		s.Audit = false
		if _, err := cluster.Fit(background, line(5), &script{costs: [][]float64{c.costs}, tracked: c.tracked}, s); err != nil {
			t.Errorf("%s: without an audit there is an error too: %v", c.name, err)
		}
	}
}

func TestTrackedObjectiveIsTakenWithoutAudit(t *testing.T) {
	a := &script{costs: [][]float64{{8, 4}}, tracked: func(c float64) float64 { return c },
		price: func(context.Context, int, int) error { return errPlanted }}
	if _, err := cluster.Fit(background, line(3), a, settings(1, 5)); err != nil {
		t.Errorf("the objective was computed although the run tracks it: %v", err)
	}
}

// A run that knows what has changed is asked for all labels once, and then for
// the changes; the labels are those of the last iteration.
func TestRelabelingBringsLabelsUpToDate(t *testing.T) {
	calls := 0
	r, err := cluster.Fit(background, line(5), &script{costs: [][]float64{{9, 5, 4, 3}, {9, 8}}, relabels: &calls}, settings(2, 100))
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 0, 1, 0}; !slices.Equal(r.Labels, want) || calls != 3+1 {
		t.Errorf("labels %v after %d changes, want %v after 4", r.Labels, calls, want)
	}
}

func TestObjectiveMustBeFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, costs := range [][]float64{{bad}, {3, bad}} {
			r, err := cluster.Fit(background, line(3), &script{costs: [][]float64{costs}}, settings(1, 5))
			if err == nil || r != nil || !strings.Contains(err.Error(), "objective is") {
				t.Errorf("%v: result %v, error %v", costs, r, err)
			}
		}
	}
}

func TestErrorsOfAnAlgorithmReachTheCaller(t *testing.T) {
	one := [][]float64{{9, 5}}
	for name, a := range map[string]*script{
		"check":     {costs: one, check: errPlanted},
		"start":     {costs: one, start: func(context.Context, int) error { return errPlanted }},
		"stage":     {costs: one, stage: func(context.Context, int, int, string) error { return errPlanted }},
		"price":     {costs: one, price: func(context.Context, int, int) error { return errPlanted }},
		"price end": {costs: one, price: func(_ context.Context, _, iter int) error { return fail(iter == 1) }},
	} {
		if r, err := cluster.Fit(background, line(3), a, settings(1, 5)); !errors.Is(err, errPlanted) || r != nil {
			t.Errorf("%s: the result is %v, the error %v", name, r, err)
		}
	}
	// What was found before the fault is not lost, and its status stands.
	a := &script{costs: [][]float64{{9, 5}, {9, 1}}, stage: func(_ context.Context, run, _ int, _ string) error { return fail(run == 1) }}
	r, err := cluster.Fit(background, line(3), a, settings(3, 5))
	if !errors.Is(err, errPlanted) || r == nil || r.Run != 0 || r.Status != cluster.Converged || r.Runs != 2 {
		t.Errorf("a fault in the second run: the result is %+v, the error %v", r, err)
	}
}

func fail(yes bool) error {
	if yes {
		return errPlanted
	}
	return nil
}

func TestSettingsAreChecked(t *testing.T) {
	for name, tune := range map[string]func(*cluster.Settings){
		"restarts":  func(s *cluster.Settings) { s.Restarts = -1 },
		"max":       func(s *cluster.Settings) { s.MaxIter = -1 },
		"tolerance": func(s *cluster.Settings) { s.Tol = math.NaN() },
	} {
		s := cluster.Default()
		tune(&s)
		if _, err := cluster.Fit(background, line(3), &script{costs: [][]float64{{1}}}, s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCancelledStartHasNoResult(t *testing.T) {
	ctx, stop := context.WithCancel(background)
	a := &script{costs: [][]float64{{9, 5}}, start: func(ctx context.Context, _ int) error { stop(); return ctx.Err() }}
	if r, err := cluster.Fit(ctx, line(3), a, settings(5, 5)); r != nil || !errors.Is(err, context.Canceled) || a.runs != 1 {
		t.Errorf("the result is %v, the error %v after %d runs", r, err, a.runs)
	}
}

func TestCancelInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name        string
		run, iter   int
		stage       string
		wantRun     int
		wantIter    int
		wantRuns    int
		wantCost    float64
		wantPoints  int
		startIsLost bool
	}{
		{"first iteration", 0, 1, "half", 0, 0, 1, 9, 1, false},
		{"between the stages of the second", 0, 2, "rest", 0, 1, 1, 5, 2, false},
		{"a worse second run", 1, 1, "half", 0, 2, 2, 4, 3, false},
		{"a better second run", 1, 2, "rest", 1, 1, 2, 2, 2, false},
		{"the start of the third run", 2, 0, "", 1, 2, 3, 1, 3, true},
	} {
		ctx, stop := context.WithCancel(background)
		a := &script{
			costs: [][]float64{{9, 5, 4}, {8, 2, 1}, {7}},
			start: func(ctx context.Context, run int) error {
				if c.startIsLost && run == c.run {
					stop()
				}
				return ctx.Err()
			},
			stage: func(ctx context.Context, run, iter int, name string) error {
				if run == c.run && iter == c.iter && name == c.stage {
					stop()
				}
				return ctx.Err()
			},
		}
		r, err := cluster.Fit(ctx, line(5), a, settings(3, 10))
		stop()
		if !errors.Is(err, context.Canceled) || r == nil {
			t.Errorf("%s: the result is %v, the error %v", c.name, r, err)
			continue
		}
		if r.Status != cluster.Interrupted || r.Run != c.wantRun || r.Runs != c.wantRuns || r.Iterations != c.wantIter ||
			r.Objective.Sum() != c.wantCost || len(r.Trace) != c.wantPoints || !isOf(r) {
			t.Errorf("%s: the result is %+v", c.name, r)
		}
	}
}

func TestDeadlineIsATimeout(t *testing.T) {
	ctx, stop := context.WithTimeout(background, time.Millisecond)
	defer stop()
	a := &script{costs: [][]float64{{9, 5}}, stage: func(ctx context.Context, _, _ int, _ string) error { <-ctx.Done(); return ctx.Err() }}
	r, err := cluster.Fit(ctx, line(3), a, settings(1, 5))
	if !errors.Is(err, context.DeadlineExceeded) || r == nil || r.Status != cluster.Timeout || r.Objective.Sum() != 9 {
		t.Errorf("the result is %+v, the error %v", r, err)
	}
}

func TestSizes(t *testing.T) {
	r := &cluster.Result{Labels: []int{2, 0, 2, 2}}
	if got := r.Sizes(4); !slices.Equal(got, []int{1, 0, 3, 0}) {
		t.Errorf("sizes are %v", got)
	}
}

// refuser is an algorithm that does not like its parameters.
type refuser struct {
	script
	err error
}

func (r *refuser) Check(*cluster.Problem) error { return r.err }

func TestRefusedParametersAreToldFromBadProblems(t *testing.T) {
	why := errors.New("two sweeps too many")
	var parameter *cluster.ParameterError
	if _, err := cluster.Fit(background, line(5), &refuser{err: why}, settings(1, 1)); !errors.As(err, &parameter) || !errors.Is(err, why) {
		t.Errorf("a refused parameter: %v", err)
	}
	if _, err := cluster.Fit(background, line(5), &refuser{err: cluster.Problemf("x", "odd rows")}, settings(1, 1)); errors.As(err, &parameter) {
		t.Errorf("refused rows are called a parameter: %v", err)
	}
}

// A start that takes long says how far it is, a hundred times at most.
func TestStartReports(t *testing.T) {
	var said []float64
	s := settings(1, 3)
	s.Observe = func(e cluster.Event) {
		if e.Share > 0 {
			if e.Stage != "start" || e.Iter != 0 || e.Ended || e.Objective != nil {
				t.Errorf("the event is %+v", e)
			}
			said = append(said, e.Share)
		}
	}
	a := &reporting{script{costs: [][]float64{{8, 4}}}}
	if _, err := cluster.Fit(background, line(5), a, s); err != nil {
		t.Fatal(err)
	}
	if len(said) < 90 || len(said) > 100 || !slices.IsSorted(said) {
		t.Errorf("it said %v", said)
	}
	s.Observe = nil
	if _, err := cluster.Fit(background, line(5), &reporting{script{costs: [][]float64{{8, 4}}}}, s); err != nil {
		t.Fatal(err)
	}
}

// reporting is a script whose start takes a thousand steps.
type reporting struct{ script }

func (a *reporting) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	for step := range 1000 {
		e.Report(float64(step) / 1000)
	}
	return a.script.Start(ctx, p, e)
}
