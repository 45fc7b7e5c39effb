package reproduce

import (
	"context"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/choose"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// A trustAmount is how many constraints are given and which share of them is wrong.
type trustAmount struct {
	Pairs, Labels int
	Wrong         float64
}

func (a trustAmount) String() string {
	s := fmt.Sprintf("%d pairs", a.Pairs)
	if a.Labels > 0 {
		s = fmt.Sprintf("%d labels", a.Labels)
	}
	if a.Wrong > 0 {
		s += fmt.Sprintf(", %.0f %% wrong", 100*a.Wrong)
	}
	return s
}

func (a trustAmount) given() int { return a.Pairs + a.Labels }

func (l *Lab) trustAmounts() (list []trustAmount) {
	pairs := []int{50, 200}
	if l.Full {
		pairs = []int{20, 50, 100, 200}
	}
	for _, w := range []float64{0, 0.05, 0.2} {
		if w == 0.05 {
			if l.Full {
				list = append(list, trustAmount{Pairs: 100, Wrong: w})
			}
			continue
		}
		for _, n := range pairs {
			list = append(list, trustAmount{Pairs: n, Wrong: w})
		}
		list = append(list, trustAmount{Labels: 50, Wrong: w})
	}
	return list
}

// A trustFit is what the automatic choice made of constraints: adjusted Rand indices
// on all rows and on those in no constraint, with constraints and without, and the
// highest that any candidate reached on all rows.
type trustFit struct {
	With, Without         float64
	WithFree, WithoutFree float64
	Best                  float64
	Chosen                string
}

func (f trustFit) gain() float64     { return f.With - f.Without }
func (f trustFit) freeGain() float64 { return f.WithFree - f.WithoutFree }
func (f trustFit) regret() float64   { return f.Best - f.With }

// worseBy is by how much an index has to fall to count as worse.
const worseBy = 0.01

// onTrustSets runs a part of the recipe on all sets.
func onTrustSets(run func(*Lab, context.Context, []*trustSet) error) func(context.Context, *Lab) error {
	return func(ctx context.Context, l *Lab) error {
		sets, err := l.trustSets()
		if err != nil {
			return err
		}
		return run(l, ctx, sets)
	}
}

// trustChoice asks whether constraints help and never harm where the method is chosen
// by held-out ones.
func (l *Lab) trustChoice(ctx context.Context, sets []*trustSet) error {
	amounts, draws := l.trustAmounts(), l.Repeats(2, 3)
	var keys []string
	for _, s := range sets {
		for _, a := range amounts {
			for d := range draws {
				keys = append(keys, fmt.Sprintf("%s, %s, draw %d", s.title, a, d))
			}
		}
	}
	fits, err := Try(ctx, l, "choice by held-out constraints", keys, func(ctx context.Context, i int) (trustFit, error) {
		s, a, d := sets[i/(len(amounts)*draws)], amounts[i/draws%len(amounts)], i%draws
		return l.trustTrial(ctx, s, a, d)
	})
	if err != nil {
		return err
	}
	at := func(s, a int) []trustFit { return fits[(s*len(amounts)+a)*draws:][:draws] }
	l.putTrustSets(sets, amounts, at)
	l.putTrustAmounts(sets, amounts, at)
	l.judgeTrust(sets, amounts, at)
	return nil
}

// trustTrial draws constraints, chooses and fits.
func (l *Lab) trustTrial(ctx context.Context, s *trustSet, a trustAmount, draw int) (out trustFit, err error) {
	known, err := suspect.Trial{Labels: a.Labels, Pairs: a.Pairs, Wrong: a.Wrong, Seed: l.Seed + uint64(1000*draw)}.Draw(s.truth)
	if err != nil {
		return out, err
	}
	free := rowsWithout(known, len(s.truth))
	blind := s.task()
	labels, _, err := l.chosenFit(ctx, blind)
	if err != nil {
		return out, err
	}
	if out.Without, out.WithoutFree, err = indices(s.truth, labels, free); err != nil {
		return out, err
	}
	p := *s.p
	p.Constraints = known
	informed := s.task()
	informed.Problem = &p
	labels, choice, err := l.chosenFit(ctx, informed)
	if err != nil {
		return out, err
	}
	out.Chosen = choice.String()
	if out.With, out.WithFree, err = indices(s.truth, labels, free); err != nil {
		return out, err
	}
	out.Best = out.With
	for _, c := range choice.Trials {
		r, err := choose.Fit(ctx, informed, c.Candidate, l.trustSettings())
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			continue // it could not have been chosen
		}
		ari, _, err := indices(s.truth, r.Labels, nil)
		if err != nil {
			return out, err
		}
		out.Best = max(out.Best, ari)
	}
	return out, nil
}

