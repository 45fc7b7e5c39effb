package dedupecommand

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/dedupe"
)

// A mergedRecord is one record of an entity: of each column the value of its newest record that has one, where --newest says how new
// records are, else the value that most of its records have, of several the longest, then the first; and the columns in which they differ.
type mergedRecord struct {
	entity    int
	records   int
	cells     []string
	conflicts []string
}

// mergedRecords returns the merged record of every entity, ascending. The column of the ids is left out: the ids of
// the rows are in the file of entities.
func (j *answer) mergedRecords(r *dedupe.Result, columns []int) []mergedRecord {
	var days []int
	if j.newest != "" {
		c, _ := j.table.Column(j.newest) // checked when the table was read
		days = dedupe.Dates(j.table.Cells[c])
	}
	members := make([][]int, r.Entities)
	for i, e := range r.Entity {
		members[e] = append(members[e], i)
	}
	out := make([]mergedRecord, r.Entities)
	for e, rows := range members {
		m := mergedRecord{entity: e, records: len(rows), cells: make([]string, len(columns))}
		for k, c := range columns {
			value, differ := j.mergedCell(c, rows, days)
			if m.cells[k] = value; differ != "" {
				m.conflicts = append(m.conflicts, j.table.Columns[c]+": "+differ)
			}
		}
		out[e] = m
	}
	return out
}

// mergedCell returns the value of a column for these rows, and the values that say something else. Where days are given, the latest row
// with a value decides.
func (j *answer) mergedCell(c int, rows, days []int) (value, differ string) {
	type writing struct {
		text  string
		count int
	}
	var order []string // normalised values, in their first order
	count, best, latest := map[string]int{}, map[string][]writing{}, map[string]int{}
	for _, i := range rows {
		cell := strings.TrimSpace(j.table.Cells[c][i])
		key := dedupe.Normalise(cell)
		if key == "" {
			continue
		}
		if count[key]++; count[key] == 1 {
			order = append(order, key)
		}
		if days != nil {
			latest[key] = max(latest[key], days[i])
		}
		found := false
		for k := range best[key] {
			if best[key][k].text == cell {
				best[key][k].count++
				found = true
			}
		}
		if !found {
			best[key] = append(best[key], writing{cell, 1})
		}
	}
	if len(order) == 0 {
		return "", ""
	}
	top := order[0]
	for _, key := range order[1:] {
		if c := cmp.Or(cmp.Compare(latest[key], latest[top]), cmp.Compare(count[key], count[top]), cmp.Compare(len(key), len(top))); c > 0 {
			top = key
		}
	}
	text := func(key string) string {
		w := best[key][0]
		for _, o := range best[key][1:] {
			if o.count > w.count || o.count == w.count && len(o.text) > len(w.text) {
				w = o
			}
		}
		return w.text
	}
	var others []string
	for _, key := range order {
		if key != top {
			others = append(others, text(key))
		}
	}
	return text(top), strings.Join(others, " | ")
}

// writeMerged writes one record per entity.
func (j *answer) writeMerged(w io.Writer, r *dedupe.Result) error {
	var columns []int
	for c, name := range j.table.Columns {
		if name != j.idName {
			columns = append(columns, c)
		}
	}
	header := []string{"entity", "records"}
	for _, c := range columns {
		header = append(header, j.table.Columns[c])
	}
	header = append(header, "conflicts")
	row := func(m mergedRecord) []string {
		cells := append([]string{strconv.Itoa(m.entity), strconv.Itoa(m.records)}, m.cells...)
		return append(cells, strings.Join(m.conflicts, "; "))
	}
	records := j.mergedRecords(r, columns)
	out := csv.NewWriter(w)
	_ = out.Write(header)
	for _, m := range records {
		_ = out.Write(row(m))
	}
	out.Flush()
	return out.Error()
}
