// Package joined writes a table again with columns added to it.
package joined

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/table"
)

// Columns are what is added: a name for each, and the cells of each row by its number;
// nil cells stand for a row that has none.
type Columns struct {
	Names []string
	Cells func(row int) []string
	Rows  int // how many there are
}

// CSV writes the table of r, which has a header line, with the columns after its own,
// separated as they are.
func CSV(w io.Writer, r io.Reader, c Columns) error {
	in := bufio.NewReaderSize(r, 1<<16)
	start, err := in.Peek(1 << 15)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	if bytes.HasPrefix(start, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
		start = start[3:]
	}
	if table.SniffDelimiter(start) == table.Blank {
		return blanks(w, in, c)
	}
	read, out := csv.NewReader(in), csv.NewWriter(w)
	read.FieldsPerRecord, read.LazyQuotes, read.ReuseRecord = -1, true, true
	if d := rune(table.SniffDelimiter(start)); d != 0 {
		read.Comma, out.Comma = d, d
	}
	row := -1 // the header
	for ; ; row++ {
		record, err := read.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := out.Write(append(append([]string(nil), record...), c.at(row)...)); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return c.check(row)
}

// blanks is CSV for a table with any number of blanks between cells; one of them stands between those that it writes.
func blanks(w io.Writer, r io.Reader, c Columns) error {
	in, out := table.NewScanner(r, "the table", table.Blank), csv.NewWriter(w)
	out.Comma = table.Blank
	row := -1 // the header
	for ; in.NextRecord(); row++ {
		record := make([]string, len(in.Cells))
		for j := range record {
			record[j] = in.CellText(j)
		}
		if err := out.Write(append(record, c.at(row)...)); err != nil {
			return err
		}
	}
	if in.Err != nil {
		return in.Err
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return c.check(row)
}

// at returns what is added to a row; −1 is the header.
func (c Columns) at(row int) []string {
	if row < 0 {
		return c.Names
	}
	if row < c.Rows {
		if cells := c.Cells(row); cells != nil {
			return cells
		}
	}
	return make([]string, len(c.Names))
}

// check refuses a table that does not have the rows that the columns are for.
func (c Columns) check(rows int) error {
	if rows != c.Rows {
		return fmt.Errorf("the table has %d rows below its header line, the columns to join %d", max(rows, 0), c.Rows)
	}
	return nil
}

// JSONLines writes the objects of r, one on each line, with the columns as fields after
// their own. Numbers stay numbers.
func JSONLines(w io.Writer, r io.Reader, c Columns) error {
	in, out := bufio.NewScanner(r), bufio.NewWriter(w)
	in.Buffer(nil, 1<<28)
	row := 0
	for in.Scan() {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		body, ok := bytes.CutSuffix(line, []byte("}"))
		if !ok || line[0] != '{' || !json.Valid(line) {
			return fmt.Errorf("line %d is not a JSON object", row+1)
		}
		body = bytes.TrimSpace(body)
		out.Write(body)
		comma := len(body) > 1
		for i, cell := range c.at(row) {
			if comma {
				out.WriteByte(',')
			}
			comma = true
			out.Write(field(c.Names[i], cell))
		}
		out.WriteString("}\n")
		row++
	}
	if err := in.Err(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return c.check(row)
}

// field returns "name": value, where an empty cell is null. Values of the column
// cluster and second are names, also where they look like numbers.
func field(name, cell string) []byte {
	key, _ := json.Marshal(name)
	value, _ := json.Marshal(cell)
	var number float64
	switch {
	case cell == "":
		value = []byte("null")
	case name != "cluster" && name != "second" && json.Unmarshal([]byte(cell), &number) == nil:
		value = []byte(cell)
	}
	return append(append(key, ':'), value...)
}
