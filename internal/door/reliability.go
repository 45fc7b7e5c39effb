package door

import (
	"context"
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/reliability"
)

// A Reliability says how far a clustering can be relied on: its Level is low, fair or good, Why are the reasons against it.
type Reliability = reliability.Report

// The levels of reliability.
const (
	ReliabilityLow  = reliability.Low
	ReliabilityFair = reliability.Fair
	ReliabilityGood = reliability.Good
)

// whatToDo follows a reliability that is low.
const whatToDo = "do not take the clusters for groups without other evidence: look at which columns are used, or give labels or links"

// judgeReliability says how far the result can be relied on, where it was asked for or the program chose how to
// cluster; nil where there was no time for it, or nobody to say it to.
func (j *job) judgeReliability(ctx context.Context) *Reliability {
	if j.o.Unjudged || !j.o.Reliability && !j.o.automatic() && j.answered == nil || ctx.Err() != nil {
		return nil
	}
	in := reliability.Input{Problem: j.p, Labels: j.fitted.Labels, Seed: j.settings.Seed, Workers: j.o.Workers}
	if j.recipe != nil {
		in.Column = j.recipe.FeatureColumns()
	}
	in.Relevant, in.Columns = j.t.plan.Relevant()
	if c := j.chosen; c != nil && j.answered == nil {
		if c.Clusters != nil {
			in.Doubt = c.Clusters.Doubt
		}
		for _, t := range c.Trials {
			if t.String() == c.Candidate.String() {
				mean, se := t.Mean, t.SE
				if a := c.Claimed; a.OfPairs() && a.Mean < mean { // less is claimed than was measured, as what is delivered shows
					mean, se = a.Mean, a.SE()
				}
				mean, se = math.Round(1e4*mean)/1e4, math.Round(1e4*se)/1e4
				in.HeldOut, in.HeldOutSE = &mean, &se
			}
		}
	}
	r, err := reliability.Judge(ctx, in)
	if err != nil || r == nil {
		return nil
	}
	if r.Level == reliability.Low {
		j.notes.list = append(j.notes.list, Note{Text: Hint(ReliabilitySentence(r)), Warning: true}) // commands say it on the first line of the summary
	}
	return r
}

// ReliabilitySentence words a reliability with its two weightiest reasons, and what to do where it is low.
func ReliabilitySentence(r *Reliability) string {
	out := "reliability " + string(r.Level)
	switch {
	case len(r.Why) > 0:
		out += ": " + strings.Join(r.Why[:min(2, len(r.Why))], "; ")
	case r.Measured() != "":
		out += ": " + r.Measured()
	}
	if r.Level == reliability.Low {
		out += "; " + whatToDo
	}
	return out
}
