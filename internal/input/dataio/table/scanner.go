package table

import (
	"bytes"
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// OpenTable undoes the compression of r, refuses what is no text, and finds
// the delimiter.
func OpenTable(r io.Reader, name string) (*source.Stream, byte, error) {
	s, err := source.NewStream(r, name)
	if err != nil {
		return nil, 0, err
	}
	head, err := s.Head()
	if err == nil && len(head) == 0 {
		err = &source.Error{File: name, Msg: "the file is empty"}
	}
	if err == nil {
		err = source.CheckSignature("a table", head, name)
	}
	if err != nil {
		s.Close()
		return nil, 0, err
	}
	return s, SniffDelimiter(source.SkipBlank(head)), nil
}

// A Scanner hands out the records of a table one by one as strings, for
// files that are small or whose rows want looking at singly.
type Scanner struct {
	Name     string
	Dialect  Dialect
	s        *scan.Chunks
	text     []byte
	at       int // place in text of the next record
	nextLine int // its line
	Cells    []Cell

	Line int // of the current record
	Err  *source.Error
}

// NewScanner returns the records of r; name stands in errors.
func NewScanner(r io.Reader, name string, delim byte) *Scanner {
	s := scan.NewChunks(r, true)
	return &Scanner{Name: name, s: s, Dialect: Dialect{delim, s.Longest}, nextLine: 1}
}

// NextRecord moves to the next record; blank lines are no records. It returns false
// at the end and when something is wrong, which err then says.
func (t *Scanner) NextRecord() bool {
	for {
		if t.at == len(t.text) {
			if t.text != nil {
				t.s.Recycle(t.text)
			}
			text, err := t.s.NextChunk()
			if err != nil {
				if err != io.EOF {
					t.Err = source.AsError(err, t.Name)
				}
				return false
			}
			t.text, t.at = text, 0
			if t.nextLine == 1 {
				t.at = len(text) - len(bytes.TrimPrefix(text, source.UTF8BOM))
				continue
			}
		}
		if k := t.Dialect.EmptyLine(t.text, t.at); k > 0 {
			t.at += k
			t.nextLine++
			continue
		}
		cells, next, lines, err := t.Dialect.SplitRecord(t.text, t.at, t.Cells[:0])
		if err != nil {
			err.File, err.Line = t.Name, err.Line+t.nextLine
			t.Err = err
			return false
		}
		t.Cells, t.Line = cells, t.nextLine
		t.at, t.nextLine = next, t.nextLine+lines
		return true
	}
}

// CellText returns cell j of the current record.
func (t *Scanner) CellText(j int) string { return string(t.Cells[j].TextIn(t.text)) }

// RefuseCell refuses cell j of the current record.
func (t *Scanner) RefuseCell(j int, advice hint.Hint, msg string) *source.Error {
	c := t.Cells[j]
	return &source.Error{File: t.Name, Line: t.Line + c.Line, Col: c.Col, Msg: msg, Hint: advice}
}
