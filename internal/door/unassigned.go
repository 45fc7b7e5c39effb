package door

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Why a row has no cluster.
const (
	emptyText  = "empty text"
	noWord     = "no word that other texts have"
	noValue    = "no value in a column that is used"
	noEdge     = "no edge"
	noClusters = -1 // the cluster of a row that has none
)

// Unassigned counts the rows without a cluster for one reason.
type Unassigned struct {
	Reason string `json:"reason"`
	Rows   int    `json:"rows"`
}

// noPlace are the rows of a table that have no cluster, each with the reason.
type noPlace map[int]string

// counts returns how many rows have no cluster for each reason, the most first.
func (u noPlace) counts() (out []Unassigned) {
	at := map[string]int{}
	for _, why := range u {
		at[why]++
	}
	for why, n := range at {
		out = append(out, Unassigned{why, n})
	}
	slices.SortFunc(out, func(a, b Unassigned) int { return cmp.Or(b.Rows-a.Rows, cmp.Compare(a.Reason, b.Reason)) })
	return out
}

// sayUnassigned says how many rows have no cluster, and why. Noise is what a method was asked for, and no warning.
func (n *notes) sayUnassigned(u noPlace, point string) {
	var why []string
	total, noise := 0, 0
	for _, c := range u.counts() {
		if c.Reason == noiseRow {
			noise = c.Rows
			continue
		}
		total += c.Rows
		why = append(why, fmt.Sprintf("%d with %s", c.Rows, c.Reason))
	}
	if noise > 0 {
		n.say("%s without a cluster: noise ({noise=join} in a fit gives each the cluster that it would join first)", format.Count(noise, point))
	}
	switch len(why) {
	case 0:
		return
	case 1:
		why[0] = strings.TrimPrefix(why[0], fmt.Sprintf("%d ", total))
	}
	n.warn("%s without a cluster: %s ({assign=all} in a fit places every %s)", format.Count(total, point), strings.Join(why, ", "), point)
}

// findUnplaced returns the rows of t that have nothing to be placed by: texts without a word,
// and rows of a table without one value. specs are the columns that are used.
func findUnplaced(t *Table, ready *prepare.Prepared, specs []columns.Spec) noPlace {
	out := noPlace{}
	row := func(at int) int {
		if ready.Rows != nil {
			return ready.Rows[at]
		}
		return at
	}
	if x, sparse := ready.X.(*data.Sparse); sparse && t.ds.Docs != nil {
		for at := range x.Len() {
			if x.Start[at] < x.Start[at+1] {
				continue
			}
			i := row(at)
			if out[i] = noWord; strings.TrimSpace(t.ds.Docs[i]) == "" {
				out[i] = emptyText
			}
		}
		return out
	}
	if ready.Rows != nil {
		return out // those with missing values were dropped
	}
	for i := range valueless(t.ds, specs) {
		if t.ds.Beside == nil || strings.TrimSpace(t.ds.Beside[i]) == "" {
			out[i] = noValue
		}
	}
	return out
}

// valueless returns the rows without a value in any of the columns.
func valueless(ds *dataio.Dataset, specs []columns.Spec) map[int]bool {
	var left map[int]bool // nil: all rows
	for _, s := range specs {
		j := slices.Index(ds.Columns, s.Name)
		if j < 0 {
			continue
		}
		v, missing := s.ValuesOf(ds, j), map[int]bool{}
		for i := range ds.Len() {
			if left != nil && !left[i] {
				continue
			}
			if v.Numbers != nil && v.Numbers[i] != v.Numbers[i] || v.Numbers == nil && v.Texts[i] == "" {
				missing[i] = true
			}
		}
		if left = missing; len(left) == 0 {
			return nil
		}
	}
	return left
}

// usedSpecs returns the columns of a plan that are used, those with the fewest missing cells
// first; none where a column has a value in every row.
func usedSpecs(p *Plan) (out []columns.Spec) {
	if p == nil || p.Plain {
		return nil
	}
	list := slices.DeleteFunc(p.Lines(), func(c PlannedColumn) bool { return !c.Used || c.At < 0 })
	slices.SortStableFunc(list, func(a, b PlannedColumn) int { return a.Missing - b.Missing })
	for _, c := range list {
		if c.Missing == 0 {
			return nil
		}
		out = append(out, c.Spec)
	}
	return out
}

// withoutRows returns the places of a prepared table that are not among the unplaced rows, and the rows of
// the table that stand there.
func withoutRows(ready *prepare.Prepared, u noPlace) (at, rows []int) {
	for p := range ready.X.Len() {
		i := p
		if ready.Rows != nil {
			i = ready.Rows[p]
		}
		if _, no := u[i]; !no {
			at, rows = append(at, p), append(rows, i)
		}
	}
	return at, rows
}

// takeReady takes the prepared rows, without those that have nothing to be placed by.
func (j *job) takeReady(ready *prepare.Prepared) {
	j.p.X, j.p.Finite, j.rows = ready.X, ready.Finite, ready.Rows
	if j.o.Assign == AssignAll || len(j.o.Views) > 0 {
		return
	}
	if j.unplaced == nil {
		j.unplaced = findUnplaced(j.t, ready, usedSpecs(j.t.plan))
	}
	if len(j.unplaced) == 0 {
		return
	}
	at, rows := withoutRows(ready, j.unplaced)
	if len(at) == 0 { // the method says what is wrong with rows that have nothing
		clear(j.unplaced)
		return
	}
	j.p.X, j.p.Finite, j.rows = data.Pick(ready.X, at), nil, rows
}
