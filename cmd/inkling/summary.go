package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/format"
)

// summarise writes a result for people.
func (a *app) summarise(r *inkling.Result, spent float64) {
	a.say("")
	a.say("%s, k = %d: %s after %s, %s, %.2g s", r.Method, r.K, r.Status, format.Count(r.Iterations, "iteration"), format.Starts(r.Runs, r.Distinct), spent)
	a.say("objective %s%s", format.Number(r.Objective.Total), format.Terms(r.Objective.Terms))
	if c := r.Cuts; c != nil {
		a.say("normalized cut %s, ratio cut %s, ratio association %s", format.Number(c.NormalizedCut), format.Number(c.RatioCut), format.Number(c.RatioAssociation))
	}
	if sentence := r.Learned.String(); sentence != "" {
		a.say("%s", sentence)
	}
	if r.KEffective < r.K {
		why := renderHint(r.WhyEmpty())
		if why != "" {
			why = ": " + why
		}
		a.warn("%s left empty%s", format.Count(r.K-r.KEffective, "cluster"), why)
	}
	a.sayTrials(r.Chosen)
	a.say("")
	for _, line := range terminal.Bars(r.Clusters, r.Sizes, r.N) {
		a.say("  %s", line)
	}
	a.sayTerms(r)
	if r.Dropped > 0 {
		a.warn("%s dropped for missing values, not in the result", format.Count(r.Dropped, "row"))
	}
	for _, remark := range r.Remarks {
		a.warn("%s", renderHint(inkling.Hint(remark)))
	}
	if r.View != nil {
		a.sayView(r.View)
	}
	a.saySatisfaction(&r.Satisfaction)
	a.saySuspects(r)
	if r.Unconstrained != nil {
		a.sayUnconstrained(r)
	}
	switch r.Status {
	case "timeout", "interrupted":
		a.warn("stopped early (%s): this is the best so far", r.Status)
	case "max-iter":
		a.warn("the objective was still decreasing at the maximum number of iterations; --max-iter allows more")
	}
}

// trialsShown is how many candidates are listed, the most accurate.
const trialsShown = 5

// sayTrials lists the candidates that were compared.
func (a *app) sayTrials(c *inkling.Choice) {
	if c == nil || len(c.Trials) == 0 {
		return
	}
	list := slices.Clone(c.Trials)
	slices.SortStableFunc(list, func(x, y inkling.Trial) int { return cmp.Compare(y.Mean, x.Mean) })
	a.say("")
	a.say("right about %s held out, balanced between must and cannot:", format.Count(c.Pairs, "pair"))
	for i, t := range list {
		mark := " "
		if t.String() == c.Candidate.String() {
			mark = "*"
		} else if i >= trialsShown && !a.verbose {
			continue
		}
		a.say("%s %5.1f ± %.1f %%  %s", mark, 100*t.Mean, 100*t.SE, t.Candidate)
	}
	if n := len(list) - trialsShown; n > 0 && !a.verbose {
		a.say("  … of %s (-v or --json lists all)", format.Count(len(list), "candidate"))
	}
}

// sayTerms lists the words that distinguish each cluster of texts.
func (a *app) sayTerms(r *inkling.Result) {
	if r.Terms == nil {
		return
	}
	a.say("")
	for h, terms := range r.Terms {
		if h == terminal.ClustersShown && !a.verbose {
			a.say("  … and %d more (-v or --json lists all)", len(r.Terms)-h)
			break
		}
		if len(terms) == 0 {
			terms = []string{"(no words)"}
		}
		a.say("  %s: %s", r.Clusters[h], strings.Join(terms, ", "))
	}
}

// saySatisfaction says how many constraints of each kind are satisfied, and
// lists the most costly violations.
func (a *app) saySatisfaction(s *inkling.Satisfaction) {
	if s.Labels.Given+s.SoftSeeds+s.Must.Given+s.Cannot.Given+s.Beliefs.Given == 0 {
		return
	}
	a.say("")
	line := func(what string, satisfied, given int) {
		if given > 0 {
			a.say("  %-13s %d of %d satisfied", what, satisfied, given)
		}
	}
	line("labels", s.Labels.Kept, s.Labels.Given)
	if s.SoftSeeds > 0 {
		a.say("  %-13s %d, weighted and not counted", "soft seeds", s.SoftSeeds)
	}
	line("must-links", s.Must.Satisfied, s.Must.Given)
	line("cannot-links", s.Cannot.Satisfied, s.Cannot.Given)
	line("beliefs", s.Beliefs.Satisfied, s.Beliefs.Given)
	if s.Violated() == 0 {
		return
	}
	most := 3
	if a.verbose {
		most = math.MaxInt
	}
	a.say("")
	a.say("violated, most costly first, with the cost of satisfying each where it is known:")
	for i, m := range s.Misplaced {
		if i == most {
			a.say("  … and %d more labels (-v or --json lists all)", len(s.Misplaced)-most)
			break
		}
		a.say("  %s is labelled %s, but is in %s%s", terminal.Clip(m.ID, 60), terminal.Clip(m.Label, 60), terminal.Clip(m.Cluster, 60), format.Price(m.Cost, m.Penalty))
	}
	for i, v := range s.Violations {
		if i == most {
			a.say("  … and %d more links (-v or --json lists all)", len(s.Violations)-most)
			break
		}
		a.say("  %s and %s: %s%s", terminal.Clip(v.A, 60), terminal.Clip(v.B, 60), v.Kind, format.Price(v.Cost, v.Penalty))
	}
}

// sayUnconstrained says what the constraints changed.
func (a *app) sayUnconstrained(r *inkling.Result) {
	u := r.Unconstrained
	a.say("")
	a.say("your constraints moved %d of %s (ARI %.3f between the fits with and without them)", u.Moved, format.Count(r.N, "row"), u.ARI)
	a.say("  objective     %s without them, %s with them", format.Number(u.Objective.Total), format.Number(r.Objective.Total))
	line := func(what string, without, with, given int) {
		if given > 0 {
			a.say("  %-13s %d of %d satisfied without them, %d with them", what, without, given, with)
		}
	}
	line("labels", u.Labels.Kept, r.Labels.Kept, r.Labels.Given)
	line("must-links", u.Must.Satisfied, r.Must.Satisfied, r.Must.Given)
	line("cannot-links", u.Cannot.Satisfied, r.Cannot.Satisfied, r.Cannot.Given)
	line("beliefs", u.Beliefs.Satisfied, r.Beliefs.Satisfied, r.Beliefs.Given)
}

// sayView says how well the clusters fit the views, and at what cost.
func (a *app) sayView(c *inkling.ViewEffect) {
	a.say("")
	a.say("views: alpha %s for beta %s", format.Number(c.Alpha), format.Number(c.Beta))
	a.say("  cost of transfer %s: normalized cut %s, without views %s (ARI %.3f between the two, %s moved)",
		format.Signed(c.Cost), format.Number(c.Cut), format.Number(c.CutAlone), c.ARI, format.Count(c.Moved, "row"))
	for _, v := range c.Views {
		a.say("  %s: normalized cut %s, with its own clusters %s (ARI %.3f between the two)", v.File, format.Number(v.Cut), format.Number(v.CutAlone), v.ARI)
	}
}
