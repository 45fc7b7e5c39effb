package sessioncommand

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/format"
)

// A comparison shows rows side by side.
type comparison struct {
	columns []string
	value   func(row, column int) float64
	spread  []float64 // of each column: its standard deviation
	row     map[string]int
}

// newComparison prepares the columns as they are in the data; texts and graphs have none.
func newComparison(ctx context.Context, t *inkling.Table, o inkling.Options) (*comparison, error) {
	plain := o
	plain.Scale = "none"
	p, id, err := inkling.NewProblem(ctx, t, nil, plain)
	if err != nil {
		return nil, err
	}
	c := &comparison{}
	if names := t.Columns(); p.X != nil && len(names) == p.X.Dim() && !t.HasTexts() {
		buf := make([]float64, p.X.Dim())
		c.columns, c.row = names, map[string]int{}
		c.value = func(row, column int) float64 { return p.X.Row(row, buf).Full(buf)[column] }
		c.spread = spreads(p.X.Len(), len(names), func(row int) []float64 { return p.X.Row(row, buf).Full(buf) })
		for i := range p.X.Len() {
			c.row[id(i)] = i
		}
	}
	return c, nil
}

// spreads returns the standard deviation of each column.
func spreads(rows, columns int, row func(int) []float64) []float64 {
	sum, square := make([]float64, columns), make([]float64, columns)
	for i := range rows {
		for f, y := range row(i) {
			sum[f] += y
			square[f] += y * y
		}
	}
	for f := range sum {
		mean := sum[f] / float64(rows)
		square[f] = math.Sqrt(max(0, square[f]/float64(rows)-mean*mean))
	}
	return square
}

// shownColumns is how many columns are shown: those in which the rows differ most.
const shownColumns = 12

// table returns the rows side by side, a star where they differ by more than a standard
// deviation of the column.
func (c *comparison) table(a, b string) string {
	i, okA := c.row[a]
	j, okB := c.row[b]
	if !okA || !okB {
		return ""
	}
	type line struct {
		column int
		x, y   float64
		differ float64
	}
	lines := make([]line, len(c.columns))
	for f := range lines {
		l := line{column: f, x: c.value(i, f)}
		l.y = c.value(j, f)
		if c.spread[f] > 0 {
			l.differ = math.Abs(l.x-l.y) / c.spread[f]
		}
		lines[f] = l
	}
	more := 0
	if len(lines) > shownColumns {
		slices.SortStableFunc(lines, func(l, m line) int { return cmp.Compare(m.differ, l.differ) })
		more = len(lines) - shownColumns
		lines = lines[:shownColumns]
		slices.SortStableFunc(lines, func(l, m line) int { return l.column - m.column })
	}
	var out strings.Builder
	for _, l := range lines {
		mark := " "
		if l.differ > 1 {
			mark = "*"
		}
		fmt.Fprintf(&out, "  %s %-20s %12s %12s\n", mark, terminal.Clip(terminal.Printable(c.columns[l.column]), 20), format.Number(l.x), format.Number(l.y))
	}
	if more > 0 {
		fmt.Fprintf(&out, "    and %d columns that differ less\n", more)
	}
	return out.String()
}
