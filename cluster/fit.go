package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Fit runs a on p and returns the best run. When ctx ends early Fit returns the
// best so far and ctx's error; the result is nil only if ctx ended before the
// first run had started. A fault of the algorithm ends the fit too: its error
// comes with the best of the runs before, or with nil.
//
// What is wrong with p is a *ProblemError, what is wrong with a or s a
// *ParameterError. Fit changes neither p nor a, and the result holds on to
// nothing of p: any number of fits may share both.
func Fit(ctx context.Context, p *Problem, a Algorithm, s Settings) (*Result, error) {
	if err := check(ctx, p, a, s); err != nil {
		return nil, err
	}
	if s.Restarts == 0 {
		s.Restarts = AutoRestarts(p, a)
	}
	ignored := a.Capabilities().Ignored(p)
	var best *Result
	for run := range s.Restarts {
		r, err := (&descent{p: p, a: a, s: s, run: run}).do(ctx)
		if r != nil && (best == nil || r.Objective.Sum() < best.Objective.Sum()) {
			best = r
		}
		if best != nil {
			best.Runs, best.Ignored = run+1, ignored
		}
		if err != nil {
			if best != nil && ctx.Err() != nil {
				best.Status = stopped(ctx.Err())
			}
			return best, err
		}
	}
	return best, nil
}

// descent is one run of Fit.
type descent struct {
	p   *Problem
	a   Algorithm
	s   Settings
	run int

	r    Run
	out  *Result
	last float64 // the objective that an audit saw last
}

func (d *descent) do(ctx context.Context) (*Result, error) {
	env := &Env{Rand: rand.New(rand.NewPCG(d.s.Seed, uint64(d.run))), Workers: d.s.Workers}
	var err error
	if d.r, err = d.a.Start(ctx, d.p, env); err != nil {
		return nil, blame(err)
	}
	d.out, d.last = &Result{Run: d.run}, math.Inf(1)
	terms, err := d.price(ctx, 0, "start", true)
	if err != nil {
		return nil, err
	}
	d.keep(terms, 0)
	d.tell(0, "start", 0, terms)
	for d.out.Status == "" {
		if err := ctx.Err(); err != nil {
			d.out.Status = stopped(err)
			return d.out, err
		}
		if err := d.iterate(ctx); err != nil {
			if ctx.Err() == nil {
				return nil, blame(err)
			}
			d.out.Status = stopped(ctx.Err())
			return d.out, ctx.Err()
		}
	}
	return d.out, nil
}

// iterate makes one iteration, or finds that there is none to make.
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
		if err := ctx.Err(); err != nil { // a stage need not look at once
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
			if terms, err = d.price(ctx, iter, st.Name, last); err != nil {
				return err
			}
		}
		if last {
			d.out.Iterations = iter
			d.keep(terms, moved)
		}
		d.tell(iter, st.Name, m, terms)
	}
	if was-d.out.Objective.Sum() <= d.s.Tol*math.Abs(was) {
		d.out.Status = Converged
	}
	return nil
}

// price returns the objective after the named stage, audited if asked. Only at
// the end of an iteration is what the run tracked by itself of use.
func (d *descent) price(ctx context.Context, iter int, stage string, end bool) (Terms, error) {
	t, tracks := d.r.(Tracker)
	var tracked Terms
	if tracks && end {
		if tracked = t.Tracked(); !d.s.Audit {
			return tracked, d.finite(iter, stage, tracked)
		}
	}
	terms, err := d.r.Objective(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.finite(iter, stage, terms); err != nil || !d.s.Audit {
		return terms, err
	}
	now := terms.Sum()
	fault := AuditError{Run: d.run, Iter: iter, Stage: stage, Was: d.last, Now: now}
	slack := 1e-9*math.Abs(now) + 1e-12 // rounding, no more
	switch {
	case now > d.last+slack:
		fault.What = "raised the objective"
		return nil, &fault
	case tracked != nil && math.Abs(tracked.Sum()-now) > slack:
		fault.What, fault.Was = "claims another objective than its labels and model have", tracked.Sum()
		return nil, &fault
	}
	d.last = now
	return terms, nil
}

func (d *descent) finite(iter int, stage string, t Terms) error {
	if x := t.Sum(); math.IsNaN(x) || math.IsInf(x, 0) {
		field, what := extreme(d.p)
		return Problemf(field, "the objective is %v after %s of iteration %d (run %d); %s", x, stage, iter, d.run, what)
	}
	return nil
}

// keep records the iteration that has just ended, so that a stage cut short
// cannot leave labels of one iteration with a model of another.
func (d *descent) keep(t Terms, moved int) {
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
	o.Trace = append(o.Trace, Point{Iter: o.Iterations, Objective: t.Sum(), Moved: moved})
}

func (d *descent) tell(iter int, stage string, moved int, t Terms) {
	if d.s.Observe != nil {
		d.s.Observe(Event{Run: d.run, Restarts: d.s.Restarts, Iter: iter, MaxIter: d.s.MaxIter, Stage: stage, Moved: moved, Objective: slices.Clone(t)})
	}
}

func stopped(err error) Status {
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Interrupted
}

// An AuditError is a fault of an algorithm that an audited fit found.
type AuditError struct {
	Run, Iter int
	Stage     string
	What      string
	Was, Now  float64
}

func (e *AuditError) Error() string {
	return fmt.Sprintf("run %d, iteration %d: stage %q %s: %v, then %v", e.Run, e.Iter, e.Stage, e.What, e.Was, e.Now)
}
