package door

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/effect"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/saved"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Cluster clusters the rows of t. Nil constraints are those of t's label column.
//
// When ctx ends during the fit, Cluster returns the best result so far and ctx's
// error; when it ends before there is one worth having, the result is nil.
// Options.Timeout ends the call without an error where there is such a result, and
// with a *TimeLimitError where there is none. An *OptionError, *InputError or
// *ConstraintError says what is wrong with what was given; any other error is an
// internal error.
func Cluster(ctx context.Context, t *Table, c *Constraints, o Options) (*Result, error) {
	limited := ctx
	if o.Timeout > 0 && ctx != nil {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	j, err := newJob(limited, t, c, o)
	if err == nil {
		limited, err = j.useDevice(limited)
		defer j.device.Close()
	}
	switch {
	case err != nil:
	case o.Method == MethodAnswers:
		err = j.fitAnswers(limited)
	default:
		if j.labelsBeside() {
			d := j.device
			j, err = j.decideBesideText(limited)
			j.device = d
		} else {
			err = j.decide(limited)
		}
		if err == nil {
			err = j.deliver(limited)
		}
		if err == nil {
			err = j.moveConcerned(limited)
		}
	}
	if failed := j.deviceFailure(); failed != nil {
		return nil, failed
	}
	switch {
	case ctx == nil || err != nil && limited.Err() == nil:
		return nil, err
	case err == nil && j.fitted != nil:
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	default:
		return nil, &TimeLimitError{Limit: o.Timeout}
	}
	if o.Unconstrained && ctx.Err() == nil {
		j.fitWithout(limited)
	}
	j.findSuspects(limited)
	reliability := j.judgeReliability(limited)
	if err := j.deviceFailure(); err != nil {
		return nil, err
	}
	j.sayDevice()
	r, err := j.result()
	if err != nil {
		return nil, err
	}
	r.Reliability = reliability
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	return r, nil
}

// decide prepares the points and decides how they are clustered.
func (j *job) decide(ctx context.Context) error {
	if err := j.prepare(ctx); err != nil {
		return err
	}
	if err := j.beRobust(ctx); err != nil {
		return err
	}
	return j.settle(ctx)
}

// NewProblem prepares t, c and the views as Cluster does and returns the problem
// that it would fit, for programs that use package cluster themselves. id returns
// the id of a row of the problem. K is 0 where neither o nor the labels say it.
func NewProblem(ctx context.Context, t *Table, c *Constraints, o Options) (p *cluster.Problem, id func(row int) string, err error) {
	j, err := newJob(ctx, t, c, o)
	if err != nil {
		return nil, nil, err
	}
	j.scaleAlone()
	if err := j.prepare(ctx); err != nil {
		return nil, nil, err
	}
	j.p.Constraints = j.known.set
	if j.p.K == 0 {
		j.p.K = j.known.set.Classes()
	}
	return j.p, j.known.name, nil
}

// scaleAlone settles the scale where it is chosen with the method. Fits are of other rows then, which these must not take the place of.
func (j *job) scaleAlone() {
	if j.choosesScale() {
		j.o.Kept = nil
	}
	j.o.Scale = cmp.Or(j.o.Scale, prepare.Auto)
}

// A job is one call of Cluster: what it was given, then what became of it.
type job struct {
	t        *Table
	c        *Constraints
	o        Options
	notes    notes
	settings cluster.Settings
	device   *device.Device // nil: the cores

	known    *bound
	recipe   *prepare.Recipe     // nil for graphs and kernels
	rows     []int               // of the table that are left; nil: all
	parts    *prepare.GraphParts // of a graph
	unplaced noPlace             // rows that have nothing to be placed by
	p        *cluster.Problem
	method   catalog.Method
	alg      *configured
	frequent int              // words of texts to leave out beside stop words
	ks       []int            // numbers of clusters to choose from; nil: k is settled
	beyond   int              // up to where larger ones may be tried; 0: none
	chosen   *Choice          // nil: the method was asked for
	kept     *cluster.Problem // without doubtful constraints, where such a fit was chosen
	scaled   prepare.Scale    // as chosen; "": as prepared
	settled  []Suspect        // constraints left out because they contradict others
	fitted   *cluster.Result
	honoured bool            // rows of constraints moved where a fit without constraints was chosen
	unmoved  *cluster.Result // the fit before rows moved to satisfy constraints; nil: none did
	without  *cluster.Result // the fit without constraints, where it was asked for

	whole   *assignment // with the noise, where the method found the number of clusters or left some
	outlier []float64   // by row of the table: how far outside of all clusters; nil: the method does not say it

	answered *Answered // what answers changed, where the method is "answers"
	looks    *looks    // of the clusters without answers

	memory   *suspect.Memory
	verdicts *suspect.Report // on the constraints, where they were judged
	judged   *bound          // those that they are on, where they are not all in known
}

func (j *job) progress(p Progress) {
	if j.o.Progress != nil {
		j.o.Progress(p)
	}
}

func newJob(ctx context.Context, t *Table, c *Constraints, o Options) (*job, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	j := &job{t: t, o: o, settings: o.settings(), memory: &suspect.Memory{}}
	j.settings.Memory = dataio.AvailableMemory()
	j.notes.tell = o.Notify
	var err error
	if j.c, err = constraintsOn(t, c, &j.notes); err != nil {
		return nil, err
	}
	return j, ctx.Err()
}

// prepare brings the rows, the constraints and the views into the form that a
// method takes.
func (j *job) prepare(ctx context.Context) (err error) {
	j.progress(Progress{Stage: StagePreparing})
	j.warnIneffective()
	j.p = &cluster.Problem{Graph: j.t.ds.Graph, Kernel: j.t.ds.Kernel, K: j.o.K, Derived: j.o.Kept.Derived()}
	if err := j.chooseWords(ctx); err != nil {
		return err
	}
	j.chooseDirection()
	options := j.prepareOptions()
	if j.t.Input() == cluster.InputRows {
		recipe, ready, err := j.o.Kept.Fit(j.t.ds, options)
		if err != nil {
			return err
		}
		for _, note := range ready.Notes {
			j.notes.say("%s: %s", j.t.Name(), note)
		}
		j.recipe = recipe
		j.takeReady(ready)
	}
	if err := j.takeComponents(); err != nil {
		return err
	}
	if j.p.Weight = j.t.weight; j.p.Weight != nil && j.rows != nil && len(j.p.Weight) == j.t.Len() {
		j.p.Weight = make([]float64, len(j.rows))
		for at, i := range j.rows {
			j.p.Weight[at] = j.t.weight[i]
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := j.c.Err(); err != nil {
		return err
	}
	j.known = j.c.bind(j.rows)
	if n := j.known.dropped; n > 0 && !j.placesSmall() {
		j.notes.warn("ignored %s on %s", format.Count(n, "constraint"), j.leftOut())
	}
	from := &viewReader{t: j.t, name: j.known.name, n: j.p.Len(), prep: options, notes: &j.notes}
	j.p.Views, err = from.readAll(ctx, j.o.Views)
	return err
}

func (j *job) prepareOptions() prepare.Options {
	o := prepare.Options{Scale: j.o.Scale, Missing: j.t.prepareMissing(), StopWords: j.o.StopWords, Frequent: j.frequent, MinDF: j.o.MinDF,
		MaxDF: j.o.MaxDF, MaxFeatures: j.o.MaxFeatures, NGrams: j.o.NGrams, Workers: j.o.Workers, Plan: j.t.plan, Known: j.c.knownClasses()}
	if o.Scale == "" && !j.choosesScale() {
		o.Scale = prepare.Auto
	}
	if d := j.o.Parameters["distortion"]; o.Scale == prepare.Auto && j.o.Scale == "" && d != nil && d != "euclidean" {
		o.Scale = prepare.None // divergences need the values as they are
	}
	return o
}

// choosesScale reports whether rows are scaled as the method is chosen. Where columns
// are of several kinds the plan of the columns decides.
func (j *job) choosesScale() bool {
	return j.o.Scale == "" && j.o.automatic() && !j.t.plan.Settled()
}

// warnIneffective warns of options that do nothing for data of this kind.
func (j *job) warnIneffective() {
	columns := map[string]bool{"scale": j.o.Scale != "", "missing": j.t.missing != ""}
	texts := map[string]bool{"stop-words": j.o.StopWords != "", "min-df": j.o.MinDF > 0, "max-df": j.o.MaxDF > 0, "max-features": j.o.MaxFeatures > 0, "ngrams": j.o.NGrams > 0}
	warn := func(why Hint, options ...map[string]bool) {
		var names []string
		for _, list := range options {
			for name, set := range list {
				if set {
					names = append(names, "{"+name+"}")
				}
			}
		}
		if slices.Sort(names); len(names) > 0 {
			j.notes.warn("no effect here: %s; %s", Hint(strings.Join(names, ", ")), why)
		}
	}
	switch ds := j.t.ds; {
	case ds.Graph != nil || ds.Kernel != nil:
		warn("a graph or a kernel matrix is neither scaled nor filled in", columns, texts)
	case ds.Beside != nil: // both kinds of options count
	case ds.Docs != nil:
		delete(columns, "scale")
		warn("documents have no missing values; those without words stay, as zero rows", columns)
	default:
		warn("there are no documents; {text} names a column of them", texts)
	}
}

// settle decides on k and the method, and refuses constraints that it cannot
// take.
func (j *job) settle(ctx context.Context) error {
	if err := j.settleK(ctx); err != nil {
		return err
	}
	if j.o.automatic() {
		if err := j.chooseMethod(ctx); err != nil {
			return err
		}
	} else if err := j.chooseK(ctx); err != nil {
		return err
	} else if err := j.settleMethod(); err != nil {
		return err
	}
	j.sayDominantColumn()
	if j.known.set.Empty() {
		return nil
	}
	j.p.Constraints = j.known.set
	if j.chosen != nil {
		return nil
	}
	if err := j.checkConflict(ctx); err != nil {
		return err
	}
	return j.checkClasses()
}

// fit runs the method until it is done or ctx ends. What it has then is kept if it is
// a clustering worth having, or if anything will do.
func (j *job) fit(ctx context.Context) error {
	p := j.fitProblem()
	if err := cluster.Check(p, j.alg.alg); err != nil {
		return j.failure(err)
	}
	p.Checked = p.Graph
	j.progress(Progress{Stage: StageStarting, Method: j.method.Name})
	last, moved := Progress{}, 0 // moved in the stages of this iteration
	j.settings.Observe = func(e cluster.Event) {
		if e.Share > 0 && e.Iter == 0 {
			j.progress(Progress{Stage: StageStarting, Method: j.method.Name, Started: e.Share})
			return
		}
		now := Progress{Stage: StageFitting, Method: j.method.Name, Run: e.Run + 1, Runs: e.Restarts, Iteration: e.Iter,
			Objective: last.Objective, Moved: last.Moved}
		if e.Objective != nil {
			now.Objective = e.Objective.Sum()
		}
		if moved += e.Moved; e.Ended {
			now.Moved, now.Ended, moved = moved, e.Iter > 0, 0
		}
		last = now
		j.progress(now)
	}
	r, err := cluster.Fit(ctx, p, j.alg.alg, j.settings)
	switch {
	case err != nil && ctx.Err() == nil:
		return j.failure(err)
	case err != nil && r != nil && r.Trivial(p.K):
		if !j.o.BestEffort {
			return nil
		}
		j.notes.warn("the fit ended before there was a clustering worth having; {best-effort} keeps what there is")
	}
	if j.fitted = r; r != nil {
		j.saySameLevels()
	}
	return j.takeFound()
}

// fitWithout fits without constraints and views. Where there are none, or the
// method needs them, it says so.
func (j *job) fitWithout(ctx context.Context) {
	if j.unmoved != nil {
		j.without = j.unmoved
		return
	}
	if fitted := j.fitProblem(); fitted.Constraints == nil && fitted.Views == nil {
		if !j.known.set.Empty() {
			j.notes.say("the fit does not use the constraints; one without them would be the same")
			return
		}
		j.notes.say("no constraints given; a fit without them would be the same")
		return
	}
	if !j.comparesUnconstrained() {
		return
	}
	j.progress(Progress{Stage: StageComparing, Method: j.method.Name})
	without, settings := *j.p, j.settings
	without.Constraints, without.Views, settings.Observe = nil, nil, nil
	r, err := cluster.Fit(ctx, &without, j.alg.alg, settings)
	switch {
	case err != nil && ctx.Err() != nil:
		j.notes.warn("no time was left to fit without the constraints")
		return
	case r == nil:
		j.notes.warn("%s cannot be fitted without the constraints: %v", j.method.Name, err)
	}
	j.without = r
}

// result sums up what a fit made.
func (j *job) result() (*Result, error) {
	parameters, err := j.alg.describe()
	if err != nil {
		return nil, err
	}
	a := j.assigned()
	r := &Result{Plan: j.t.plan.Lines(), Method: j.method.Name, Parameters: parameters, Seed: j.settings.Seed, Ignored: j.fitted.Ignored, Components: j.parts, a: a}
	r.a.on = j.kept
	if j.recipe != nil {
		r.a.columns = j.recipe.Columns
	}
	if r.Chosen = j.chosen; j.chosen != nil && !j.chosen.Constrained && j.answered == nil && !j.honoured {
		r.Ignored = j.given()
	}
	if r.Ignored == nil {
		r.Ignored = []cluster.Kind{}
	}
	r.fill()
	r.Beside = a.p.K - j.p.K
	j.notes.sayUnassigned(a.unplaced, j.t.point())
	if j.recipe != nil && j.recipe.Text != nil {
		r.Terms = report.DocumentTerms(a.docs(), j.recipe.Text, j.p.X, j.fitted.Labels, j.p.K, j.o.Workers)
	}
	r.nameByWords()
	if j.without != nil {
		r.Unconstrained = effect.OfConstraints(j.p, j.fitted, j.without)
	}
	r.addSuspects(j)
	r.own = j.o.Methods
	r.Answered = j.answered
	r.fit = j.model(parameters, r.a.names, confidence.Calibrate(j.p, j.fitted, r.a.confidenceOptions()))
	r.fit.Why = j.why(r)
	r.Notes = j.notes.list
	return r, nil
}

// fittedRows is how many rows were fitted, noise included.
func (j *job) fittedRows() int {
	if j.whole != nil {
		return j.whole.p.Len()
	}
	return j.p.Len()
}

func (j *job) model(parameters json.RawMessage, names []string, calibration *confidence.Calibration) *saved.Fit {
	return &saved.Fit{Program: Version, Method: j.method.Name, Parameters: parameters, Seed: j.settings.Seed, Rows: j.fittedRows(),
		Objective: j.fitted.Objective, Clusters: names, Recipe: j.recipe, Model: j.fitted.Model,
		Input: saved.Input{ID: j.t.id, Text: j.t.text, Transpose: j.t.transposed}, Confidence: calibration, AssignAll: j.o.Assign == AssignAll}
}
