package reproduce

import (
	"context"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// askTables are those that questions are judged on. On Iris, Wine, WDBC,
// Digits 3, 8, 9 and Letters I, J, L earlier forms of the strategy and of label-spreading
// were tried; the others had no part in their choice.
var askTables = []namedSet{
	{"Iris", from("iris", 1, 0)},
	{"Wine", from("wine", 1, 0)},
	{"Breast cancer (WDBC)", from("wdbc", 1, 0)},
	{"Protein", from("protein", 1, 0)},
	{"Digits 3, 8, 9", from("pendigits", 10, 0, "3", "8", "9")},
	{"Digits 2, 5, 6", from("pendigits", 10, 5, "2", "5", "6")},
	{"Digits 0, 4, 9", from("pendigits", 10, 5, "0", "4", "9")},
	{"Letters I, J, L", from("letter", 10, 0, "I", "J", "L")},
	{"Letters M, N, W", from("letter", 10, 5, "M", "N", "W")},
	{"Letters E, F, P", from("letter", 10, 5, "E", "F", "P")},
	{"5 blobs, 8 features", blobs(400, 5, 8, 1.5, 101, false)},
	{"Two circles", twoCircles},
}

// askStrategies are compared; the first is ours.
var askStrategies = []active.Strategy{active.Auto, active.NPU, active.MinMax, active.ExploreConsolidate, active.COBRAS, active.Random}

// askShare is the share of the rows that a repeat is about.
const askShare = 0.9

// wrongAnswers is the share of wrong answers of the second part.
const wrongAnswers = 0.05

// askedSet is a set with what is asked about it.
type askedSet struct {
	title string
	c     experiment.Questions
}

// askedSets reads all sets, standardised, and texts of newsgroups.
func (l *Lab) askedSets(noise float64, strategies []active.Strategy) (list []*askedSet, err error) {
	answers := []int{0, 10, 20, 50, 100}
	if l.Full {
		answers = append(answers, 200)
	}
	methods, err := experiment.ParseMethods("label-spreading")
	if err != nil {
		return nil, err
	}
	settings := cluster.Default()
	settings.Seed, settings.Restarts = l.Seed, 1
	add := func(title string, p *cluster.Problem, truth []int) {
		list = append(list, &askedSet{title, experiment.Questions{Problem: p, Truth: truth, Strategies: strategies, Method: methods[0],
			Answers: answers, Noise: noise, Repeats: l.Repeats(2, 5), Share: askShare, Measure: "ari", Settings: settings}})
	}
	for _, t := range askTables {
		s, err := t.read(l)
		if err == nil {
			s, err = s.standardise()
		}
		if err != nil {
			return nil, err
		}
		add(t.title, s.problem(), s.Truth)
	}
	texts, err := l.trustTexts()
	if err != nil {
		return nil, err
	}
	for _, s := range texts {
		add(s.title, s.p, s.truth)
	}
	return list, nil
}

// askCurves compares strategies on all sets.
func askCurves(ctx context.Context, l *Lab) error {
	sets, err := l.askedSets(0, askStrategies)
	if err != nil {
		return err
	}
	all, unasked, err := l.converse(ctx, "questions", sets)
	if err != nil {
		return err
	}
	for s, t := range all {
		l.Table(sets[s].title+", all rows", t)
	}
	l.putUnasked(sets, unasked)
	l.judgeStrategies(sets, all)
	return nil
}

// askNoise does it with wrong answers.
func askNoise(ctx context.Context, l *Lab) error {
	sets, err := l.askedSets(wrongAnswers, []active.Strategy{active.Auto, active.Random})
	if err != nil {
		return err
	}
	all, _, err := l.converse(ctx, "questions with wrong answers", sets)
	if err != nil {
		return err
	}
	p := Part{Title: "The area under the curve, 5 % of the answers wrong", Text: "Adjusted Rand index of all rows, mean over the curve ± standard error over repeats.",
		Head: []string{"set", "auto", "random", "difference"}}
	var gains []float64
	for s, t := range all {
		d := paired(t.Area(0), t.Area(1))
		gains = append(gains, d.Mean)
		p.Rows = append(p.Rows, []string{sets[s].title, plusMinus(meanOfValues(t.Area(0))), plusMinus(meanOfValues(t.Area(1))), signed(d)})
	}
	l.Put(p)
	mean := meanOfValues(gains)
	l.Claim("(ours) With 5 % wrong answers the questions of auto are still better than random ones", verdict(above(mean)), "%s over %d sets", signed(mean), len(sets))
	return nil
}

// converse holds the conversations of all sets, each a trial.
func (l *Lab) converse(ctx context.Context, step string, sets []*askedSet) (all, unasked []*experiment.Table, err error) {
	var keys []string
	type place struct{ set, strategy, repeat int }
	var places []place
	for s, set := range sets {
		for q, name := range set.c.Strategies {
			for r := range set.c.Repeats {
				keys = append(keys, fmt.Sprintf("%s, %s, answers %v, %v wrong, share %v, repeat %d", set.title, name, set.c.Answers, set.c.Noise, set.c.Share, r))
				places = append(places, place{s, q, r})
			}
		}
	}
	done, err := Try(ctx, l, step, keys, func(ctx context.Context, i int) (experiment.Answered, error) {
		c := &sets[places[i].set].c
		return c.Converse(ctx, c.Strategies[places[i].strategy], places[i].repeat, 1)
	})
	if err != nil {
		return nil, nil, err
	}
	at := 0
	for _, set := range sets {
		first, repeats := at, set.c.Repeats
		a, u, err := set.c.Tables(func(strategy, repeat int) experiment.Answered { return done[first+strategy*repeats+repeat] })
		if err != nil {
			return nil, nil, err
		}
		all, unasked = append(all, a), append(unasked, u)
		at += len(set.c.Strategies) * repeats
	}
	return all, unasked, nil
}

// putUnasked shows the scores of rows that were never asked about.
func (l *Lab) putUnasked(sets []*askedSet, unasked []*experiment.Table) {
	p := Part{Title: "Rows never asked about: the area under the curve", Text: "Adjusted Rand index, mean over the curve ± standard error over repeats.", Head: append([]string{"set"}, unasked[0].Methods...)}
	for s, t := range unasked {
		row := []string{sets[s].title}
		for m := range t.Methods {
			row = append(row, plusMinus(meanOfValues(t.Area(m))))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// judgeStrategies shows the areas under the curves and judges ours: it should be the best,
// or within one standard error of the best, on each set, and better than random questions
// by more than two on at least eight.
func (l *Lab) judgeStrategies(sets []*askedSet, all []*experiment.Table) {
	p := Part{Title: "All rows: the area under the curve", Text: "Adjusted Rand index, mean over the curve ± standard error over repeats, each with nine tenths of the rows; then what auto has beyond the best of the others, and beyond random, paired over repeats.",
		Head: append(append([]string{"set"}, all[0].Methods...), "auto − best other", "auto − random")}
	best, beyond := 0, 0
	var behind []string
	for s, t := range all {
		row := []string{sets[s].title}
		other, highest := 1, -2.0
		for m := range t.Methods {
			area := meanOfValues(t.Area(m))
			row = append(row, plusMinus(area))
			if m > 0 && area.Mean > highest {
				other, highest = m, area.Mean
			}
		}
		d, r := paired(t.Area(0), t.Area(other)), paired(t.Area(0), t.Area(len(t.Methods)-1))
		if d.Mean >= -d.SE {
			best++
		} else {
			behind = append(behind, fmt.Sprintf("%s %s (%s)", sets[s].title, signed(d), t.Methods[other]))
		}
		if above(r) {
			beyond++
		}
		p.Rows = append(p.Rows, append(row, signed(d), signed(r)))
	}
	l.Put(p)
	l.Claim("(ours) On every set the questions of auto are the best, or within one standard error of the best", Of(best, len(sets)), "on %d of %d%s", best, len(sets), behindText(behind))
	l.Claim("(ours) They are better than random ones by more than two standard errors on at least eight sets", verdict(beyond >= 8), "on %d of %d", beyond, len(sets))
}

func behindText(behind []string) string {
	if len(behind) == 0 {
		return ""
	}
	return "; behind on " + strings.Join(behind, ", ")
}
