package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// The parts of a descent know only those before them.
func TestPartsKnowOnlyThoseBefore(t *testing.T) {
	parts := []reflect.Type{reflect.TypeFor[labelling](), reflect.TypeFor[totals](), reflect.TypeFor[assignment](), reflect.TypeFor[metricStep](), reflect.TypeFor[descent]()}
	known := map[reflect.Type]bool{}
	for _, part := range parts {
		for f := range part.Fields() {
			if to := f.Type; to.Kind() == reflect.Pointer && slices.Contains(parts, to.Elem()) && !known[to.Elem()] {
				t.Errorf("%s knows %s", part.Name(), to.Elem().Name())
			}
		}
		known[part] = true
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// What a labelling adds up to follows the points that move: it is what everything read again gives.
func TestTotalsFollowMoves(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		r, rng := entangled(t, a, 400, 1), rand.New(rand.NewPCG(8, 8))
		for step := range 5 {
			for range 30 {
				r.moveTo(rng.IntN(400), int32(rng.IntN(6)), nil)
			}
			if err := r.updateTotals(ctx, false); err != nil {
				t.Fatal(err)
			}
			whole := lloyd.NewKeptSums(6, r.p.X.Dim())
			if _, err := whole.Update(ctx, r.e, r.p.Problem, nil, r.labels, nil); err != nil {
				t.Fatal(err)
			}
			for q := range whole.Sum {
				if !near(whole.Sum[q], r.sums.Sum[q]) {
					t.Fatalf("%s, step %d: sum %d is %v, not %v", name, step, q, r.sums.Sum[q], whole.Sum[q])
				}
			}
			want, err := r.Objective(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for q, term := range r.Tracked() {
				if !near(term.Value, want[q].Value) {
					t.Errorf("%s, step %d: %s is %v, not %v", name, step, term.Name, term.Value, want[q].Value)
				}
			}
		}
	}
}

// A learned metric never raises the objective, and what points cost under it is right.
func TestMetricStepLowersTheObjective(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		if form, _ := a.Metric.Form(); form.String() == "none" {
			continue
		}
		r := entangled(t, a, 400, 1)
		if err := r.updateTotals(ctx, true); err != nil {
			t.Fatal(err)
		}
		learned := false
		for range 3 {
			if _, err := r.updateMeans(ctx); err != nil {
				t.Fatal(err)
			}
			before, err := r.Objective(ctx)
			if err != nil {
				t.Fatal(err)
			}
			was := r.model.Metric
			if _, err := r.learnMetric(ctx); err != nil {
				t.Fatal(err)
			}
			after, err := r.Objective(ctx)
			if err != nil {
				t.Fatal(err)
			}
			learned = learned || r.model.Metric != was
			if after.Sum() > before.Sum()+1e-9*math.Abs(before.Sum()) {
				t.Errorf("%s: a metric raised the objective from %v to %v", name, before.Sum(), after.Sum())
			}
			if !r.cost.NeedsMeasuring() && !near(r.cost.Cost, after[0].Value-r.p.ZeroMass/2) {
				t.Errorf("%s: points cost %v under the metric, not %v", name, r.cost.Cost, after[0].Value)
			}
			if _, err := r.assign(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if !learned {
			t.Errorf("%s learned no metric, so nothing was tested", name)
		}
	}
}

// Whatever a trial did, a descent returns to where it was.
func TestReturnToASnapshot(t *testing.T) {
	ctx := context.Background()
	for name, a := range withMoveCost() {
		r, rng := entangled(t, a, 400, 1), rand.New(rand.NewPCG(9, 9))
		if err := r.updateTotals(ctx, true); err != nil {
			t.Fatal(err)
		}
		labels, bad, terms, told := slices.Clone(r.labels), slices.Clone(r.violationCount), slices.Clone(r.terms), r.Labels()
		saved := r.saveState()
		for range 2 {
			for range 50 {
				r.moveTo(rng.IntN(400), int32(rng.IntN(6)), nil)
			}
			for _, do := range []func(context.Context) (int, error){r.updateMeans, r.learnMetricIfAny, r.assign} {
				if _, err := do(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if slices.Equal(r.labels, labels) {
				t.Fatalf("%s: no point moved, so nothing is tested", name)
			}
			if err := r.restoreState(ctx, saved); err != nil {
				t.Fatal(err)
			}
			r.Relabel(told)
			if !slices.Equal(r.labels, labels) || !slices.Equal(r.violationCount, bad) || !slices.Equal(r.terms, terms) || !slices.Equal(told, r.Labels()) {
				t.Errorf("%s: the descent did not return", name)
			}
			if again, err := r.Objective(ctx); err != nil || !near(again.Sum(), terms.Sum()) {
				t.Errorf("%s: the objective is %v, it was %v", name, again.Sum(), terms.Sum())
			}
		}
	}
}

func (r *descent) learnMetricIfAny(ctx context.Context) (int, error) {
	if !r.model.learned() {
		return 0, nil
	}
	return r.learnMetric(ctx)
}
