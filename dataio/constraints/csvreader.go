package constraints

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/dataio/source"
	"github.com/inklinghq/inkling/dataio/table"
	"github.com/inklinghq/inkling/hint"
)

// headerForms are the headers that a file of labels or links may have.
type headerForms struct {
	option   string // that names such files
	expected string // the headers in words
	headers  [][]string
}

var (
	labelForms = headerForms{"labels", "id,label or id,label,weight", [][]string{{"id", "label"}, {"id", "label", "weight"}}}
	linkForms  = headerForms{"links", "a,b,kind or a,b,kind,weight or a,b,belief",
		[][]string{{"a", "b", "kind"}, {"a", "b", "kind", "weight"}, {"a", "b", "belief"}}}
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
	n       int // columns
	bad     *source.Error
}

// openCSV opens a table and reads its header, which must be one of want. For one
// of other the error names the option that such files are for.
func openCSV(r io.Reader, name string, want, other headerForms) (*csvReader, error) {
	s, delim, err := table.OpenTable(r, name)
	if err != nil {
		return nil, err
	}
	k := &csvReader{stream: s, scanner: table.NewScanner(s, name, delim), column: map[string]int{}}
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
	e := &source.Error{File: k.scanner.Name, Line: k.scanner.Line, Msg: "the header is " + source.Clip([]byte(strings.Join(names, ","))),
		Hint: hint.Hint("the first line must be " + want.expected)}
	if other.matches(sorted) {
		e.Hint = hint.Sprintf("such a file is for {%s}", hint.Hint(other.option))
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
		k.refuseCell(column, "", fmt.Sprintf("%v is not from %v to %v", v, least, most))
	}
	return v
}