func (l *Lab) trustSettings() cluster.Settings {
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort = l.Seed, 1, cluster.EffortNormal
	return s
}

// chosenFit chooses a method for the task and fits it.
func (l *Lab) chosenFit(ctx context.Context, t *choose.Task) ([]int, *choose.Choice, error) {
	c, err := choose.Run(ctx, t, choose.Options{Seed: l.Seed, Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	r, err := choose.Fit(ctx, t, c.Candidate, l.trustSettings())
	if err != nil {
		return nil, nil, err
	}
	return r.Labels, c, nil
}

// rowsWithout lists the rows that are in no constraint.
func rowsWithout(s *constraint.Set, n int) (rows []int) {
	in := make([]bool, n)
	for _, l := range s.Labels {
		in[l.I] = true
	}
	for _, pairs := range [][]constraint.Pair{s.Must, s.Cannot} {
		for _, p := range pairs {
			in[p.I], in[p.J] = true, true
		}
	}
	for i, is := range in {
		if !is {
			rows = append(rows, i)
		}
	}
	return rows
}

// fewestFree is how many rows in no constraint are enough for an index of their own.
const fewestFree = 20

// indices returns the adjusted Rand index of labels on all rows and on some; where
// these are very few, that on all rows twice.
func indices(truth, labels, some []int) (all, part float64, err error) {
	if all, err = score.ARI(truth, labels); err != nil || len(some) < fewestFree {
		return all, all, err
	}
	t, y := make([]int, len(some)), make([]int, len(some))
	for j, i := range some {
		t[j], y[j] = truth[i], labels[i]
	}
	part, err = score.ARI(t, y)
	return all, part, err
}

// putTrustSets shows each set by amount.
func (l *Lab) putTrustSets(sets []*trustSet, amounts []trustAmount, at func(s, a int) []trustFit) {
	p := Part{Title: "What constraints gain where the method is chosen by held-out constraints",
		Text: "Adjusted Rand index on all rows: what the automatic choice gives without constraints, and the difference that constraints make ± standard error over draws.",
		Head: []string{"set", "rows", "without"}}
	for _, a := range amounts {
		p.Head = append(p.Head, a.String())
	}
	for s, of := range sets {
		row := []string{of.title, fmt.Sprint(len(of.truth)), fmt.Sprintf("%.3f", at(s, 0)[0].Without)}
		for a := range amounts {
			row = append(row, signed(meanFit(at(s, a), trustFit.gain)))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// putTrustAmounts shows each amount over all sets.
func (l *Lab) putTrustAmounts(sets []*trustSet, amounts []trustAmount, at func(s, a int) []trustFit) {
	p := Part{Title: "The same over all sets",
		Text: fmt.Sprintf("Worse: fits whose index is lower by more than %v with constraints than without, on all rows and on those in no constraint. Gain ± standard error over all fits. Regret: the best candidate in hindsight less the chosen one.", worseBy),
		Head: []string{"constraints", "fits", "worse", "worse, rows in no constraint", "gain", "gain, rows in no constraint", "regret"}}
	for a, amount := range amounts {
		fits := overSets(len(sets), a, at)
		p.Rows = append(p.Rows, []string{amount.String(), fmt.Sprint(len(fits)), percent(shareWorse(fits, trustFit.gain)), percent(shareWorse(fits, trustFit.freeGain)),
			signed(meanFit(fits, trustFit.gain)), signed(meanFit(fits, trustFit.freeGain)), fmt.Sprintf("%.3f", meanFit(fits, trustFit.regret).Mean)})
	}
	l.Put(p)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

func overSets(sets, a int, at func(s, a int) []trustFit) (fits []trustFit) {
	for s := range sets {
		fits = append(fits, at(s, a)...)
	}
	return fits
}

func meanFit(fits []trustFit, of func(trustFit) float64) experiment.Mean {
	values := make([]float64, len(fits))
	for i, f := range fits {
		values[i] = of(f)
	}
	return paired(values, make([]float64, len(values)))
}

func shareWorse(fits []trustFit, of func(trustFit) float64) float64 {
	worse := 0
	for _, f := range fits {
		if of(f) < -worseBy {
			worse++
		}
	}
	return float64(worse) / float64(max(1, len(fits)))
}

// judgeTrust judges what is promised.
func (l *Lab) judgeTrust(sets []*trustSet, amounts []trustAmount, at func(s, a int) []trustFit) {
	var harmed []string
	cells := 0
	for a, amount := range amounts {
		if amount.Wrong > 0 {
			continue
		}
		for s, of := range sets {
			cells += 2
			if d := meanFit(at(s, a), trustFit.gain); below(d) {
				harmed = append(harmed, fmt.Sprintf("%s, %s: %s", of.title, amount, signed(d)))
			}
			if d := meanFit(at(s, a), trustFit.freeGain); below(d) {
				harmed = append(harmed, fmt.Sprintf("%s, %s, rows in no constraint: %s", of.title, amount, signed(d)))
			}
		}
	}
	l.Claim("(ours) true constraints make no set worse by more than two standard errors", Of(cells-len(harmed), cells), "%d of %d comparisons%s", cells-len(harmed), cells, listed(harmed))
	for _, of := range []struct {
		claim string
		most  float64
		takes func(trustAmount) bool
	}{
		{"(ours) with true constraints at most 3 % of single fits are worse", 0.03, func(a trustAmount) bool { return a.Wrong == 0 }},
		{"(ours) with up to 100 constraints, a fifth of them wrong, at most 5 % are", 0.05, func(a trustAmount) bool { return a.Wrong == 0.2 && a.given() < 200 }},
		{"(ours) with 200 constraints, a fifth of them wrong, at most 10 % are", 0.10, func(a trustAmount) bool { return a.Wrong == 0.2 && a.given() == 200 }},
	} {
		var fits []trustFit
		for a, amount := range amounts {
			if of.takes(amount) {
				fits = append(fits, overSets(len(sets), a, at)...)
			}
		}
		all, free := shareWorse(fits, trustFit.gain), shareWorse(fits, trustFit.freeGain)
		l.Claim(of.claim, verdict(all <= of.most), "%s of %d fits, counting rows in no constraint alone %s", percent(all), len(fits), percent(free))
	}
	for _, of := range []struct {
		amount trustAmount
		least  float64
	}{{trustAmount{Pairs: 100}, 0.15}, {trustAmount{Pairs: 200}, 0.25}} {
		for a, amount := range amounts {
			if amount == of.amount {
				d := meanFit(overSets(len(sets), a, at), trustFit.gain)
				l.Claim(fmt.Sprintf("(ours) %d true pairs gain at least %v on average", amount.Pairs, of.least), verdict(d.Mean >= of.least), "%s", signed(d))
			}
		}
	}
	for a, amount := range amounts {
		if amount == (trustAmount{Pairs: 200, Wrong: 0.2}) {
			d := meanFit(overSets(len(sets), a, at), trustFit.gain)
			l.Claim("(ours) 200 pairs, a fifth of them wrong, still gain on average", verdict(above(d)), "%s", signed(d))
		}
	}
	var all []trustFit
	for a := range amounts {
		all = append(all, overSets(len(sets), a, at)...)
	}
	regret := meanFit(all, trustFit.regret)
	l.Claim("(ours) the best candidate in hindsight is ahead by less than 0.10 on average", verdict(regret.Mean < 0.10), "%.3f ± %.3f", regret.Mean, regret.SE)
}

// verdict is that of a claim that holds or does not.
func verdict(holds bool) Verdict {
	if holds {
		return Reproduced
	}
	return Not
}

func listed(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "; " + strings.Join(texts, "; ")
}
