package reproduce

import (
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// bounds returns the least, the greatest and the standard deviation of the
// scores of method m at place at; of none they are NaN.
func bounds(t *experiment.Table, m, at int) (lo, hi, sd float64) {
	lo, hi = math.NaN(), math.NaN()
	for _, y := range t.Scores(m, at) {
		if math.IsNaN(y) {
			continue
		}
		if !(lo <= y) {
			lo = y
		}
		if !(hi >= y) {
			hi = y
		}
	}
	s := t.Cells[m][at].Score
	return lo, hi, s.SE * math.Sqrt(float64(s.N))
}

// ranges puts a table of the least and the greatest score on the sheet.
func (l *Lab) ranges(title string, t *experiment.Table) {
	p := Part{Title: title, Text: t.Measure + ": least to greatest, and the standard deviation over draws", Head: append([]string{t.Vary}, t.Methods...)}
	for at, x := range t.X {
		row := []string{fmt.Sprintf("%g", x)}
		for m := range t.Methods {
			lo, hi, sd := bounds(t, m, at)
			row = append(row, fmt.Sprintf("%s to %s (%s)", dashed("%.2f", lo), dashed("%.2f", hi), dashed("%.3f", sd)))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// dashed writes a number, or a dash where there is none.
func dashed(format string, y float64) string {
	if math.IsNaN(y) {
		return "–"
	}
	s := fmt.Sprintf(format, y)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // never −0
	}
	return s
}

// plainTable puts a table on the sheet without a chart.
func (l *Lab) plainTable(title string, t *experiment.Table) {
	head, rows := t.Means()
	l.Put(Part{Title: title, Text: t.Caption(), Head: head, Rows: rows})
}

// judgeAt judges a claim that should hold at every amount from place first on,
// in several tables: held counts all of them, numbers are those of the first
// and the last amount.
func (l *Lab) judgeAt(claim string, names []string, tables []*experiment.Table, first int, test func(t *experiment.Table, at int) (held bool, number string)) {
	held, all := 0, 0
	var texts []string
	for g, t := range tables {
		here, last := 0, len(t.X)-1
		for at := first; at <= last; at++ {
			if ok, _ := test(t, at); ok {
				here++
			}
		}
		held, all = held+here, all+last-first+1
		_, begin := test(t, first)
		_, end := test(t, last)
		texts = append(texts, fmt.Sprintf("%s: %d of %d, %s at %g, %s at %g", names[g], here, last-first+1, begin, t.X[first], end, t.X[last]))
	}
	l.Claim(claim, Of(held, all), "%s", strings.Join(texts, "; "))
}

// aheadOf asks whether method a is ahead of method b.
func aheadOf(a, b int) func(*experiment.Table, int) (bool, string) {
	return func(t *experiment.Table, at int) (bool, string) {
		d := t.Compare(a, b, at).Difference
		return above(d), signed(d)
	}
}

// atLeast asks whether the mean of method m is no less than that.
func atLeast(m int, least float64) func(*experiment.Table, int) (bool, string) {
	return func(t *experiment.Table, at int) (bool, string) {
		s := t.Cells[m][at].Score
		return s.Mean >= least, s.String()
	}
}

// atEnd narrows tables down to their last amount.
func atEnd(test func(*experiment.Table, int) (bool, string)) func(*experiment.Table) (bool, string) {
	return func(t *experiment.Table) (bool, string) {
		ok, number := test(t, len(t.X)-1)
		return ok, fmt.Sprintf("%s at %g", number, t.X[len(t.X)-1])
	}
}

// judgeTables judges a claim that should hold in each of several tables.
func (l *Lab) judgeTables(claim string, names []string, tables []*experiment.Table, test func(*experiment.Table) (bool, string)) {
	held := 0
	var texts []string
	for g, t := range tables {
		ok, number := test(t)
		if ok {
			held++
		}
		texts = append(texts, names[g]+": "+number)
	}
	l.Claim(claim, Of(held, len(tables)), "%s", strings.Join(texts, "; "))
}

// differences puts a table of paired differences on the sheet.
func (l *Lab) differences(title string, t *experiment.Table, pairs [][2]int) {
	p := Part{Title: title, Text: t.Measure + ": paired differences ± standard error", Head: []string{t.Vary}}
	for _, q := range pairs {
		p.Head = append(p.Head, t.Methods[q[0]]+" − "+t.Methods[q[1]])
	}
	for at, x := range t.X {
		row := []string{fmt.Sprintf("%g", x)}
		for _, q := range pairs {
			row = append(row, signed(t.Compare(q[0], q[1], at).Difference))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}
