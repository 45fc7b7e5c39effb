package door

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/continuity"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/support/format"
)

// mostConcerned is the number of rows in constraints up to which each is compared with the
// others before it moves.
const mostConcerned = suspect.MaxTogether

// moveConcerned satisfies the constraints in a fit without them, where an automatic choice
// found too little evidence for one that uses them: the rows that they concern move as package
// continuity says, and nothing else does. Doubtful constraints are left as they are, unless
// Robust asks for all.
func (j *job) moveConcerned(ctx context.Context) error {
	if j.chosen == nil || j.chosen.Constrained || j.answered != nil || j.known.set.Empty() || j.fitted == nil || ctx.Err() != nil {
		return nil
	}
	p := *j.p
	p.Constraints = j.known.set
	var costs []float64
	if p.X != nil && j.fitted.Model != nil && j.fitted.Model.Clusters() == p.K {
		costs = confidence.Costs(j.fitted.Model, p.X, j.o.Workers)
	}
	change, err := j.changeFor(ctx, &p, costs)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // the clusters are as they were
	case err != nil:
		return j.failure(err)
	}
	j.honoured = true
	j.chosen.Moved, j.chosen.Doubted = len(change.Left), continuity.Violated(change.Labels, p.K, certain(p.Constraints))
	if n := j.chosen.Doubted; n > 0 {
		j.notes.say("%s violated: the rows around them, or other constraints, speak against them ({robust=none} obeys all that agree with each other)", format.Count(n, "constraint"))
	}
	if len(change.Left) == 0 {
		return nil
	}
	j.unmoved = j.fitted
	j.fitted = relabelled(j.fitted, change.Labels)
	j.notes.say("%s of constraints moved to the clusters that they ask for; all others are where the fit without constraints puts them", format.Count(len(change.Left), j.t.point()))
	return nil
}

// changeFor returns what the constraints of p demand of the fit.
func (j *job) changeFor(ctx context.Context, p *cluster.Problem, costs []float64) (*continuity.Change, error) {
	if j.o.Robust == suspect.RuleNone {
		return continuity.Obey(ctx, j.fitted.Labels, p.K, costs, p.Constraints)
	}
	if continuity.Concerned(p.Constraints) > mostConcerned || len(p.Views) > 0 {
		return continuity.MinimalChange(ctx, j.fitted.Labels, p.K, costs, p.Constraints)
	}
	d, err := continuity.Decide(ctx, &continuity.Task{Problem: p, Base: j.fitted.Labels, Costs: costs, Never: true, Seed: j.settings.Seed, Workers: j.o.Workers})
	if err != nil {
		return nil, err
	}
	return &d.Change, nil
}

// certain returns constraints without soft seeds, which no count has among the violated.
func certain(s *constraint.Set) *constraint.Set {
	out, soft := *s, s.SoftSeeds()
	out.Labels = slices.DeleteFunc(slices.Clone(s.Labels), func(l constraint.Label) bool { return soft[l.I] })
	return &out
}

// relabelled returns a fit with other labels.
func relabelled(f *cluster.Result, labels []int) *cluster.Result {
	return &cluster.Result{Labels: labels, Model: f.Model, Learned: f.Learned, Objective: f.Objective, Trace: f.Trace, Iterations: f.Iterations,
		Status: f.Status, Run: f.Run, Runs: f.Runs, Distinct: f.Distinct}
}
