package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// caution stands below every table for people.
const caution = "Folds share most of their rows, so standard errors and p are on the small side;\n" +
	"p corrected allows for that (Nadeau and Bengio 2003). Many comparisons are made: some\n" +
	"small p are chance."

// WriteText writes the table for people to read.
func (t *Table) WriteText(w io.Writer) error {
	return t.write(w, func(b *strings.Builder, head []string, rows [][]string) {
		wide := make([]int, len(head))
		for _, row := range append([][]string{head}, rows...) {
			for i, s := range row {
				wide[i] = max(wide[i], utf8.RuneCountInString(s))
			}
		}
		for _, row := range append([][]string{head}, rows...) {
			line := ""
			for i, s := range row {
				line += strings.Repeat(" ", wide[i]-utf8.RuneCountInString(s)) + s + "   "
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	})
}

// WriteMarkdown writes the table as Markdown.
func (t *Table) WriteMarkdown(w io.Writer) error {
	return t.write(w, func(b *strings.Builder, head []string, rows [][]string) {
		line := func(row []string) {
			for _, s := range row {
				b.WriteString("| " + strings.ReplaceAll(s, "|", `\|`) + " ")
			}
			b.WriteString("|\n")
		}
		line(head)
		b.WriteString(strings.Repeat("|---:", len(head)) + "|\n")
		for _, row := range rows {
			line(row)
		}
	})
}

// write lays out scores and comparisons; grid draws one of the two.
func (t *Table) write(w io.Writer, grid func(b *strings.Builder, head []string, rows [][]string)) error {
	var b strings.Builder
	if t.Done < t.Total {
		fmt.Fprintf(&b, "CUT SHORT: %d of %d fits. The table is of what was done.\n\n", t.Done, t.Total)
	}
	b.WriteString(t.Caption() + "\n\n")
	head, rows := t.Means()
	grid(&b, head, rows)
	if len(t.Methods) > 1 {
		fmt.Fprintf(&b, "\nCompared with %s, fit by fit\n\n", t.Methods[0])
		head, rows = t.comparisons()
		grid(&b, head, rows)
		if t.Folds > 0 {
			b.WriteString("\n" + caution + "\n")
		}
	} else if t.Folds > 0 {
		b.WriteString("\nFolds share most of their rows, so standard errors are on the small side.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// fixed says how much is known besides what varies.
func (t *Table) fixed() string {
	if len(t.Amounts) == 0 {
		return ""
	}
	var parts []string
	a := t.Amounts[0]
	if t.Vary != Pairs && t.Vary != Answers && a.Pairs > 0 {
		parts = append(parts, fmt.Sprintf("%d pairs", a.Pairs))
	}
	if t.Vary != Seeds && a.Seeds > 0 {
		parts = append(parts, fmt.Sprintf("a fraction of %v of the training rows labelled", a.Seeds))
	}
	if t.Vary != Noise && a.Noise > 0 {
		parts = append(parts, fmt.Sprintf("a fraction of %v of them wrong", a.Noise))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Caption says what the numbers of the table are.
func (t *Table) Caption() string {
	if t.Folds == 0 {
		return fmt.Sprintf("%s%s: mean ± standard error over %d %s", t.Measure, t.fixed(), t.Repeats, plural(t.Repeats, "draw"))
	}
	return fmt.Sprintf("%s on the rows of the fold%s: mean ± standard error over %d %s of %d folds",
		t.Measure, t.fixed(), t.Repeats, plural(t.Repeats, "repeat"), t.Folds)
}

// Means returns the table of scores as text: what varies, then one column a method.
func (t *Table) Means() (head []string, rows [][]string) {
	head = append([]string{t.Vary}, t.Methods...)
	for a, x := range t.X {
		row := []string{short(x)}
		for m := range t.Methods {
			row = append(row, t.Cells[m][a].String())
		}
		rows = append(rows, row)
	}
	return head, rows
}

func (t *Table) comparisons() (head []string, rows [][]string) {
	head = []string{t.Vary, "method", "difference", "p", "p corrected", "better/equal/worse"}
	for a, x := range t.X {
		for m := 1; m < len(t.Methods); m++ {
			c := t.Cells[m][a].Against
			rows = append(rows, []string{short(x), t.Methods[m], c.Difference.format("%+.3f"), chance(c.P), chance(c.Corrected),
				fmt.Sprintf("%d/%d/%d", c.Better, c.Equal, c.Worse)})
		}
	}
	return head, rows
}

// String returns mean, standard error and failures for people.
func (c Cell) String() string {
	s := c.Score.String()
	if c.Failed > 0 {
		s += fmt.Sprintf(" (%d failed)", c.Failed)
	}
	return s
}

// String returns the mean and its standard error with three digits.
func (m Mean) String() string { return m.format("%.3f") }

func (m Mean) format(verb string) string {
	switch {
	case m.N == 0:
		return "–"
	case math.IsNaN(m.SE):
		return fmt.Sprintf(verb, m.Mean+0) // never −0
	}
	return fmt.Sprintf(verb+" ± %.3f", m.Mean+0, m.SE)
}

func chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteCSV writes one line for each method and amount, with every number as it
// is; missing values are left empty.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"method", "measure", "pairs", "seeds", "noise", "mean", "se", "n", "failed",
		"difference", "difference_se", "t", "p", "p_corrected", "better", "equal", "worse", "p_sign"})
	for m, name := range t.Methods {
		for a, amount := range t.Amounts {
			c := t.Cells[m][a]
			row := []string{name, t.Measure, strconv.Itoa(amount.Pairs), short(amount.Seeds), short(amount.Noise),
				exact(c.Score.Mean), exact(c.Score.SE), strconv.Itoa(c.Score.N), strconv.Itoa(c.Failed)}
			if g := c.Against; g != nil {
				row = append(row, exact(g.Difference.Mean), exact(g.Difference.SE), exact(g.T), exact(g.P), exact(g.Corrected),
					strconv.Itoa(g.Better), strconv.Itoa(g.Equal), strconv.Itoa(g.Worse), exact(g.Sign))
			} else {
				row = append(row, make([]string, 9)...)
			}
			_ = out.Write(row)
		}
	}
	out.Flush()
	return out.Error() // of any of the writes
}

func exact(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return short(x)
}
