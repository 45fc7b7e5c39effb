package door

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/choose"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A Choice says which method was chosen by held-out constraints, with which
// parameters and scaling, and why; Trials are the candidates that were compared.
type Choice = choose.Choice

// A Trial is a candidate with its balanced accuracy on held-out pairs.
type Trial = choose.Trial

// Choose compares methods by held-out constraints as Cluster does where the
// options name none, and returns the table without fitting the winner.
func Choose(ctx context.Context, t *Table, c *Constraints, o Options) (*Choice, error) {
	if !o.automatic() {
		return nil, optionError("method", "", "the method is given as %s, so there is nothing to choose", o.Method)
	}
	j, err := newJob(ctx, t, c, o)
	if err != nil {
		return nil, err
	}
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	if err := j.beRobust(ctx); err != nil {
		return nil, err
	}
	if err := j.settleK(ctx); err != nil {
		return nil, err
	}
	if err := j.chooseMethod(ctx); err != nil {
		return nil, err
	}
	return j.chosen, nil
}

// chooseMethod chooses the method, its parameters, the scaling of columns and,
// where it is left open, k.
func (j *job) chooseMethod(ctx context.Context) error {
	if err := j.refuseKernelParameters(); err != nil {
		return err
	}
	if err := j.settleContradictions(ctx); err != nil {
		return err
	}
	found, err := j.runChoice(ctx)
	if err != nil {
		return err
	}
	j.chosen, found.Settled = found, j.settled
	j.p.K = found.Candidate.K
	j.method, _ = j.o.methods().Find(found.Method)
	j.sayChoice()
	if found.Constrained && len(j.given()) > 0 {
		j.sayIgnored()
	}
	if j.scaled = found.Scale; found.Scale == prepare.Standard {
		if err := j.rescale(found.Scale); err != nil {
			return err
		}
	}
	if found.Robust != "" {
		if err := j.keepUndoubted(ctx); err != nil {
			return err
		}
	}
	j.saySecondOpinion(ctx)
	return j.configure(found.Parameters)
}

// keepUndoubted leaves the doubtful constraints out of the fit; all are checked
// afterwards.
func (j *job) keepUndoubted(ctx context.Context) (err error) {
	j.p.Constraints = j.known.set
	if j.kept, err = choose.Kept(ctx, j.p, j.chosen.Candidate, choose.Options{Seed: j.settings.Seed, Workers: j.o.Workers, Memory: j.memory}); err != nil {
		return j.failure(err)
	}
	j.notes.say("the fit leaves out %d of %s as doubtful ({robust=none} uses all; `inkling suspect` lists them)", j.known.set.Len()-j.kept.Constraints.Len(), format.Count(j.known.set.Len(), "constraint"))
	return nil
}

// refuseContradiction refuses constraints that contradict each other or that k
// clusters cannot satisfy.
func (j *job) refuseContradiction(ctx context.Context) error {
	if j.known.set.Empty() {
		return nil
	}
	k := j.largestK()
	j.p.Constraints = j.known.set
	err := j.known.contradiction(ctx, j.p.Len(), k)
	var conflict *ConstraintError
	if errors.As(err, &conflict) {
		return j.suggestWeighing(conflict, j.t.Input())
	}
	if err == nil && j.known.soft > 0 && len(j.known.set.Names) > k {
		return j.tooManyClasses(k)
	}
	return err
}

// remaining returns the time until the deadline of ctx, 0 where there is none.
func remaining(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(time.Until(end), 1)
	}
	return 0
}

// runChoice compares the candidates.
func (j *job) runChoice(ctx context.Context) (*Choice, error) {
	_, single := j.p.X.(*data.Dense32)
	_, sparse := j.p.X.(*data.Sparse)
	task := &choose.Task{Problem: j.p, Ks: j.ks, Texts: j.t.HasTexts(), NeedModel: j.o.NeedModel, Parameters: j.o.Parameters,
		AsGiven: j.o.Robust != "", Own: j.o.Methods, Beyond: j.beyond,
		Scalable: j.p.X != nil && j.choosesScale() && !j.t.HasTexts() && !single && !sparse}
	found, err := choose.Run(ctx, task, choose.Options{Seed: j.settings.Seed, Workers: j.o.Workers, Delivered: j.settings.Effort, Budget: remaining(ctx) / 2, Memory: j.memory,
		Progress: func(p choose.Progress) {
			j.progress(Progress{Stage: StageChoosing, Method: p.Candidate, Run: p.Fit, Runs: p.Fits})
		}})
	switch {
	case errors.Is(err, choose.ErrNoCandidate):
		return nil, j.noCandidate()
	case errors.Is(err, choose.ErrKNeedsRows):
		return nil, optionError("k", "give {k}, or more constraints", "%v", err)
	case err != nil:
		return nil, j.failure(err)
	}
	return found, nil
}

