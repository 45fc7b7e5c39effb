package dedupecommand

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/records"
)

// matchColumns returns for each column of a the column of b that holds the same, −1 where there is none: by the name
// without case and marks.
func matchColumns(a, b *records.Table) []int {
	plain := func(name string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" _-.", r) {
				return -1
			}
			return r
		}, strings.ToLower(name))
	}
	out, used := make([]int, len(a.Columns)), map[int]bool{}
	for c, name := range a.Columns {
		out[c] = slices.IndexFunc(b.Columns, func(other string) bool { return plain(other) == plain(name) })
		if used[out[c]] {
			out[c] = -1
		}
		used[out[c]] = true
	}
	return out
}

// appendTable puts the rows of b under those of a. Columns that only one of them has are empty in the rows of the
// other. Ids that both files use are told apart by the names of the files.
func (j *job) appendTable(b *records.Table) error {
	a := j.table
	match := matchColumns(a, b)
	if !slices.ContainsFunc(match, func(c int) bool { return c >= 0 }) {
		return &door.InputError{File: b.Name, Line: 1, Msg: fmt.Sprintf("no column has a name of %s; its columns are %s", a.Name, strings.Join(a.Columns, ", "))}
	}
	out := &records.Table{Name: a.Name, Format: a.Format, Columns: slices.Clone(a.Columns)}
	var shared, only []string
	empty := func(n int) []string { return make([]string, n) }
	for c, name := range a.Columns {
		if match[c] < 0 {
			only = append(only, name)
			out.Cells = append(out.Cells, slices.Concat(a.Cells[c], empty(b.Len())))
			continue
		}
		other := b.Columns[match[c]]
		if shared = append(shared, name); other != name {
			shared[len(shared)-1] = name + " = " + other
		}
		out.Cells = append(out.Cells, slices.Concat(a.Cells[c], b.Cells[match[c]]))
	}
	for c, name := range b.Columns {
		if !slices.Contains(match, c) {
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
func (j *job) tellApart(out, a, b *records.Table, match []int) {
	for c, name := range a.Columns {
		if match[c] < 0 || j.id != name && (j.id != "" || c > 0 && !isIDName(name) || !looksLikeIDs(a.Cells[c], isIDName(name)) || !looksLikeIDs(b.Cells[match[c]], isIDName(name))) {
			continue
		}
		seen := map[string]bool{}
		for _, id := range a.Cells[c] {
			seen[id] = true
		}
		if slices.ContainsFunc(b.Cells[match[c]], func(id string) bool { return seen[id] }) {
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
