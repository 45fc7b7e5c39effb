package choose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Above maxRows rows candidates are compared on a sample of sampleRows.
const (
	maxRows    = 5000
	sampleRows = 3000
)

// ErrNoCandidate is the error of Run where no method of the catalog takes the
// points and has the parameters that were given.
var ErrNoCandidate = errors.New("no method takes these points and has these parameters")

// Run chooses a candidate for a task. When ctx ends, its error is returned; when
// the budget ends, the candidates that were not compared by then are left out.
func Run(ctx context.Context, t *Task, o Options) (*Choice, error) {
	list, leftOut := slices.Clone(o.Candidates), []string(nil)
	if list == nil {
		list, leftOut = Candidates(t)
	}
	if len(list) == 0 {
		return nil, ErrNoCandidate
	}
	if o.Effort == "" {
		o.Effort = cluster.EffortLow
	}
	if o.Rows < 1 {
		if o.Rows = sampleRows; t.Problem.Len() <= maxRows {
			o.Rows = maxRows
		}
	}
	limited := ctx
	if o.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Budget)
		defer cancel()
	}
	c := &comparison{task: t, o: o, choice: &Choice{LeftOut: leftOut, Of: t.Problem.Len(), Trials: []Trial{}}, failed: map[int]bool{}}
	err := c.run(limited, list)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && limited.Err() == nil {
		return nil, err
	}
	return c.choice, nil
}

func (c *comparison) run(ctx context.Context, list []Candidate) error {
	c.choice.Candidate = list[0]
	c.sample, c.at = sampleOf(c.task.Problem, max(c.o.Rows, 20*c.task.Problem.K), c.o.Seed)
	c.choice.Rows = c.sample.Len()
	if c.sample.Constraints != nil {
		c.folds = Split(c.sample.Len(), c.sample.Constraints, c.o.Seed)
		c.obs = observationsOf(c.folds)
	}
	if len(c.task.Ks) > 0 {
		if err := c.chooseK(ctx, list); err != nil {
			return err
		}
		for i := range list {
			list[i].K = c.choice.Clusters.K
		}
		c.choice.Candidate = list[0]
	}
	if why := c.prior(list); why != "" {
		if at := c.classifierAt(list); at >= 0 && c.thin() {
			why = fmt.Sprintf("%s; too few to compare methods by", format.Count(len(c.task.Problem.Constraints.Labels), "label"))
			if c.namesAll(ctx, list[0]) {
				why += ", and its clusters agree with all of them"
			} else {
				c.choice.Candidate = list[at]
			}
		}
		c.choice.Why = c.choice.Candidate.String() + ": " + why
		return nil
	}
	c.choice.Pairs = c.pairs()
	var err error
	if c.points == nil {
		c.points, err = newPoints(ctx, c.sample, list[:1], c.o)
	} else { // the number of clusters was chosen with them
		err = c.points.add(ctx, list[:1], c.o)
	}
	if err != nil {
		c.choice.Why = fmt.Sprintf("%s without a comparison: the time was over before the first fit", c.choice.Candidate)
		return err
	}
	return c.compare(ctx, list)
}

// prior says why the first candidate is taken without a comparison; "" where there
// is something to compare. Few constraints are not used: of 40 fits with 20 pairs, a
// fifth of them wrong, ten were worse than without, and the mean gain was 0.
func (c *comparison) prior(list []Candidate) string {
	known := c.task.Problem.Constraints
	together, apart := c.kinds()
	switch {
	case known.Empty() && len(c.task.Problem.Views) > 0:
		return "it uses views"
	case known.Empty():
		return "there are no constraints to compare methods by"
	case len(list) == 1:
		return "the only candidate"
	case list[0].K == 1:
		return "there is only one cluster"
	case c.pairs() < MinPairs:
		return fmt.Sprintf("%s are too few to compare methods by, %d are needed (a label counts as two)", format.Count(c.pairs(), "pair"), MinPairs)
	case together < minOfAKind || apart < minOfAKind:
		return fmt.Sprintf("to compare methods, at least %d pairs that are together and %d that are apart are needed; there are %d and %d",
			minOfAKind, minOfAKind, together, apart)
	}
	return ""
}

// thin reports whether there is too little held out to compare candidates by.
func (c *comparison) thin() bool {
	together, apart := c.kinds()
	return c.pairs() < MinPairs || together < minOfAKind || apart < minOfAKind
}

