package cluster

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// Fit runs a on p and returns the best run. When ctx ends early Fit returns the
// best so far and ctx's error; the result is nil only if ctx ended before the
// first run had started. An error of the algorithm ends the fit too: it is returned
// with the best of the runs before, or with nil.
//
// What is wrong with p is a *ProblemError, what is wrong with a or s a
// *ParameterError. Fit changes neither p nor a, and the result refers to nothing of p
// but its graph: any number of fits may share both.
func Fit(ctx context.Context, p *Problem, a Algorithm, s Settings) (*Result, error) {
	if err := checkFit(ctx, p, a, s); err != nil {
		return nil, err
	}
	asked := s
	asked.Observe, asked.Audit = nil, false
	enough := math.MaxInt // runs that reach the lowest objective
	if s.Restarts == 0 {
		s.Restarts = AutoRestarts(p, a, s.Effort)
		if escapes(p, a, s.Effort) {
			enough = s.Effort.agreeing()
		}
	}
	ignored := a.Capabilities().Ignored(p)
	var best *Result
	var reached []float64 // objectives of the runs
	for run := range s.Restarts {
		if countLowest(reached) >= enough {
			break
		}
		r, err := (&descent{p: p, a: a, s: s, asked: asked, run: run}).runRestart(ctx)
		if r != nil && (best == nil || r.Objective.Sum() < best.Objective.Sum()) {
			best = r
		}
		if best != nil {
			best.Runs, best.Ignored = run+1, ignored
		}
		if err != nil {
			if best != nil && ctx.Err() != nil {
				best.Status = stopStatus(ctx.Err())
			}
			return best, err
		}
		reached = append(reached, r.Objective.Sum())
	}
	return best, nil
}

// descent is one run of Fit.
type descent struct {
	p   *Problem
	a   Algorithm
	s   Settings
	run int

	asked Settings // as the caller gave them, for Env

	r    Run
	out  *Result
	last float64 // the objective at the last audited stage
}

func (d *descent) runRestart(ctx context.Context) (*Result, error) {
	env := &Env{Rand: rand.New(rand.NewPCG(d.s.Seed, uint64(d.run))), Workers: d.s.Workers, Effort: d.s.Effort, Run: d.run, Settings: &d.asked}
	var err error
	if d.r, err = d.a.Start(ctx, d.p, env); err != nil {
		return nil, asProblemError(err)
	}
	d.out, d.last = &Result{Run: d.run, soft: !d.a.Capabilities().Hard}, math.Inf(1)
	terms, err := d.objectiveAfter(ctx, 0, "start", true)
	if err != nil {
		return nil, err
	}
	d.record(terms, 0)
	d.notify(Event{Stage: "start", Ended: true, Objective: terms})
	for d.out.Status == "" {
		if err := ctx.Err(); err != nil {
			d.out.Status = stopStatus(err)
			return d.out, err
		}
		if err := d.iterate(ctx); err != nil {
			if ctx.Err() == nil {
				return nil, asProblemError(err)
			}
			d.out.Status = stopStatus(ctx.Err())
			return d.out, ctx.Err()
		}
	}
	return d.out, nil
}

// iterate makes one iteration, or sets the status if the run has ended.
func (d *descent) iterate(ctx context.Context) error {
	stages := d.r.Stages()
	if len(stages) == 0 {
		d.out.Status = Converged
		return nil
	}
	if d.out.Iterations == d.s.MaxIter {
		d.out.Status = IterLimit
		return nil
	}
	iter, was, moved := d.out.Iterations+1, d.out.Objective.Sum(), 0
	for i, st := range stages {
		if err := ctx.Err(); err != nil { // a stage need not check the context at its start
			return err
		}
		m, err := st.Do(ctx)
		if err != nil {
			return err
		}
		moved += m
		var terms Terms
		last := i == len(stages)-1
		if last || d.s.Audit {
			if terms, err = d.objectiveAfter(ctx, iter, st.Name, last); err != nil {
				return err
			}
		}
		if last {
			d.out.Iterations = iter
			d.record(terms, moved)
		}
		d.notify(Event{Iter: iter, Stage: st.Name, Moved: m, Ended: last, Objective: terms})
	}
	if was-d.out.Objective.Sum() <= d.s.Tol*math.Abs(was) {
		d.out.Status = Converged
	}
	return nil
}

