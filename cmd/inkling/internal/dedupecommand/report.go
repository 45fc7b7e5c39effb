package dedupecommand

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/support/format"
)

//go:embed report.html
var reportPage string

// Bounds of the report.
const (
	reportWeak    = 50 // weak groups that it shows,
	reportLargest = 20 // and large entities,
	reportRows    = 8  // and records of each
)

// A reportGroup is an entity in the report, with its records.
type reportGroup struct {
	Entity  int
	Records int
	Pair    string // the weak pair that holds it together, with its probability; empty where there is none
	Why     []string
	Columns []string
	Rows    []reportRow
	More    int // records that are not shown
}

type reportRow struct {
	ID    string
	Cells []string
	Weak  bool // of the weak pair
}

type reportData struct {
	*Output
	Table  string
	Weak   []reportGroup
	Hidden int // weak groups that are not shown
	Large  []reportGroup
}

// writeReport writes a page that says what was found, what other thresholds would give, which entities one weak pair
// holds together, with their records, and which are the largest.
func (j *answer) writeReport(w io.Writer, r *dedupe.Result, o *Output) error {
	members := make([][]int, r.Entities)
	for i, e := range r.Entity {
		members[e] = append(members[e], i)
	}
	d := reportData{Output: o, Table: j.path, Hidden: max(len(r.Weak)-reportWeak, 0)}
	for _, g := range r.Weak[:min(len(r.Weak), reportWeak)] {
		made := j.reportGroup(g.Entity, members[g.Entity], g.A, g.B)
		made.Pair = fmt.Sprintf("%s and %s, probability %.2f", j.ids.ID(g.A), j.ids.ID(g.B), g.Probability)
		for _, f := range r.Explain(g.A, g.B).Fields {
			if f.Level != "missing" {
				made.Why = append(made.Why, fmt.Sprintf("%s: %s (%+.1f)", f.Name, cmp.Or(inWords[f.Level], "equal"), f.Evidence))
			}
		}
		d.Weak = append(d.Weak, made)
	}
	order := make([]int, r.Entities)
	for e := range order {
		order[e] = e
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(members[b]) - len(members[a]) })
	for _, e := range order[:min(len(order), reportLargest)] {
		if len(members[e]) > 1 {
			d.Large = append(d.Large, j.reportGroup(e, members[e], -1, -1))
		}
	}
	page, err := template.New("report").Funcs(template.FuncMap{
		"percent": func(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) },
		"share":   func(v float64) string { return fmt.Sprintf("%.2f", v) },
		"count":   format.Count,
	}).Parse(reportPage)
	if err != nil {
		return err
	}
	return page.Execute(w, d)
}

// reportGroup returns an entity with the records a and b first.
func (j *answer) reportGroup(entity int, members []int, a, b int) reportGroup {
	g := reportGroup{Entity: entity, Records: len(members)}
	for _, c := range j.fieldColumns {
		g.Columns = append(g.Columns, j.table.Columns[c])
	}
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(x, y int) int { return rank(x == a || x == b) - rank(y == a || y == b) })
	for _, i := range members[:min(len(members), reportRows)] {
		row := reportRow{ID: j.ids.ID(i), Weak: i == a || i == b}
		for _, c := range j.fieldColumns {
			row.Cells = append(row.Cells, j.table.Cells[c][i])
		}
		g.Rows = append(g.Rows, row)
	}
	g.More = len(members) - len(g.Rows)
	return g
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}
