package dedupecommand

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/records"
)

// Columns of other names hold the same where they share so many values.
const (
	leastSharedValues = 5
	leastSharedPart   = 0.2 // of the values of the column with fewer
)

// A columnMatch says which column of the second table holds what a column of the first holds, −1 where none does, and whether its values
// say so and not its name.
type columnMatch struct {
	column    int
	byContent bool
}

// matchColumns returns the match of each column of a: by the name without case and marks; the ids of both; else by content, where two
// columns share more values with each other than with any other.
func matchColumns(a, b *records.Table) []columnMatch {
	out, used := make([]columnMatch, len(a.Columns)), make([]bool, len(b.Columns))
	take := func(c, other int) { out[c], used[other] = columnMatch{column: other}, true }
	for c, name := range a.Columns {
		out[c].column = -1
		at := slices.IndexFunc(b.Columns, func(other string) bool { return plainName(other) == plainName(name) })
		if at >= 0 && !used[at] {
			take(c, at)
		}
	}
	ids, otherIDs := idsOf(a), idsOf(b)
	joinIDs := ids >= 0 && otherIDs >= 0 && out[ids].column < 0 && !used[otherIDs]
	if joinIDs {
		take(ids, otherIDs)
	}
	matchByContent(a, b, out, used)
	if joinIDs && !slices.ContainsFunc(slices.Delete(slices.Clone(out), ids, ids+1), func(m columnMatch) bool { return m.column >= 0 }) {
		out[ids].column = -1 // nothing but the ids: these are tables of different things
	}
	return out
}

// matchByContent matches the columns that are left by their values.
func matchByContent(a, b *records.Table, out []columnMatch, used []bool) {
	if !slices.ContainsFunc(out, func(m columnMatch) bool { return m.column < 0 }) || !slices.Contains(used, false) {
		return
	}
	valuesA, valuesB := valueSets(a), valueSets(b)
	best := func(v map[string]bool, others []map[string]bool, open func(int) bool) int {
		at, most := -1, 0
		for i, o := range others {
			if n := sharedValues(v, o); open(i) && n > most {
				at, most = i, n
			}
		}
		return at
	}
	openA := func(c int) bool { return out[c].column < 0 }
	openB := func(c int) bool { return !used[c] }
	for c, v := range valuesA {
		if !openA(c) {
			continue
		}
		if other := best(v, valuesB, openB); other >= 0 && best(valuesB[other], valuesA, openA) == c {
			out[c], used[other] = columnMatch{other, true}, true
		}
	}
}

func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// idsOf returns the column that names the rows of a table, −1 where none is seen to.
func idsOf(t *records.Table) int {
	for c, name := range t.Columns {
		if named := isIDName(name); len(t.Columns) > 1 && (c == 0 || named) && looksLikeIDs(t.Cells[c], named) {
			return c
		}
	}
	return -1
}

func valueSets(t *records.Table) []map[string]bool {
	out := make([]map[string]bool, len(t.Columns))
	for c, cells := range t.Cells {
		out[c] = map[string]bool{}
		for _, v := range cells {
			if v = strings.ToLower(strings.TrimSpace(v)); v != "" {
				out[c][v] = true
			}
		}
	}
	return out
}

// sharedValues returns how many values two columns share, 0 where these are too few to say that they hold the same.
func sharedValues(a, b map[string]bool) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for v := range a {
		if b[v] {
			n++
		}
	}
	if n < leastSharedValues || float64(n) < leastSharedPart*float64(len(a)) {
		return 0
	}
	return n
}

// appendTable puts the rows of b under those of a. Columns that only one of them has are empty in the rows of the
// other. Ids that both files use are told apart by the names of the files.
func (j *job) appendTable(b *records.Table) error {
	a := j.table
	match := matchColumns(a, b)
	if !slices.ContainsFunc(match, func(m columnMatch) bool { return m.column >= 0 }) {
		return &door.InputError{File: b.Name, Line: 1, Msg: fmt.Sprintf("no column has a name or the values of one of %s; its columns are %s", a.Name, strings.Join(a.Columns, ", "))}
	}
	out := &records.Table{Name: a.Name, Format: a.Format, Columns: slices.Clone(a.Columns)}
	var shared, only []string
	empty := func(n int) []string { return make([]string, n) }
	for c, name := range a.Columns {
		if match[c].column < 0 {
			only = append(only, name)
			out.Cells = append(out.Cells, slices.Concat(a.Cells[c], empty(b.Len())))
			continue
		}
		other := b.Columns[match[c].column]
		if shared = append(shared, name); other != name {
			shared[len(shared)-1] = name + " = " + other
			if match[c].byContent {
				shared[len(shared)-1] += " (by content)"
			}
		}
		out.Cells = append(out.Cells, slices.Concat(a.Cells[c], b.Cells[match[c].column]))
	}
	for c, name := range b.Columns {
		if !slices.ContainsFunc(match, func(m columnMatch) bool { return m.column == c }) {
			only = append(only, name)
			out.Columns, out.Cells = append(out.Columns, name), append(out.Cells, slices.Concat(empty(a.Len()), b.Cells[c]))
		}
	}
	j.Say("%s and %s: matched columns %s", a.Name, b.Name, strings.Join(shared, ", "))
	if len(only) > 0 {
		j.Say("  in one file only: %s", strings.Join(only, ", "))
	}
	j.tellApart(out, a, b, match)
	j.table = out
	return nil
}

// tellApart puts the name of its file before each id where both files use an id.
func (j *job) tellApart(out, a, b *records.Table, match []columnMatch) {
	for c, name := range a.Columns {
		if match[c].column < 0 || j.id != name && (j.id != "" || c > 0 && !isIDName(name) || !looksLikeIDs(a.Cells[c], isIDName(name)) || !looksLikeIDs(b.Cells[match[c].column], isIDName(name))) {
			continue
		}
		seen := map[string]bool{}
		for _, id := range a.Cells[c] {
			seen[id] = true
		}
		if slices.ContainsFunc(b.Cells[match[c].column], func(id string) bool { return seen[id] }) {
			first, second := fileName(a.Name), fileName(b.Name)
			if first == second {
				first, second = "1", "2"
			}
			for i := range out.Cells[c] {
				prefix := first
				if i >= a.Len() {
					prefix = second
				}
				out.Cells[c][i] = prefix + ":" + out.Cells[c][i]
			}
			j.Say("  both files use the same ids: rows are called %s, %s", out.Cells[c][0], out.Cells[c][a.Len()])
		}
		return
	}
}

func fileName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
