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
	known := *p
	known.Checked, p = p.Graph, &known // for the fits within this one
	f := &fitting{p: p, a: a, s: s, runs: s.Restarts, enough: math.MaxInt, ignored: a.Capabilities().Ignored(p), starts: map[uint64]bool{}, shared: map[string]any{}}
	if s.Restarts == 0 {
		f.runs = AutoRestarts(p, a, s.Effort)
		if escapes(p, a, s.Effort) {
			f.enough = s.Effort.agreeing()
		}
	}
	last := -1 // the run that starts from the fit without constraints
	if f.comparesUnconstrained() {
		f.runs = max(2, f.runs)
		last = f.runs - 1
	}
	for run := 0; run < f.runs; run++ {
		if run != last && countLowest(f.reached) >= f.enough {
			continue
		}
		if err := f.runOnce(ctx, run, run == last); err != nil {
			return f.best, err
		}
	}
	return f.best, f.fallBack(ctx)
}

// fallBack replaces the best result if it is one that the constraints do not support.
func (f *fitting) fallBack(ctx context.Context) error {
	a, ok := f.a.(Fallbacker)
	if !ok || f.without == nil || f.best == nil || f.best.Stub {
		return nil
	}
	d := &descent{p: f.p, a: f.a, s: f.s, run: f.runs - 1, runs: f.runs, shared: f.shared}
	d.begin = func(env *Env) (Run, error) { return a.Fallback(ctx, f.p, env, f.best, f.without) }
	r, err := d.runRestart(ctx)
	if r != nil && err == nil {
		r.Runs, r.Distinct, r.Ignored = f.best.Runs, f.best.Distinct, f.best.Ignored
		f.best = r
	}
	return f.endedBy(ctx, err)
}

// fitting is one call of Fit.
type fitting struct {
	p       *Problem
	a       Algorithm
	s       Settings
	runs    int // at most
	enough  int // runs that reach the lowest objective
	ignored []Kind

	best    *Result
	made    int
	reached []float64       // objectives of the runs
	without *Result         // without constraints; nil: not looked for
	starts  map[uint64]bool // fingerprints of the first labels
	shared  map[string]any  // see Env.Once
}

// runOnce makes one run, from the fit without constraints if the last argument says
// so, and keeps its result if it is the best so far.
func (f *fitting) runOnce(ctx context.Context, run int, unconstrained bool) (err error) {
	d := &descent{p: f.p, a: f.a, s: f.s, run: run, runs: f.runs, shared: f.shared}
	if unconstrained {
		if d.without, err = f.fitUnconstrained(ctx, run); d.without == nil {
			return f.endedBy(ctx, err)
		}
		f.without = d.without
	}
	r, err := d.runRestart(ctx)
	if r != nil && (f.best == nil || f.best.Stub && !r.Stub || r.Objective.Sum() < f.best.Objective.Sum() && (f.best.Stub || !r.Stub)) {
		f.best = r
	}
	if d.out != nil {
		f.starts[d.start] = true
	}
	if f.made++; f.best != nil {
		f.best.Runs, f.best.Distinct, f.best.Ignored = f.made, len(f.starts), f.ignored
	}
	if err != nil {
		return f.endedBy(ctx, err)
	}
	f.reached = append(f.reached, r.Objective.Sum())
	if q, ok := d.r.(RunsEstimator); ok && f.runs == 1 && f.s.Restarts == 0 {
		f.runs = max(1, q.WorthwhileRuns())
	}
	return nil
}

// endedBy notes in the best result that ctx ended the fit, if it did.
func (f *fitting) endedBy(ctx context.Context, err error) error {
	if f.best != nil && ctx.Err() != nil {
		f.best.Status = stopStatus(ctx.Err())
	}
	return err
}

// descent is one run of Fit.
type descent struct {
	p         *Problem
	a         Algorithm
	s         Settings
	run, runs int                     // which, and how many there are at most
	without   *Result                 // what to start from; nil: as the algorithm starts
	begin     func(*Env) (Run, error) // another start; nil: none. It may return no run

	shared map[string]any // see Env.Once

	r     Run
	out   *Result
	start uint64  // fingerprint of the first labels
	last  float64 // the objective at the last audited stage
}

// startStage is the stage of the events of a start.
const startStage = "start"

func (d *descent) runRestart(ctx context.Context) (*Result, error) {
	asked := d.s
	asked.Observe, asked.Audit = nil, false
	source := rand.NewPCG(d.s.Seed, uint64(d.run))
	env := &Env{Rand: rand.New(source), Workers: d.s.Workers, Effort: d.s.Effort, Run: d.run, Settings: &asked, shared: d.shared, source: source}
	if d.s.Observe != nil {
		said := 0.0
		env.report = func(share float64) {
			if share >= said+0.01 {
				said = share
				d.notify(Event{Stage: startStage, Share: share})
			}
		}
	}
	var err error
	if d.begin != nil {
		if d.r, err = d.begin(env); err == nil && d.r == nil {
			return nil, nil
		}
	} else if d.without != nil {
		d.r, err = d.a.(ResultStarter).StartFromResult(ctx, d.p, env, d.without)
	} else {
		d.r, err = d.a.Start(ctx, d.p, env)
	}
	if err != nil {
		return nil, asProblemError(err)
	}
	d.out, d.last = &Result{Run: d.run, soft: !d.a.Capabilities().Hard}, math.Inf(1)
	terms, err := d.objectiveAfter(ctx, 0, startStage, true)
	if err != nil {
		return nil, err
	}
	d.record(terms, 0)
	d.start = partitionHash(d.out.Labels, d.p.K)
	d.notify(Event{Stage: startStage, Ended: true, Objective: terms})
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
	if q, ok := d.r.(Stub); ok {
		o.Stub = q.IsStub()
	}
	if q, ok := d.r.(Grader); ok {
		o.Membership, o.Outlier = q.Memberships(), q.Outliers()
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
	e.Run, e.Restarts, e.MaxIter, e.Objective = d.run, d.runs, d.s.MaxIter, slices.Clone(e.Objective)
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
// the first run of a fit: further ones would repeat it. When ctx ends it returns the
// best so far without an error, so that the fit that waits for it has a start.
func (e *Env) FitUnconstrained(ctx context.Context, p *Problem, a Algorithm) (*Result, error) {
	q := *p
	q.Constraints = nil
	s := Default()
	s.Effort, s.Workers = e.Effort, e.Workers
	if e.Settings != nil {
		s.Seed, s.Memory, s.Restarts = e.Settings.Seed, e.Settings.Memory, e.Settings.Restarts
	}
	r, err := Fit(ctx, &q, a, s)
	if r != nil && ctx.Err() != nil {
		err = nil
	}
	return r, err
}
