package constraints

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// headerForms are the headers that a file of labels or links may have.
type headerForms struct {
	option   string // that names such files
	expected string // the headers in words
	headers  [][]string
	columns  []headerColumn
}

// A headerColumn is a column that is found by its names, or by its place among those
// that have no other name.
type headerColumn struct {
	name    string
	aliases []string
	needed  bool
}

// find gives columns of other names their meaning: by the names that people use,
// else in order. Columns after these are ignored. A line that begins with a number names no columns.
func (f headerForms) find(names []string, k *csvReader) bool {
	if sorted := slices.Sorted(slices.Values(names)); len(names) < 2 || len(slices.Compact(sorted)) < len(names) {
		return false
	}
	for _, name := range names {
		if _, number := scan.ParseNumber([]byte(name)); number || name == "" {
			return false
		}
	}
	taken, at := map[int]bool{}, map[string]int{}
	for _, c := range f.columns {
		for j, name := range names {
			if !taken[j] && (name == c.name || slices.Contains(c.aliases, name) || c.name == "id" && name == k.id) {
				taken[j], at[c.name] = true, j
				break
			}
		}
	}
	for _, c := range f.columns {
		if _, ok := at[c.name]; ok || !c.needed {
			continue
		}
		if _, belief := at["belief"]; belief && c.name == "kind" {
			continue
		}
		j := 0
		for j < len(names) && taken[j] {
			j++
		}
		if j == len(names) {
			return false
		}
		taken[j], at[c.name] = true, j
	}
	if _, belief := at["belief"]; belief {
		if _, weight := at["weight"]; weight {
			return false // a belief is its own weight
		}
	}
	k.column = at
	return true
}

var (
	labelForms = headerForms{"labels", "id,label or id,label,weight", [][]string{{"id", "label"}, {"id", "label", "weight"}},
		[]headerColumn{{"id", []string{"ids", "key", "uuid", "row", "node", "name"}, true},
			{"label", []string{"labels", "cluster", "class", "segment", "category", "group", "target", "truth", "y"}, true},
			{"weight", []string{"w"}, false}}}
	linkForms = headerForms{"links", "a,b,kind or a,b,kind,weight or a,b,belief",
		[][]string{{"a", "b", "kind"}, {"a", "b", "kind", "weight"}, {"a", "b", "belief"}},
		[]headerColumn{{"a", []string{"id1", "id_1", "a_id", "source", "from", "left", "first", "u", "i", "row1"}, true},
			{"b", []string{"id2", "id_2", "b_id", "target", "to", "right", "second", "v", "j", "row2"}, true},
			{"kind", []string{"type", "link", "constraint", "relation", "same", "must"}, true},
			{"belief", nil, false},
			{"weight", []string{"w"}, false}}}
)

// matches reports whether names, sorted, are one of the headers in any order.
func (f headerForms) matches(names []string) bool {
	return slices.ContainsFunc(f.headers, func(h []string) bool {
		return slices.Equal(names, slices.Sorted(slices.Values(h)))
	})
}

// A csvReader reads a file of labels or links row by row, and keeps the first
// error in a row.
type csvReader struct {
	stream  *source.Stream
	scanner *table.Scanner
	column  map[string]int
	n       int        // columns
	id      string     // what the column of ids is called in the data
	first   *firstLine // nil where it is a header
	bad     *source.Error
}

// openCSV opens a table and reads its header, which must be one of want. For one
// of other the error names the option that such files are for.
func openCSV(r io.Reader, name, id string, want, other headerForms) (*csvReader, error) {
	s, delim, err := table.OpenTable(r, name)
	if err != nil {
		return nil, err
	}
	k := &csvReader{stream: s, scanner: table.NewScanner(s, name, delim), column: map[string]int{}, id: strings.ToLower(id)}
	if !k.scanner.NextRecord() {
		err = k.firstError()
		if err == nil {
			err = &source.Error{File: name, Msg: "the file is empty", Hint: hint.Hint("the first line names the columns: " + want.expected)}
		}
	} else {
		err = k.readHeader(want, other)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return k, nil
}

func (k *csvReader) readHeader(want, other headerForms) error {
	k.n = len(k.scanner.Cells)
	names := make([]string, k.n)
	for j := range names {
		names[j] = strings.ToLower(k.scanner.CellText(j))
		if names[j] == "cluster" {
			names[j] = "label" // clusters of an earlier run can serve as labels
		}
		k.column[names[j]] = j
	}
	sorted := slices.Sorted(slices.Values(names))
	if want.matches(sorted) {
		return nil
	}
	if !other.matches(sorted) && want.find(names, k) {
		k.mayBeRow(want, names, nil)
		return nil
	}
	e := &source.Error{File: k.scanner.Name, Line: k.scanner.Line, Msg: "the header is " + source.Clip([]byte(strings.Join(names, ","))),
		Hint: hint.Hint("the first line must be " + want.expected)}
	if other.matches(sorted) {
		e.Hint = hint.Sprintf("such a file is for {%s}", hint.Hint(other.option))
	} else if k.mayBeRow(want, names, e) {
		return nil
	}
	return e
}

// nextRow moves to the next row unless there was an error.
func (k *csvReader) nextRow() bool {
	if k.bad != nil || !k.scanner.NextRecord() {
		return false
	}
	if len(k.scanner.Cells) != k.n {
		k.bad = &source.Error{File: k.scanner.Name, Line: k.scanner.Line, Msg: fmt.Sprintf("the line has %s, the header has %d", source.Counted(len(k.scanner.Cells), "cell"), k.n)}
		return false
	}
	return true
}

// firstError returns the first error, or nil.
func (k *csvReader) firstError() error {
	switch {
	case k.bad != nil:
		return k.bad
	case k.scanner.Err != nil:
		return k.stream.RefusalOf(k.scanner.Err)
	}
	return nil
}

func (k *csvReader) refuseCell(column string, advice hint.Hint, msg string) {
	if k.bad == nil {
		k.bad = k.scanner.RefuseCell(k.column[column], advice, fmt.Sprintf("column %q: %s", column, msg))
	}
}

func (k *csvReader) cellText(column string) string { return k.scanner.CellText(k.column[column]) }

func (k *csvReader) idIn(column string) string {
	s := k.cellText(column)
	if s == "" {
		k.refuseCell(column, "", "the id is missing")
	}
	return s
}

// rowWeight returns the weight of the row: 1 where there is no such column, or
// the cell is empty.
func (k *csvReader) rowWeight() float64 {
	if _, ok := k.column["weight"]; !ok || k.cellText("weight") == "" {
		return 1
	}
	w := k.numberIn("weight", 0, math.MaxFloat64)
	if w == 0 {
		k.refuseCell("weight", "leave out rows of weight 0", "the weight must be above 0")
	}
	return w
}

func (k *csvReader) numberIn(column string, least, most float64) float64 {
	s := []byte(k.cellText(column))
	if plain, _, sure := table.ParseDecimalComma(s); sure && k.scanner.Dialect.Delim != ',' {
		s = plain
	}
	v, msg, _ := table.ParseCell(s)
	switch {
	case msg != "":
		k.refuseCell(column, "", msg)
	case v < least && least == 0:
		k.refuseCell(column, "", fmt.Sprintf("%v is negative", v))
	case v < least || v > most:
		k.refuseCell(column, "", fmt.Sprintf("must be from %v to %v, got %v", least, most, v))
	}
	return v
}
