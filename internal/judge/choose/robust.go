package choose

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// noisyShare is the estimated share of wrong constraints above which fits with
// constraints leave out the doubtful ones. Held-out pairs cannot decide this: their
// rows are in no training constraint, so they do not show what becomes of rows that
// obey a wrong one.
const noisyShare = 0.1

// wrongAbove is the probability of being wrong above which a classifier leaves a label out.
// It weighs labels by each other, so that one that is merely doubtful does little harm.
const wrongAbove = 0.5

// cleanRows is the most rows that constraints are judged on.
const cleanRows = 1000

// clean estimates the share of wrong constraints and, where it is high, lets the
// candidates with constraints leave out the doubtful ones. The training part of a
// fold is judged by itself alone, so that nothing of the held-out part enters a fit.
func (c *comparison) clean(ctx context.Context, list []Candidate, constrained []int) error {
	asked := slices.ContainsFunc(list, func(x Candidate) bool { return x.Robust == suspect.RuleDrop })
	if len(constrained) == 0 || c.o.Candidates != nil && !asked || c.task.AsGiven && !asked || len(c.sample.Views) > 0 {
		return nil
	}
	cleaner, err := newCleaner(ctx, c.points.problemOn(c.firstScale(list)), c.o)
	if err != nil {
		return ctx.Err() // points without a kernel have no judge: the constraints stay as they are
	}
	all, err := cleaner.Judge(ctx, c.sample.Constraints)
	if err != nil {
		return ctx.Err()
	}
	if c.choice.Doubtful = all.Share(); c.choice.Doubtful <= noisyShare && !asked {
		return nil
	}
	train, likely := make([]*constraint.Set, len(c.folds)), make([]*constraint.Set, len(c.folds))
	for f := range c.folds {
		r, err := cleaner.Judge(ctx, c.folds[f].Train)
		if err != nil {
			return ctx.Err()
		}
		train[f], likely[f] = r.Reweight(c.folds[f].Train, suspect.RuleDrop), r.Without(c.folds[f].Train, wrongAbove)
	}
	c.kept, c.keptTrain, c.likelyTrain = all.Reweight(c.sample.Constraints, suspect.RuleDrop), train, likely
	if !asked {
		for _, i := range constrained {
			list[i].Robust = suspect.RuleDrop
			c.list[i].Robust = suspect.RuleDrop
		}
	}
	return nil
}

// asGiven returns the classifiers that leave out doubtful labels once more, with all labels. Held-out labels tell which is
// better: a classifier is judged by what it says of rows that it has no label of.
func (c *comparison) asGiven(list []Candidate, constrained []int) (out []Candidate) {
	if c.o.Candidates != nil {
		return nil
	}
	for _, i := range constrained {
		if x := list[i]; isClassifier(x) && x.Robust == suspect.RuleDrop {
			x.Robust = ""
			out = append(out, x)
		}
	}
	return out
}

// firstScale returns the scaling of the fit without constraints that the first step
// takes.
func (c *comparison) firstScale(list []Candidate) prepare.Scale {
	if ready := c.ready(); len(ready) > 0 {
		_, first := twoSteps(ready, c.obs)
		return ready[first].Scale
	}
	return list[0].Scale
}

// training returns what a candidate is fitted on in a fold.
func (c *comparison) training(x Candidate, fold int) *constraint.Set {
	if x.Robust == suspect.RuleDrop && c.keptTrain != nil {
		if isClassifier(x) {
			return c.likelyTrain[fold]
		}
		return c.keptTrain[fold]
	}
	return c.folds[fold].Train
}

// problemOn returns all points with their constraints under a scaling.
func (s *points) problemOn(scale prepare.Scale) *cluster.Problem {
	q := *s.plain
	if f := s.byScale[scale]; q.X != nil && f != nil {
		q.X = f.x
	}
	return &q
}

// rowsOn returns the rows under a scaling; nil where there are none.
func (s *points) rowsOn(scale prepare.Scale) data.Rows {
	if f := s.byScale[scale]; f != nil {
		return f.x
	}
	return nil
}

func newCleaner(ctx context.Context, p *cluster.Problem, o Options) (*suspect.Cleaner, error) {
	return suspect.NewCleaner(ctx, p, suspect.Options{Seed: o.Seed, Workers: o.Workers, MaxRows: cleanRows, Memory: o.Memory})
}

// Kept returns p without its doubtful constraints, as fits without them are compared:
// the last step before a candidate whose Robust says so is fitted. The rows of p are scaled as
// the candidate x asks.
func Kept(ctx context.Context, p *cluster.Problem, x Candidate, o Options) (*cluster.Problem, error) {
	cleaner, err := newCleaner(ctx, p, o)
	if err != nil {
		return nil, err
	}
	r, err := cleaner.Judge(ctx, p.Constraints)
	if err != nil {
		return nil, err
	}
	q := *p
	if q.Constraints = r.Reweight(p.Constraints, suspect.RuleDrop); isClassifier(x) {
		q.Constraints = r.Without(p.Constraints, wrongAbove)
	}
	return &q, nil
}

// UsedPair returns a given pair as it counts in a fit on p: with a weight of 0 where it
// was left out of its constraints. A nil problem has all.
func UsedPair(p *cluster.Problem, kind cluster.Kind, pair constraint.Pair) constraint.Pair {
	if p == nil || kind == cluster.Beliefs {
		return pair
	}
	list := p.Constraints.Must
	if kind == cluster.CannotLinks {
		list = p.Constraints.Cannot
	}
	if !slices.Contains(list, pair) {
		pair.W = 0
	}
	return pair
}

// UsedLabel is UsedPair for a label.
func UsedLabel(p *cluster.Problem, l constraint.Label) constraint.Label {
	if p != nil && !slices.Contains(p.Constraints.Labels, l) {
		l.W = 0
	}
	return l
}
