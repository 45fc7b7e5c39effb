package tablefile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Escape returns write with an apostrophe before every cell that a spreadsheet would take for a
// formula, as it begins with = + - or @, and run it; numbers stay as they are. What write writes
// is CSV with commas, semicolons or tabs, as its first line shows.
func Escape(write func(io.Writer) error) func(io.Writer) error {
	return through(write, escapeCells)
}

// through returns what has write write to convert, and convert to the writer.
func through(write func(io.Writer) error, convert func(io.Reader, io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		r, cells := io.Pipe()
		failed := make(chan error, 1)
		go func() {
			var err error
			defer func() { // also when write panics, which is then for the program to report
				cells.CloseWithError(err)
				failed <- err
			}()
			err = write(cells)
		}()
		err := convert(r, w)
		r.CloseWithError(err) // write ends, where it still writes
		if wrote := <-failed; wrote != nil && (err == nil || errors.Is(err, wrote)) {
			return wrote
		}
		return err
	}
}

func escapeCells(r io.Reader, w io.Writer) error {
	buffered := bufio.NewReaderSize(r, 1<<16)
	in, out := csv.NewReader(buffered), csv.NewWriter(w)
	in.Comma = delimiter(buffered)
	in.FieldsPerRecord, in.ReuseRecord, in.LazyQuotes = -1, true, true
	out.Comma = in.Comma
	for {
		row, err := in.Read()
		if err == io.EOF {
			out.Flush()
			return out.Error()
		}
		if err != nil {
			return err
		}
		for i, cell := range row {
			if IsFormula(cell) {
				row[i] = "'" + cell
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
}

// delimiter is what stands most often in the first line, of which it reads nothing.
func delimiter(r *bufio.Reader) rune {
	head, _ := r.Peek(r.Size())
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best, most := ',', 0
	for _, d := range ",;\t" {
		if n := bytes.Count(line, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}

// IsFormula reports whether a spreadsheet may take a cell for a formula.
func IsFormula(cell string) bool {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil
}