// objectiveAfter returns the objective after the named stage, audited if the
// settings ask for it. What a Tracker computed counts only at the end of an
// iteration.
func (d *descent) objectiveAfter(ctx context.Context, iter int, stage string, end bool) (Terms, error) {
	t, tracks := d.r.(Tracker)
	var tracked Terms
	if tracks && end {
		if tracked = t.Tracked(); !d.s.Audit {
			return tracked, d.checkFinite(iter, stage, tracked)
		}
	}
	terms, err := d.r.Objective(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.checkFinite(iter, stage, terms); err != nil || !d.s.Audit {
		return terms, err
	}
	now := terms.Sum()
	found := AuditError{Run: d.run, Iter: iter, Stage: stage, Was: d.last, Now: now}
	slack := 1e-9*math.Abs(now) + 1e-12 // for rounding
	switch {
	case now > d.last+slack:
		found.What = "raised the objective"
		return nil, &found
	case tracked != nil && math.Abs(tracked.Sum()-now) > slack:
		found.What, found.Was = "reports an objective that differs from that of its labels and model", tracked.Sum()
		return nil, &found
	}
	d.last = now
	return terms, nil
}

func (d *descent) checkFinite(iter int, stage string, t Terms) error {
	if x := t.Sum(); math.IsNaN(x) || math.IsInf(x, 0) {
		field, what := findExtremeValue(d.p)
		return Problemf(field, "the objective is %v after %s of iteration %d (run %d); %s", x, stage, iter, d.run, what)
	}
	return nil
}

// record copies the iteration that has just ended into the result, so that an
// interrupted stage cannot leave labels of one iteration with a model of another.
func (d *descent) record(t Terms, moved int) {
	o := d.out
	switch r, ok := d.r.(Relabeler); {
	case !ok:
		o.Labels = append(o.Labels[:0], d.r.Labels()...)
	case o.Labels == nil:
		o.Labels = r.Labels()
	default:
		r.Relabel(o.Labels)
	}
	o.Model, o.Objective = d.r.Model(), slices.Clone(t)
	if l, ok := d.r.(Reporter); ok {
		o.Learned = l.Learned()
	}
	if q, ok := d.r.(Pricer); ok {
		o.pricing = q.Pricing()
	}
	o.Trace = append(o.Trace, Point{Iter: o.Iterations, Objective: t.Sum(), Moved: moved})
}

// notify reports a stage to the observer.
func (d *descent) notify(e Event) {
	if d.s.Observe == nil {
		return
	}
	e.Run, e.Restarts, e.MaxIter, e.Objective = d.run, d.s.Restarts, d.s.MaxIter, slices.Clone(e.Objective)
	d.s.Observe(e)
}

func stopStatus(err error) Status {
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Interrupted
}

// FitUnconstrained returns what Fit finds by a on p without its constraints, with
// the seed, restarts and effort of the fit that e belongs to and the default limits:
// a start must not depend on how many iterations follow. From there a run with
// constraints ends no higher than the clusters that are found without them. It is for
// the first run of a fit: further ones would repeat it.
func (e *Env) FitUnconstrained(ctx context.Context, p *Problem, a Algorithm) (*Result, error) {
	q := *p
	q.Constraints = nil
	s := Default()
	s.Effort, s.Workers = e.Effort, e.Workers
	if e.Settings != nil {
		s.Seed, s.Restarts = e.Settings.Seed, e.Settings.Restarts
	}
	return Fit(ctx, &q, a, s)
}
