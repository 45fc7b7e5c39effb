// Package summary says a result to people in lines of text.
package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/format"
)

// A Printer writes the lines of a summary.
type Printer struct {
	Say, Warn func(format string, args ...any)
	Hint      func(door.Hint) string // words a hint
	Verbose   bool                   // list everything
}

// Result says a result that took so many seconds.
func (p *Printer) Result(r *door.Result, spent float64) {
	p.Say("")
	p.reliability(r.Reliability)
	fitted := strconv.Itoa(r.K)
	if r.Beside > 0 {
		fitted = fmt.Sprintf("%d beside %s", r.K-r.Beside, format.Count(r.Beside, "small component"))
	}
	p.Say("%s, k = %s: %s after %s, %s, %s s", r.Method, fitted, r.Status, format.Count(r.Iterations, "iteration"), format.Starts(r.Runs, r.Distinct), format.Rounded(spent))
	p.Say("objective %s%s", format.Number(r.Objective.Total), format.Terms(r.Objective.Terms))
	if c := r.Cuts; c != nil {
		p.Say("normalized cut %s, ratio cut %s, ratio association %s", format.Number(c.NormalizedCut), format.Number(c.RatioCut), format.Number(c.RatioAssociation))
	}
	if sentence := r.Learned.String(); sentence != "" {
		p.Say("%s", sentence)
	}
	if r.KEffective < r.K {
		why := p.Hint(r.WhyEmpty())
		if why != "" {
			why = ": " + why
		}
		p.Warn("%s left empty%s", format.Count(r.K-r.KEffective, "cluster"), why)
	}
	p.sayTrials(r.Chosen)
	p.Say("")
	for _, line := range terminal.Bars(r.Clusters, r.Sizes, r.N) {
		p.Say("  %s", line)
	}
	p.sayTerms(r)
	switch {
	case r.Dropped > 0 && r.Components != nil:
		p.Warn("%s outside the largest component, not in the result", format.Count(r.Dropped, "node"))
	case r.Dropped > 0:
		p.Warn("%s dropped for missing values, not in the result", format.Count(r.Dropped, "row"))
	}
	for _, remark := range r.Remarks {
		p.Warn("%s", p.Hint(door.Hint(remark)))
	}
	if r.View != nil {
		p.sayView(r.View)
	}
	p.Satisfaction(&r.Satisfaction)
	p.saySuspects(r)
	if r.Unconstrained != nil {
		p.sayUnconstrained(r)
	}
	switch r.Status {
	case "timeout", "interrupted":
		p.Warn("stopped early (%s): this is the best so far", r.Status)
	case "max-iter":
		p.Warn("the objective was still decreasing at the maximum number of iterations; --max-iter allows more")
	}
}

// reliability says how far the result can be relied on.
func (p *Printer) reliability(r *door.Reliability) {
	switch {
	case r == nil:
	case r.Level == door.ReliabilityLow:
		p.Warn("%s", door.ReliabilitySentence(r))
	default:
		p.Say("%s", door.ReliabilitySentence(r))
	}
}

// trialsShown is how many candidates are listed, the most accurate.
const trialsShown = 5

// sayTrials lists the candidates that were compared.
func (p *Printer) sayTrials(c *door.Choice) {
	if c == nil || len(c.Trials) == 0 {
		return
	}
	list := slices.Clone(c.Trials)
	slices.SortStableFunc(list, func(x, y door.Trial) int { return cmp.Compare(y.Mean, x.Mean) })
	p.Say("")
	p.Say("right about %s held out, balanced between must and cannot:", format.Count(c.Pairs, "pair"))
	for i, t := range list {
		mark := " "
		if t.String() == c.Candidate.String() {
			mark = "*"
		} else if i >= trialsShown && !p.Verbose {
			continue
		}
		p.Say("%s %5.1f ± %.1f %%  %s", mark, 100*t.Mean, 100*t.SE, t.Candidate)
	}
	if n := len(list) - trialsShown; n > 0 && !p.Verbose {
		p.Say("  … of %s (-v or --json lists all)", format.Count(len(list), "candidate"))
	}
}

// sayTerms lists the words that distinguish each cluster of texts.
func (p *Printer) sayTerms(r *door.Result) {
	if r.Terms == nil {
		return
	}
	p.Say("")
	for h, terms := range r.Terms {
		if h == terminal.ClustersShown && !p.Verbose {
			p.Say("  … and %d more (-v or --json lists all)", len(r.Terms)-h)
			break
		}
		if len(terms) == 0 {
			terms = []string{"(no words)"}
		}
		p.Say("  %s: %s", r.Clusters[h], strings.Join(terms, ", "))
	}
}

