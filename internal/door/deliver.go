package door

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// deliver fits what was chosen and compares it with what was claimed. A search that goes
// on may end in a lower minimum that agrees less with the constraints: then shorter searches,
// the first of them the one that was judged, compete by the constraints. Where none keeps the
// claim, the next best candidate is taken.
func (j *job) deliver(ctx context.Context) error {
	if j.chosen != nil && j.chosen.Claimed != nil {
		j.settings.Shared = &cluster.Shared{} // of all fits on the same rows
		defer func() { j.settings.Shared = nil }()
	}
	for {
		if err := j.fit(ctx); err != nil || j.fitted == nil || j.chosen == nil || j.chosen.Claimed == nil {
			return err
		}
		j.chosen.Delivered = j.chosen.Measure(j.known.set, j.fitted.Labels)
		if err := j.searchAgain(ctx); err != nil {
			return err
		}
		if !j.chosen.Refuted() || ctx.Err() != nil {
			return nil
		}
		was := *j.chosen
		if !j.chosen.Withdraw() {
			j.notes.warn("%s was right about %.0f %% of constraints that it had not seen, but agrees with %.0f %% of all: the claim is withdrawn, and no other candidate keeps a better one",
				was.Candidate, 100*was.Judged(), 100*was.Delivered.Mean)
			return nil
		}
		j.notes.say("%s promised %.0f %% and delivers %.0f %%, so %s is taken", was.Candidate, 100*was.Judged(), 100*was.Delivered.Mean, j.chosen.Candidate)
		if err := j.adopt(ctx); err != nil {
			return err
		}
	}
}

// otherStarts is how many shorter searches are tried, from different starts.
const otherStarts = 6

// searchAgain fits again by shorter searches where the clustering agrees less with the
// constraints than the candidate did when it was judged. Among the minima the constraints
// choose; where they do not tell them apart, the lower objective.
func (j *job) searchAgain(ctx context.Context) error {
	c := j.chosen
	if c.Delivered.Mean >= c.Judged() || j.o.Restarts > 0 {
		return nil
	}
	best, settings, first := j.fitted, j.settings, c.Delivered.Mean
	defer func() {
		j.fitted, j.settings = best, settings
		c.Delivered = c.Measure(j.known.set, best.Labels)
	}()
	for start := range otherStarts {
		j.settings.Effort, j.settings.Restarts, j.settings.Seed = cluster.EffortLow, j.chosen.RestartsToJudge(j.fitProblem()), settings.Seed+uint64(start)
		if err := j.fit(ctx); err != nil {
			return err
		}
		if j.fitted == nil || ctx.Err() != nil {
			break
		}
		if c.Prefers(j.known.set, j.fitted.Labels, best.Labels) {
			best = j.fitted
		}
		if c.Measure(j.known.set, best.Labels).Mean >= c.Judged() {
			break
		}
	}
	if now := c.Measure(j.known.set, best.Labels).Mean; now > first {
		j.notes.say("the constraints chose among the minima: this one agrees with %.0f %% of them, that of the lowest objective with %.0f %%", 100*now, 100*first)
	}
	return nil
}

// adopt makes the candidate of the choice the method of the job.
func (j *job) adopt(ctx context.Context) error {
	c := j.chosen
	j.method, _ = j.o.methods().Find(c.Method)
	if c.Scale != "" && c.Scale != j.scaled {
		if err := j.rescale(c.Scale); err != nil {
			return err
		}
	}
	j.kept = nil
	if c.Robust == suspect.RuleDrop && c.Constrained {
		if err := j.keepUndoubted(ctx); err != nil {
			return err
		}
	}
	return j.configure(c.Parameters)
}

// rescale prepares the rows again, scaled by column as asked.
func (j *job) rescale(scale prepare.Scale) error {
	j.o.Scale = scale
	recipe, ready, err := j.o.Kept.Fit(j.t.ds, j.prepareOptions())
	if err != nil {
		return err
	}
	j.recipe, j.scaled = recipe, scale
	j.takeReady(ready)
	for _, note := range ready.Notes {
		j.notes.sayOnce("%s: %s", j.t.Name(), note)
	}
	return nil
}