// compare fits the reference, the other candidates without constraints, then those with them,
// except on a scaling that is clearly worse without them, and applies the rule. It ends where
// nothing that is left can be taken.
func (c *comparison) compare(ctx context.Context, list []Candidate) (err error) {
	defer func() { c.conclude(ctx, list) }()
	var plain, constrained []int
	for i, x := range list {
		c.list = append(c.list, judged{Candidate: x})
		if x.Constrained {
			constrained = append(constrained, i)
		} else {
			plain = append(plain, i)
		}
	}
	total := len(plain) + len(constrained)*foldCount
	if len(plain) > 0 && plain[0] == 0 {
		if err := c.fitAll(ctx, list, plain[:1], total); err != nil {
			return err
		}
		if plain = plain[1:]; c.settledBy(c.list[0]) {
			return nil
		}
	}
	if err := c.points.add(ctx, list, c.o); err != nil {
		return err
	}
	if err := c.fitAll(ctx, list, plain, total); err != nil {
		return err
	}
	ready := c.ready()
	if c.o.Candidates == nil {
		constrained = slices.DeleteFunc(constrained, func(i int) bool { return !isClassifier(list[i]) && c.clearlyWorse(list[i].Scale) })
	}
	if len(ready) > 0 {
		if _, first := twoSteps(ready, c.obs); c.settledBy(ready[first]) {
			return nil
		}
	}
	if err := c.clean(ctx, list, constrained); err != nil {
		return err
	}
	for _, x := range c.asGiven(list, constrained) {
		constrained = append(constrained, len(list))
		list, c.list = append(list, x), append(c.list, judged{Candidate: x})
	}
	if c.o.Candidates != nil || len(ready) == 0 {
		return c.fitAll(ctx, list, constrained, total)
	}
	return c.race(ctx, list, constrained)
}

// clearlyWorse reports whether the best fit without constraints on this scaling is
// clearly worse than the one that the first step takes.
func (c *comparison) clearlyWorse(scale prepare.Scale) bool {
	ready := c.ready()
	if len(ready) == 0 {
		return false
	}
	_, first := twoSteps(ready, c.obs)
	if ready[first].Scale == scale {
		return false
	}
	best, mean := -1, 0.0
	for i, j := range ready {
		if j.Scale == scale && !j.Constrained {
			if m := balanced(j.right, c.obs).mean; best < 0 || m > mean {
				best, mean = i, m
			}
		}
	}
	return best < 0 || probabilityBetter(ready[first].right, ready[best].right, c.obs) > confidence
}

// ready returns the candidates that were judged on all folds, in their order.
func (c *comparison) ready() (out []judged) {
	for _, j := range c.list {
		if len(j.right) == len(c.obs) {
			out = append(out, j)
		}
	}
	return out
}

// fitAll fits and judges some of the candidates.
func (c *comparison) fitAll(ctx context.Context, list []Candidate, which []int, total int) error {
	var jobs []*fitJob
	for f := range c.folds { // all candidates on a fold before the next, so that a budget leaves out whole candidates last
		for _, i := range which {
			if list[i].Constrained {
				jobs = append(jobs, c.foldJob(list[i], i, f))
			} else if f == 0 {
				j := &fitJob{candidate: i, fold: -1}
				if i == 0 {
					j.effort = c.o.Delivered // what is there without constraints is what others must be better than
				}
				jobs = append(jobs, j)
			}
		}
	}
	if _, limited := ctx.Deadline(); !limited {
		slices.Reverse(jobs) // the methods that take longest come last in the list: no worker should wait for them at the end
	}
	err := c.points.runJobs(ctx, list, jobs, c.o, c.done, total)
	c.done += len(jobs)
	for _, i := range which {
		c.judge(i, jobs)
	}
	return err
}

// foldJob is the fit of candidate i on the training part of a fold.
func (c *comparison) foldJob(x Candidate, i, fold int) *fitJob {
	j := &fitJob{candidate: i, fold: fold, known: c.training(x, fold)}
	if isClassifier(x) && c.labelsAlone() {
		j.rows = posterior.LabelledRows(c.sample.Constraints.Labels)
	}
	return j
}

// labelsAlone reports whether nothing is known but labels.
func (c *comparison) labelsAlone() bool {
	s := c.sample.Constraints
	return len(s.Must)+len(s.Cannot)+len(s.Beliefs) == 0
}

// judge gives candidate i its agreement with every observation, where all its
// fits were made; otherwise it says why not.
func (c *comparison) judge(i int, jobs []*fitJob) {
	labels := make([][]int, len(c.folds))
	for _, j := range jobs {
		switch {
		case j.candidate != i:
		case j.err != nil:
			if !c.failed[i] {
				c.failed[i] = true
				why := j.err.Error()
				if errors.Is(j.err, context.DeadlineExceeded) || errors.Is(j.err, context.Canceled) {
					why = "no time was left"
				}
				c.choice.LeftOut = append(c.choice.LeftOut, fmt.Sprintf("%s: %s", c.list[i].Candidate, why))
			}
			return
		case j.fold < 0:
			for f := range labels {
				labels[f] = j.labels
			}
			c.list[i].labels = j.labels
		default:
			labels[j.fold] = j.labels
		}
	}
	for f := range c.folds {
		if labels[f] == nil {
			return
		}
		c.list[i].right = append(c.list[i].right, c.folds[f].judge(labels[f])...)
		c.list[i].named = append(c.list[i].named, c.folds[f].judgeNames(labels[f], c.list[i].K)...)
	}
}

