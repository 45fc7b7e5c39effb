// Package records reads tables as they are written: every cell a string. Columns need
// not be numbers, and missing cells are empty.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A Table is what a file holds: Cells[c][i] is the cell of row i in column Columns[c].
type Table struct {
	Name    string
	Format  source.Format
	Columns []string
	Cells   [][]string
	lines   scan.LineMap
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.Cells[0]) }

// Open reads the table at path, CSV with any delimiter or JSON lines, compressed or not;
// "-" is standard input. Reading stops once ended returns an error.
func Open(path string, ended func() error) (*Table, error) {
	return source.OpenWith(path, func(r io.Reader, name string) (*Table, error) { return read(r, name, ended) })
}

// Read reads a table; name stands in errors.
func Read(r io.Reader, name string) (*Table, error) { return read(r, name, nil) }

func read(r io.Reader, name string, ended func() error) (*Table, error) {
	s, err := source.NewStream(r, name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	s.StopWhen(ended)
	head, err := s.Head()
	if err != nil {
		return nil, s.RefusalOf(source.AsError(err, name))
	}
	start := bytes.TrimPrefix(source.SkipBlank(head), source.UTF8BOM)
	if len(bytes.TrimSpace(start)) == 0 {
		return nil, &source.Error{File: name, Msg: "the file is empty", Hint: "give a table with a header line"}
	}
	if err := source.CheckSignature("a table", head, name); err != nil {
		return nil, err
	}
	t := &Table{Name: name}
	var refusal *source.Error
	if start[0] == '{' {
		t.Format = source.JSONL
		refusal = t.readObjects(s)
	} else {
		t.Format = source.CSV
		refusal = t.readCSV(s, table.SniffDelimiter(source.SkipBlank(head)))
	}
	if refusal != nil {
		return nil, s.RefusalOf(refusal)
	}
	if len(t.Columns) == 0 || t.Len() == 0 {
		return nil, &source.Error{File: name, Msg: "the table has no rows", Hint: "the first line names the columns, each line below it is a row"}
	}
	return t, nil
}

func (t *Table) readCSV(r io.Reader, delimiter byte) *source.Error {
	if delimiter == 0 {
		delimiter = ',' // one column
	}
	in := table.NewScanner(r, t.Name, delimiter)
	for row := -1; in.NextRecord(); row++ {
		if row < 0 {
			for c := range in.Cells {
				name := in.CellText(c)
				if name == "" {
					name = fmt.Sprintf("column %d", c+1)
				}
				if slices.Contains(t.Columns, name) {
					return in.RefuseCell(c, "give each column a name of its own", fmt.Sprintf("there are two columns %q", name))
				}
				t.Columns = append(t.Columns, name)
			}
			t.Cells = make([][]string, len(t.Columns))
			continue
		}
		if len(in.Cells) != len(t.Columns) {
			e := &source.Error{File: t.Name, Line: in.Line, Msg: fmt.Sprintf("the line has %s, the header has %d", source.Counted(len(in.Cells), "cell"), len(t.Columns))}
			if len(in.Cells) > len(t.Columns) {
				e.Col, e.Hint = in.Cells[len(t.Columns)].Col, "a cell that holds the delimiter must stand in quotes"
			}
			return e
		}
		for c := range t.Cells {
			t.Cells[c] = append(t.Cells[c], in.CellText(c))
		}
		t.lines.AddLine(row, in.Line)
	}
	return in.Err
}

// readObjects reads one JSON object a line. Columns are named in the order in which they
// first occur; a field that an object does not have is empty.
func (t *Table) readObjects(r io.Reader) *source.Error {
	in := scan.NewLines(r, t.Name)
	number := map[string]int{}
	row := 0
	for in.NextLine() {
		if len(bytes.TrimSpace(in.Text)) == 0 {
			continue
		}
		if err := t.readObject(in, number, row); err != nil {
			return err
		}
		row++
		for c := range t.Cells {
			for len(t.Cells[c]) < row {
				t.Cells[c] = append(t.Cells[c], "")
			}
		}
		t.lines.AddLine(row-1, in.Number)
	}
	if err := in.Failed(); err != nil {
		return source.AsError(err, t.Name)
	}
	return nil
}

func (t *Table) readObject(in *scan.Lines, number map[string]int, row int) *source.Error {
	d := json.NewDecoder(bytes.NewReader(in.Text))
	d.UseNumber()
	const advice = "JSONL has one whole object on each line"
	bad := func(err error) *source.Error {
		return in.Refusef(int(d.InputOffset()), advice, "the line is not a JSON object: %v", err)
	}
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return in.Refusef(0, advice, "the line is not a JSON object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return bad(err)
		}
		var v any
		if err := d.Decode(&v); err != nil {
			return bad(err)
		}
		name, _ := key.(string)
		c, known := number[name]
		if !known {
			c = len(t.Columns)
			number[name], t.Columns = c, append(t.Columns, name)
			t.Cells = append(t.Cells, make([]string, row))
		}
		if len(t.Cells[c]) > row {
			return in.Refusef(int(d.InputOffset()), "", "the field %q is given twice", name)
		}
		t.Cells[c] = append(t.Cells[c], cellOf(v))
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	if rest := bytes.TrimSpace(in.Text[d.InputOffset():]); len(rest) > 0 {
		return in.Refusef(int(d.InputOffset()), advice, "%s stands after the object", source.Clip(rest))
	}
	return nil
}

// cellOf returns a JSON value as a cell; null is missing.
func cellOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	}
	b, _ := json.Marshal(v) // it was JSON
	return string(b)
}

// Column returns the number of a column, and refuses a name that no column has.
func (t *Table) Column(name string) (int, error) {
	if c := slices.Index(t.Columns, name); c >= 0 {
		return c, nil
	}
	e := &source.Error{File: t.Name, Line: 1, Msg: fmt.Sprintf("there is no column %q", name), Hint: hint.Sprintf("the columns are %s", strings.Join(t.Columns, ", "))}
	if meant := suggest.Nearest(name, t.Columns); meant != "" {
		e.Hint = hint.Sprintf("did you mean %s? the columns are %s", meant, strings.Join(t.Columns, ", "))
	}
	return -1, e
}

// IDs returns the cells of a column as ids, and refuses a row without one or two rows
// with the same.
func (t *Table) IDs(name string) ([]string, error) {
	c, err := t.Column(name)
	if err != nil {
		return nil, err
	}
	first := make(map[string]int, t.Len())
	for i, id := range t.Cells[c] {
		if id == "" {
			return nil, &source.Error{File: t.Name, Line: t.lines.LineOf(i), Msg: fmt.Sprintf("column %q: the row has no id", name)}
		}
		if before, twice := first[id]; twice {
			return nil, &source.Error{File: t.Name, Line: t.lines.LineOf(i), Hint: "every row needs an id of its own; without {id} rows are numbered from 0",
				Msg: fmt.Sprintf("the id %s is that of line %d already", source.Clip([]byte(id)), t.lines.LineOf(before))}
		}
		first[id] = i
	}
	return t.Cells[c], nil
}
