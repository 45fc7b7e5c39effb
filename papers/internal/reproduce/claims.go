package reproduce

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// pairCurve is Curve over numbers of pairs.
func (l *Lab) pairCurve(ctx context.Context, title string, s *set, methods string, folds, repeats int, measure string, pairs []int, names ...string) (*experiment.Table, error) {
	return l.problemCurve(ctx, title, s.problem(), s.Truth, methods, folds, repeats, measure, pairs, names...)
}

// problemCurve is pairCurve of any problem.
func (l *Lab) problemCurve(ctx context.Context, title string, p *cluster.Problem, truth []int, methods string, folds, repeats int, measure string, pairs []int, names ...string) (*experiment.Table, error) {
	parsed, err := experiment.ParseMethods(methods)
	if err != nil {
		return nil, err
	}
	c := &experiment.Curve{Problem: p, Truth: truth, Methods: parsed, Vary: experiment.Pairs,
		Folds: folds, Repeats: repeats, Measure: measure}
	for _, n := range pairs {
		c.Amounts = append(c.Amounts, experiment.Amount{Pairs: n})
	}
	return l.Curve(ctx, title, c, names...)
}

// gains puts a table on the sheet of what the first method gains on each other,
// paired, with p corrected for the overlap of folds.
func (l *Lab) gains(title string, t *experiment.Table) {
	p := Part{Title: title, Text: "Paired differences ± standard error; in parentheses p corrected for the overlap of folds (Nadeau and Bengio 2003).",
		Head: []string{t.Vary}}
	for _, m := range t.Methods[1:] {
		p.Head = append(p.Head, t.Methods[0]+" − "+m)
	}
	for a, x := range t.X {
		row := []string{fmt.Sprintf("%g", x)}
		for m := range t.Methods[1:] {
			c := t.Compare(0, m+1, a)
			row = append(row, fmt.Sprintf("%s (%.2g)", signed(c.Difference), c.Corrected))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// judgeAhead judges the claim that method a is ahead of method b at every amount
// from the one at place first on: ahead is by more than two standard errors of
// the paired difference.
func (l *Lab) judgeAhead(t *experiment.Table, a, b, first int, claim string) {
	l.judgeEach(t, a, b, first, len(t.X)-1, claim, above)
}

// judgeEach judges the claim that what method a gains on method b passes the
// test at every amount from place first to place last.
func (l *Lab) judgeEach(t *experiment.Table, a, b, first, last int, claim string, test func(experiment.Mean) bool) {
	held, all := 0, 0
	var numbers []string
	for at := first; at <= last; at++ {
		d := t.Compare(a, b, at).Difference
		all++
		if test(d) {
			held++
		}
		numbers = append(numbers, fmt.Sprintf("%s at %g", signed(d), t.X[at]))
	}
	l.Claim(claim, Of(held, all), "%s", strings.Join(numbers, ", "))
}

// above and below ask for more than two standard errors, notBelow for no more
// than that on the wrong side. Where every fit has the same difference, that is
// without doubt.
func above(d experiment.Mean) bool    { return d.Mean > 2*d.SE }
func below(d experiment.Mean) bool    { return -d.Mean > 2*d.SE }
func notBelow(d experiment.Mean) bool { return !below(d) }

// rise returns what method m has at amount to beyond what it has at amount
// from, paired: the folds are the same.
func rise(t *experiment.Table, m, to, from int) experiment.Mean {
	return paired(t.Scores(m, to), t.Scores(m, from))
}

// paired returns the mean of y − x over the places that have both.
func paired(y, x []float64) experiment.Mean {
	n := min(len(y), len(x))
	two, err := experiment.Tabulate("", "", []string{"y", "x"}, []float64{0}, [][][]float64{{y[:n]}, {x[:n]}})
	if err != nil {
		return experiment.Mean{Mean: math.NaN(), SE: math.NaN()} // cannot be: one list a method
	}
	return two.Compare(0, 1, 0).Difference
}

// judgeRise judges the claim that method m ends above where it starts.
func (l *Lab) judgeRise(t *experiment.Table, m int, claim string) {
	last := len(t.X) - 1
	d := rise(t, m, last, 0)
	held := 0
	if above(d) {
		held = 1
	}
	l.Claim(claim, Of(held, 1), "%s; %s from %g to %g", curve(t, m), signed(d), t.X[0], t.X[last])
}

// judgeDip judges the claim that method m falls at first and ends above where it
// started. To do one of the two is to do it partly, if it is the dip.
func (l *Lab) judgeDip(t *experiment.Table, m int, claim string) {
	last, deepest := len(t.X)-1, 1
	for a := 2; a < last; a++ {
		if t.Cells[m][a].Score.Mean < t.Cells[m][deepest].Score.Mean {
			deepest = a
		}
	}
	dip, end := rise(t, m, deepest, 0), rise(t, m, last, 0)
	v := Not
	switch {
	case below(dip) && above(end):
		v = Reproduced
	case below(dip):
		v = Partly
	}
	l.Claim(claim, v, "%s; %s at %g, %s at %g", curve(t, m), signed(dip), t.X[deepest], signed(end), t.X[last])
}

// curve writes the means of method m, amount by amount.
func curve(t *experiment.Table, m int) string {
	var texts []string
	for _, c := range t.Cells[m] {
		texts = append(texts, fmt.Sprintf("%.3f", c.Score.Mean))
	}
	return t.Methods[m] + " " + strings.Join(texts, " / ")
}

func signed(d experiment.Mean) string { return fmt.Sprintf("%+.3f ± %.3f", d.Mean, d.SE) }