// Satisfaction says how many constraints of each kind are satisfied, and
// lists the most costly violations.
func (p *Printer) Satisfaction(s *door.Satisfaction) {
	if s.Labels.Given+s.SoftSeeds+s.Must.Given+s.Cannot.Given+s.Beliefs.Given == 0 {
		return
	}
	p.Say("")
	line := func(what string, satisfied, given int) {
		if given > 0 {
			p.Say("  %-13s %d of %d satisfied", what, satisfied, given)
		}
	}
	line("labels", s.Labels.Kept, s.Labels.Given)
	if s.SoftSeeds > 0 {
		p.Say("  %-13s %d, weighted and not counted", "soft seeds", s.SoftSeeds)
	}
	line("must-links", s.Must.Satisfied, s.Must.Given)
	line("cannot-links", s.Cannot.Satisfied, s.Cannot.Given)
	line("beliefs", s.Beliefs.Satisfied, s.Beliefs.Given)
	if s.Violated() == 0 {
		return
	}
	most := 3
	if p.Verbose {
		most = math.MaxInt
	}
	p.Say("")
	p.Say("violated, most costly first, with the cost of satisfying each where it is known:")
	for i, m := range s.Misplaced {
		if i == most {
			p.Say("  … and %s (-v or --json lists all)", format.Count(len(s.Misplaced)-most, "more label"))
			break
		}
		p.Say("  %s is labelled %s, but is in %s%s", terminal.Clip(m.ID, 60), terminal.Clip(m.Label, 60), terminal.Clip(m.Cluster, 60), format.Price(m.Cost, m.Penalty))
	}
	for i, v := range s.Violations {
		if i == most {
			p.Say("  … and %s (-v or --json lists all)", format.Count(len(s.Violations)-most, "more link"))
			break
		}
		p.Say("  %s and %s: %s%s", terminal.Clip(v.A, 60), terminal.Clip(v.B, 60), v.Kind, format.Price(v.Cost, v.Penalty))
	}
}

// sayUnconstrained says what the constraints changed.
func (p *Printer) sayUnconstrained(r *door.Result) {
	u := r.Unconstrained
	p.Say("")
	p.Say("your constraints moved %d of %s (ARI %.3f between the fits with and without them)", u.Moved, format.Count(r.N, "row"), u.ARI)
	p.Say("  objective     %s without them, %s with them", format.Number(u.Objective.Total), format.Number(r.Objective.Total))
	line := func(what string, without, with, given int) {
		if given > 0 {
			p.Say("  %-13s %d of %d satisfied without them, %d with them", what, without, given, with)
		}
	}
	line("labels", u.Labels.Kept, r.Labels.Kept, r.Labels.Given)
	line("must-links", u.Must.Satisfied, r.Must.Satisfied, r.Must.Given)
	line("cannot-links", u.Cannot.Satisfied, r.Cannot.Satisfied, r.Cannot.Given)
	line("beliefs", u.Beliefs.Satisfied, r.Beliefs.Satisfied, r.Beliefs.Given)
}

// sayView says how well the clusters fit the views, and at what cost.
func (p *Printer) sayView(c *door.ViewEffect) {
	p.Say("")
	p.Say("views: alpha %s for beta %s", format.Number(c.Alpha), format.Number(c.Beta))
	p.Say("  cost of transfer %s: normalized cut %s, without views %s (ARI %.3f between the two, %s moved)",
		format.Signed(c.Cost), format.Number(c.Cut), format.Number(c.CutAlone), c.ARI, format.Count(c.Moved, "row"))
	for _, v := range c.Views {
		p.Say("  %s: normalized cut %s, with its own clusters %s (ARI %.3f between the two)", v.File, format.Number(v.Cut), format.Number(v.CutAlone), v.ARI)
	}
}

// saySuspects says which constraints look wrong, and what obeying them cost.
func (p *Printer) saySuspects(r *door.Result) {
	if len(r.Suspects) == 0 {
		return
	}
	p.Say("")
	var few []string
	for i, s := range r.Suspects {
		if i == 3 && !p.Verbose {
			few = append(few, "…")
			break
		}
		few = append(few, terminal.Clip(s.String(), 60))
	}
	look := "look"
	if len(r.Suspects) == 1 {
		look = "looks"
	}
	p.Warn("%d of your %s %s wrong: %s; see inkling suspect", len(r.Suspects), format.Count(r.Judged, "constraint"), look, format.Few(few, len(few)))
	if o := r.Obeyed; o != nil {
		cost := ""
		if o.Cost != nil && *o.Cost > 0 {
			cost = fmt.Sprintf("; their rows would cost %s less elsewhere", format.Number(*o.Cost))
		}
		p.Say("  %s never violates constraints and obeyed %d of them%s", r.Method, o.Suspects, cost)
	}
}
