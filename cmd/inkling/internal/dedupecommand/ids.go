package dedupecommand

import (
	"slices"
	"strings"
	"unicode"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/constraints"
)

// idColumn returns the ids; nil where rows are numbered. A column that holds every row that the links and
// labels name is theirs; else a first column, or one called so, whose cells look like ids.
func (j *job) idColumn() ([]string, error) {
	if j.id != "" {
		return j.table.IDs(j.id)
	}
	if len(j.table.Columns) < 2 {
		return nil, nil
	}
	if name := j.namedByConstraints(); name != "" {
		j.Say("%s: column %q names the rows, as the links do; it is not compared (--id)", j.path, name)
		j.id = name
		return j.table.IDs(name)
	}
	for c, name := range j.table.Columns {
		named := isIDName(name)
		if c > 0 && !named || !looksLikeIDs(j.table.Cells[c], named) {
			continue
		}
		if ids, err := j.table.IDs(name); err == nil {
			j.id = name
			j.Say("%s: column %q names the rows; it is not compared (--id)", j.path, name)
			return ids, nil
		}
	}
	return nil, nil
}

// isIDName reports whether a column is called as columns of ids are.
func isIDName(name string) bool {
	lower := strings.ToLower(strings.TrimSpace(name))
	if slices.Contains([]string{"id", "uuid", "guid", "key", "pk", "rowid", "recid", "rid", "nr", "no", "#"}, lower) {
		return true
	}
	for _, end := range []string{"_id", " id", "-id", ".id", "_key", "_uuid", "_nr", "_no", "number", "nummer"} {
		if strings.HasSuffix(lower, end) {
			return true
		}
	}
	return strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Id")
}

// looksLikeIDs reports whether cells are all different and written alike: one shape of letters and digits without
// blanks. Of a column that is not called so, all begin with the same letters and go on with digits.
func looksLikeIDs(cells []string, named bool) bool {
	seen := make(map[string]bool, len(cells))
	prefix := ""
	for i, c := range cells {
		if c == "" || len(c) > 64 || seen[c] || strings.ContainsAny(c, " @,;") {
			return false
		}
		seen[c] = true
		p := strings.TrimRightFunc(c, unicode.IsDigit)
		if i == 0 {
			prefix = p
		}
		if !named && (p != prefix || p == c) {
			return false
		}
	}
	if named {
		return len(cells) > 0
	}
	if prefix != "" {
		return len(cells) > 1
	}
	// Bare numbers may be phone numbers or codes: only a count is an id.
	for i := 1; i < len(cells); i++ {
		if len(cells[i]) < len(cells[i-1]) || len(cells[i]) == len(cells[i-1]) && cells[i] < cells[i-1] {
			return false
		}
	}
	return len(cells) > 1
}

// namedByConstraints returns the column whose cells are all different and hold every row that the
// links and labels name, "" where there is none or row numbers do.
func (j *job) namedByConstraints() string {
	named := j.namedRows()
	if len(named) == 0 {
		return ""
	}
	for c, name := range j.table.Columns {
		cells := make(map[string]bool, j.table.Len())
		for _, id := range j.table.Cells[c] {
			cells[id] = true
		}
		if len(cells) == j.table.Len() && !cells[""] && !slices.ContainsFunc(named, func(id string) bool { return !cells[id] }) {
			return name
		}
	}
	return ""
}

// namedRows returns the ids in the files of links and labels. What cannot be read here, or only once, is
// left to the reader that reports it.
func (j *job) namedRows() (ids []string) {
	readable := func(path string) bool {
		_, builtin, err := door.Builtin(path)
		return !builtin && err == nil && path != "-" && path != "/dev/stdin"
	}
	for _, path := range j.links {
		if !readable(path) {
			continue
		}
		if rows, err := constraints.OpenLinks(path); err == nil {
			for _, l := range rows {
				ids = append(ids, l.A, l.B)
			}
		}
	}
	for _, path := range j.labels {
		if !readable(path) {
			continue
		}
		if rows, err := constraints.OpenLabels(path); err == nil {
			for _, l := range rows {
				ids = append(ids, l.ID)
			}
		}
	}
	return ids
}
