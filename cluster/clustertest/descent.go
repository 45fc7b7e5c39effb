package clustertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// objectiveNeverRises audits runs from several starts to convergence: every
// stage, recomputed from labels and model, on plain and on weighted points.
func (u *suite) objectiveNeverRises(a cluster.Algorithm) error {
	p := hard()
	weighted := *p
	weighted.Weight = make([]float64, p.Len())
	for i := range weighted.Weight {
		weighted.Weight[i] = float64(i % 4)
	}
	for at, q := range []*cluster.Problem{p, &weighted} {
		for seed := range longtest.Size[uint64](2, 2, 3) {
			if !longtest.Full() && seed != uint64(at) {
				continue
			}
			_, err := u.fit(q, a, func(s *cluster.Settings) { s.Seed, s.Audit, s.Tol = seed, true, 0 })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func traceIsOfTheResult(a cluster.Algorithm) error {
	p := hard()
	var observed []float64
	r, err := fit(p, a, func(s *cluster.Settings) {
		s.Restarts = 1
		s.Observe = func(e cluster.Event) {
			if e.Objective != nil {
				observed = append(observed, e.Objective.Sum())
			}
		}
	})
	if err != nil {
		return err
	}
	if len(r.Trace) != r.Iterations+1 {
		return fmt.Errorf("%d iterations and the start have a trace of %d", r.Iterations, len(r.Trace))
	}
	for i, t := range r.Trace {
		if i >= len(observed) || t.Objective != observed[i] || t.Iter != i {
			return fmt.Errorf("the trace %v is not what the observer received: %v", r.Trace, observed)
		}
	}
	if last := r.Trace[r.Iterations].Objective; last != r.Objective.Sum() {
		return fmt.Errorf("the trace ends at %v, the objective is %v", last, r.Objective.Sum())
	}
	return nil
}

// labelsFitModel stops runs early, when one more step still changes much, and
// places the points again: those without constraints must get their
// labels back.
func (u *suite) labelsFitModel(a cluster.Algorithm) error {
	p := hard()
	for limit := range 5 {
		last := 0
		r, err := u.fit(p, a, func(s *cluster.Settings) {
			s.MaxIter = limit
			s.Observe = func(e cluster.Event) { last = max(last, e.Iter) }
		})
		if err != nil {
			return err
		}
		if r.Model == nil {
			break // it places no points
		}
		if err := placesAlike(p, r.Model, r.Labels); err != nil {
			return fmt.Errorf("after %d iterations: %w", r.Iterations, err)
		}
		if last < limit {
			break // every run ended by itself: a higher limit changes nothing
		}
	}
	return nil
}

func placesAlike(p *cluster.Problem, m cluster.Model, labels []int) error {
	if m == nil {
		return nil
	}
	got, err := cluster.Predict(background, m, p.X, 2)
	if err != nil {
		return err
	}
	for i, ok := range free(p) {
		if ok && got[i] != labels[i] {
			return fmt.Errorf("the model places point %d in cluster %d, its label is %d", i, got[i], labels[i])
		}
	}
	return nil
}

func (u *suite) modelSurvivesDisk(a cluster.Algorithm) error {
	p := hard()
	r, err := u.hardFit(a)
	if err != nil || r.Model == nil {
		return err
	}
	b, err := json.Marshal(r.Model)
	if err != nil {
		return err
	}
	m := reflect.New(reflect.TypeOf(r.Model).Elem()).Interface()
	if err := json.Unmarshal(b, m); err != nil {
		return err
	}
	return placesAlike(p, m.(cluster.Model), r.Labels)
}

// cancelReturnsBestSoFar cancels at every moment at which an observer can, and
// wants exactly what a run with that many iterations returns.
func cancelReturnsBestSoFar(a cluster.Algorithm) error {
	p := hard()
	whole := map[int]*cluster.Result{} // by iterations: many moments have the same
	for at := range 7 {
		ctx, stop := context.WithCancel(background)
		events := 0
		s := settings()
		s.Restarts, s.Tol = 1, -1
		s.Observe = func(e cluster.Event) {
			if e.Share > 0 {
				return // the start goes on: there is nothing so far
			}
			if events == at {
				stop()
			}
			events++
		}
		got, err := cluster.Fit(ctx, p, a, s)
		stop()
		if err == nil && events <= at {
			return nil // it ended by itself before that moment
		}
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("cancelled at event %d, the error is %v", at, err)
		}
		if got == nil || got.Status != cluster.Interrupted {
			return fmt.Errorf("cancelled at event %d, the result is %+v", at, got)
		}
		want := whole[got.Iterations]
		if want == nil {
			want, err = fit(p, a, func(s *cluster.Settings) { s.Restarts, s.Tol, s.MaxIter = 1, -1, got.Iterations })
			if err != nil {
				return err
			}
			whole[got.Iterations] = want
		}
		if err := same(want, got); err != nil {
			return fmt.Errorf("cancelled in iteration %d: %w", got.Iterations, err)
		}
	}
	return nil
}

// startsWithoutTime wants a clustering, if a poor one, even from a context that
// has ended before the start: otherwise a short time limit gives nothing.
func startsWithoutTime(a cluster.Algorithm) error {
	p := hard()
	ctx, stop := context.WithCancel(background)
	stop()
	r, err := cluster.Fit(ctx, p, a, settings())
	if !errors.Is(err, context.Canceled) || r == nil {
		return fmt.Errorf("without time the result is %v and the error %v", r, err)
	}
	if err := wellFormed(p, a, r); err != nil {
		return err
	}
	return placesAlike(p, r.Model, r.Labels)
}

func timeoutIsReported(a cluster.Algorithm) error {
	p := hard()
	ctx, stop := context.WithCancel(background)
	defer stop()
	s := settings()
	s.Restarts = 1_000_000
	s.Observe = func(e cluster.Event) {
		if e.Run == 1 && e.Iter == 0 { // the second run has begun: let the time be over
			stop()
		}
	}
	r, err := cluster.Fit(&deadline{Context: ctx, stop: stop, looks: 5000}, p, a, s)
	if !errors.Is(err, context.DeadlineExceeded) || r == nil || r.Status != cluster.Timeout {
		return fmt.Errorf("when time is over the result is %v and the error %v", r, err)
	}
	return wellFormed(p, a, r)
}

// deadline is a context that says, once cancelled, that its time is over, so that no
// test depends on a clock. It ends by itself after so many looks at it: a method that
// makes the restarts of a fit of its own within its start shows nobody a second run.
type deadline struct {
	context.Context
	stop  func()
	looks int64
}

func (d *deadline) Err() error {
	if atomic.AddInt64(&d.looks, -1) < 0 {
		d.stop()
	}
	if d.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}