// conclude applies the rule to the candidates that were judged.
func (c *comparison) conclude(ctx context.Context, list []Candidate) {
	ready := c.ready()
	for _, j := range ready {
		e := balanced(j.right, c.obs)
		c.choice.Trials = append(c.choice.Trials, trialOf(j.Candidate, e, foldCount))
	}
	c.choice.Trials = append(c.choice.Trials, c.stopped...)
	if len(ready) == 0 {
		c.choice.Why = fmt.Sprintf("%s without a comparison: no candidate could be compared", list[0])
		return
	}
	if at, _ := twoSteps(ready, c.obs); at > 0 && c.worseThanChance(ready) {
		c.choice.LeftOut = append(c.choice.LeftOut, fmt.Sprintf("%s: candidates that are chosen by some of the constraints are worse than chance at the others", ready[at].Candidate))
		for i := range ready {
			ready[i].right = ready[0].right // none is better
		}
	}
	for {
		at, plain := twoSteps(ready, c.obs)
		if at != plain && c.choice.Pairs < thinEvidence && !c.confirmed(ready, plain) {
			c.choice.LeftOut = append(c.choice.LeftOut, fmt.Sprintf("%s: chosen by some of the constraints, it is no better at the others than a fit without", ready[at].Candidate))
			for i := range ready {
				if ready[i].Constrained {
					ready[i].right = ready[plain].right // no longer better
				}
			}
			continue
		}
		if at != plain && !c.keepsPromise(ctx, ready[at], ready[plain]) {
			c.choice.LeftOut = append(c.choice.LeftOut, fmt.Sprintf("%s: fitted with all constraints, it satisfies fewer of them than a fit without", ready[at].Candidate))
			ready[at].right = ready[plain].right // no longer better
			continue
		}
		c.choice.Candidate = ready[at].Candidate
		c.choice.Why = c.why(at, plain)
		if !isClassifier(ready[at].Candidate) {
			c.judgeNaming(ctx, ready)
		}
		own := c.preferClassifier(ready, at)
		if own != at {
			c.choice.Candidate, c.choice.Why = ready[own].Candidate, c.whyClassifier(ready[own], ready[at])
		}
		c.claim(ready, own, at, plain)
		return
	}
}

func trialOf(x Candidate, e estimate, folds int) Trial {
	return Trial{x, e.mean, math.Sqrt(e.variance), folds}
}

// keepsPromise reports whether a candidate that was chosen by parts of the
// constraints agrees with all of them, once it is fitted with all of them, at
// least as well as the fit without constraints that it would replace.
func (c *comparison) keepsPromise(ctx context.Context, chosen, plain judged) bool {
	if ctx.Err() != nil {
		return true // there is no time to check it
	}
	known := c.sample.Constraints
	if chosen.Robust == suspect.RuleDrop {
		known = c.kept
	}
	labels, err := c.points.fit(ctx, chosen.Candidate, known, c.o, c.o.Workers)
	if err != nil {
		return ctx.Err() != nil
	}
	var right []float64
	for f := range c.folds {
		right = append(right, c.folds[f].judge(labels)...)
	}
	return balanced(right, c.obs).mean >= balanced(plain.right, c.obs).mean
}

// why words the decision.
func (c *comparison) why(at, plain int) string {
	t := c.choice.Trials
	percent := func(i int) string { return fmt.Sprintf("%.0f %%", 100*t[i].Mean) }
	on := fmt.Sprintf("%d held-out pairs", c.choice.Pairs)
	switch {
	case at == 0 && len(t) == 1 && c.settledBy(c.list[0]):
		return fmt.Sprintf("%s: right about %s of %s, so that no other candidate can be clearly better", t[0].Candidate, percent(0), on)
	case at == 0 && len(t) == 1:
		return fmt.Sprintf("%s: the only candidate that could be compared", t[0].Candidate)
	case at == 0:
		return fmt.Sprintf("%s: none of %s is clearly better than its %s of %s", t[0].Candidate, format.Count(len(t)-1, "other candidate"), percent(0), on)
	case at == plain && c.settledBy(c.list[slices.IndexFunc(c.list, func(j judged) bool { return j.Candidate.String() == t[at].Candidate.String() })]):
		return fmt.Sprintf("%s: right about %s of %s, %s about %s; no fit with constraints can be clearly better", t[at].Candidate, percent(at), on, t[0].Candidate, percent(0))
	case at == plain:
		return fmt.Sprintf("%s: right about %s of %s, %s about %s; no fit with constraints is clearly better", t[at].Candidate, percent(at), on, t[0].Candidate, percent(0))
	}
	return fmt.Sprintf("%s: right about %s of %s, %s about %s", t[at].Candidate, percent(at), on, t[plain].Candidate, percent(plain))
}
