package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// TransposedID is the column of ids of a table that was transposed.
const TransposedID = "id"

// Transpose reads a table that has rows where others have columns, and returns it as CSV the other
// way round: the cells of its header line are the ids, those of its first column the names of the
// columns. A header that is one cell short, as R writes it, and a table of numbers alone, whose rows
// and columns are then numbered, are understood.
func Transpose(r io.Reader, name string, delim byte) (io.Reader, error) {
	if delim == 0 {
		buffered := &peeked{r: r}
		head := buffered.head()
		if delim = SniffDelimiter(head); delim == 0 {
			delim = ','
		}
		r = buffered
	}
	in := NewScanner(r, name, delim)
	var rows [][]string
	for in.NextRecord() {
		row := make([]string, len(in.Cells))
		for j := range row {
			row[j] = in.CellText(j)
		}
		if len(rows) == 1 && len(row) == len(rows[0])+1 { // R's header
			rows[0] = append([]string{""}, rows[0]...)
		}
		if len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, &source.Error{File: name, Line: in.Line, Msg: fmt.Sprintf("the line has %s, the first has %d", source.Counted(len(row), "cell"), len(rows[0]))}
		}
		rows = append(rows, row)
	}
	if in.Err != nil {
		return nil, source.AsError(in.Err, name)
	}
	if len(rows) < 2 || len(rows[0]) < 2 {
		return nil, &source.Error{File: name, Msg: "a table to transpose needs a header line, a column of names and a cell"}
	}
	if numbersOnly(rows[0]) { // no names at all
		header := []string{""}
		for j := range rows[0] {
			header = append(header, strconv.Itoa(j))
		}
		for i := range rows {
			rows[i] = append([]string{"c" + strconv.Itoa(i)}, rows[i]...)
		}
		rows = append([][]string{header}, rows...)
	}
	return transposed(rows), nil
}

// transposed writes rows as columns. Names that occur again are numbered.
func transposed(rows [][]string) io.Reader {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	line, seen := []string{TransposedID}, map[string]int{TransposedID: 1}
	for i, row := range rows[1:] {
		name := row[0]
		if name == "" {
			name = "c" + strconv.Itoa(i)
		}
		for own := name; ; own = fmt.Sprintf("%s.%d", name, seen[name]) {
			if seen[own]++; seen[own] == 1 {
				name = own
				break
			}
			if own != name {
				seen[name]++
			}
		}
		line = append(line, name)
	}
	_ = w.Write(line)
	for j := 1; j < len(rows[0]); j++ {
		for i, row := range rows {
			line[i] = row[j]
		}
		_ = w.Write(line)
	}
	w.Flush()
	return &out
}

func numbersOnly(cells []string) bool {
	for _, cell := range cells {
		if _, ok := scan.ParseNumber([]byte(cell)); !ok {
			return false
		}
	}
	return true
}

// peeked is a reader whose first bytes were looked at.
type peeked struct {
	r     io.Reader
	start []byte
	err   error
}

func (p *peeked) head() []byte {
	buf := make([]byte, 1<<15)
	n, err := io.ReadFull(p.r, buf)
	p.start, p.err = buf[:n], err
	return p.start
}

func (p *peeked) Read(b []byte) (int, error) {
	if len(p.start) > 0 {
		n := copy(b, p.start)
		p.start = p.start[n:]
		return n, nil
	}
	if p.err != nil {
		if p.err == io.ErrUnexpectedEOF {
			return 0, io.EOF
		}
		return 0, p.err
	}
	return p.r.Read(b)
}