// noCandidate says why no method can be chosen.
func (j *job) noCandidate() error {
	var able []string
	for _, m := range j.o.methods() {
		if m.Takes(j.t.Input()) {
			able = append(able, m.Name)
		}
	}
	if len(j.o.Views) > 0 {
		return NoViewsError(able...)
	}
	if j.o.NeedModel && j.t.Input() != cluster.InputRows {
		return noModel(able[0])
	}
	if m, ok := j.o.methods().Find(able[0]); ok && len(j.o.Parameters) == 1 {
		if _, _, err := m.Configure(j.o.Parameters); err != nil {
			return parameterError(err)
		}
	}
	return optionError("method", "{method} names a method", "no method that takes this input has all of the given parameters")
}

// sayChoice says what was chosen, and on how many rows.
func (j *job) sayChoice() {
	f := j.chosen
	if c := f.Clusters; c != nil {
		j.notes.say("%s", c.Why)
		if c.Doubt != "" {
			j.notes.warn("%s", c.Doubt)
		}
	}
	if f.Rows < f.Of && (len(f.Trials) > 0 || f.Clusters != nil) {
		j.notes.say("compared on %d of %s", f.Rows, format.Count(f.Of, j.t.point()))
	}
	for _, what := range f.LeftOut {
		j.notes.say("not compared: %s", what)
	}
	if len(j.given()) == 0 {
		j.notes.say("method %s: %s ({method} chooses another)", j.method.Name, j.method.Title)
	} else {
		j.notes.say("method %s ({method} chooses another)", f.Why)
	}
	if _, given := j.o.Parameters["distortion"]; !given && f.Parameters["distortion"] == "cosine" {
		j.notes.say("distortion cosine, as usual for documents ({distortion=euclidean} uses Euclidean distance)")
	}
	if f.Scale == prepare.Standard && len(f.Trials) == 0 {
		j.notes.say("the columns differ widely in scale, so rows are standardised ({scale=none} leaves them as they are)")
	}
	if !f.Constrained && len(j.given()) > 0 {
		j.notes.say("too little evidence for a fit with constraints, so only the %ss that they name move%s", j.t.point(), j.methodForConstraints())
	}
}

// methodForConstraints names a method that uses the constraints in any case.
func (j *job) methodForConstraints() Hint {
	for _, m := range j.o.methods() {
		if weighs(m) && m.Takes(j.t.Input()) {
			return hint.Sprintf(" ({method=%s} uses them in any case)", m.Name)
		}
	}
	return ""
}

// fitProblem returns the problem that is fitted: without the constraints, or without
// doubtful ones, where such a fit was chosen.
func (j *job) fitProblem() *cluster.Problem {
	if j.chosen == nil || j.chosen.Constrained {
		return cmp.Or(j.kept, j.p)
	}
	p := *j.p
	p.Constraints = nil
	return &p
}

// AutoKMax as Options.KMax leaves the largest number of clusters to the number of rows: their square
// root, from 12 to 60. Where the largest is the best, larger ones up to 60 are tried while there are some rows for each.
const (
	AutoKMax       = 1 << 20
	fewestAutoK    = 12
	mostAutoK      = 60
	rowsPerCluster = 10
)

// settleK decides on k, or on the numbers that are compared.
func (j *job) settleK(ctx context.Context) error {
	if j.findsK() && (j.o.KMax >= AutoKMax || j.o.KMax == 0 && j.p.K == 0) {
		j.p.K = 0
		return ctx.Err()
	}
	if j.o.KMax > 0 {
		n, low := j.p.Len(), max(j.o.KMin, 1)
		if j.o.KMax >= AutoKMax {
			j.o.KMax = min(mostAutoK, max(fewestAutoK, int(math.Sqrt(float64(n)))))
			j.beyond = min(mostAutoK, n/rowsPerCluster)
		}
		if low > n {
			return tooManyClusters(low, n, j.t.point())
		}
		for k := low; k <= min(j.o.KMax, n); k++ {
			j.ks = append(j.ks, k)
		}
		j.p.K = low
		return ctx.Err()
	}
	if j.p.K == 0 {
		if j.p.K = j.known.set.Classes(); j.p.K == 0 {
			return optionError("k", "give a number, auto, or labels", "k is missing")
		}
		j.notes.say("k = %d, one cluster for each class among the labels", j.p.K)
		if j.p.K == 1 {
			j.notes.warn("the labels name only one class, so every %s is in it; {k=2} or more leaves room for others", j.t.point())
		}
	}
	if n := j.p.Len(); j.p.K > n {
		return tooManyClusters(j.p.K, n, j.t.point())
	}
	return nil
}

// chooseK chooses k for a method that was asked for.
func (j *job) chooseK(ctx context.Context) error {
	if len(j.ks) == 0 {
		return nil
	}
	if err := j.refuseContradiction(ctx); err != nil {
		return err
	}
	o := j.o
	j.o.Parameters, j.o.NeedModel, j.p.Constraints = nil, false, j.known.set
	found, err := j.runChoice(ctx)
	j.o = o
	if err != nil {
		return err
	}
	j.p.K = found.Candidate.K
	j.notes.say("%s", found.Clusters.Why)
	return nil
}
