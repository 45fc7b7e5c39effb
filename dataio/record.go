package dataio

import (
	"bytes"
	"io"

	"github.com/inklinghq/inkling/hint"
)

// A cell is one field of a record: text[lo:hi], without quotes and the spaces
// around it. In a doubled one two quotes stand for one. Line counts from 0 at
// the record's first line, col from 1 in bytes.
type cell struct {
	lo, hi    int
	line, col int
	doubled   bool
}

// of returns what the cell says.
func (c cell) of(text []byte) []byte {
	b := text[c.lo:c.hi]
	if c.doubled {
		return bytes.ReplaceAll(b, []byte(`""`), quote)
	}
	return b
}

// A dialect says how records are written (RFC 4180 with any delimiter).
type dialect struct {
	delim   byte
	longest int // bytes of a record
}

// split appends the cells of the record at text[i:] to cells. It returns the
// place after the record and how many lines it takes. Lines in the error
// count from 0 at the record's first.
func (d dialect) split(text []byte, i int, cells []cell) (out []cell, next, lines int, err *Error) {
	start, lineStart := i, i
	end := min(len(text), start+d.longest+1)
	for {
		i = d.skipSpace(text, i, end)
		c := cell{lo: i, line: lines, col: i - lineStart + 1}
		if i < end && text[i] == '"' {
			if i, err = c.quoted(text, i, end); err != nil {
				return nil, 0, 0, err
			}
			inside := text[c.lo:c.hi]
			if k := bytes.LastIndexByte(inside, '\n'); k >= 0 {
				lines += bytes.Count(inside, []byte{'\n'})
				lineStart = c.lo + k + 1
			}
			i = d.skipSpace(text, i, end)
			if i+1 < end && text[i] == '\r' && text[i+1] == '\n' {
				i++
			}
			if i < end && text[i] != d.delim && text[i] != '\n' {
				return nil, 0, 0, &Error{Line: lines, Col: i - lineStart + 1, Msg: "there is text after a closing quote",
					Hint: "inside a quoted cell a quote is written twice"}
			}
		} else {
			for i < end && text[i] != d.delim && text[i] != '\n' {
				if text[i] == '"' {
					return nil, 0, 0, &Error{Line: lines, Col: i - lineStart + 1, Msg: "there is a quote inside a cell that does not start with one",
						Hint: "put the cell in quotes and write the quote twice"}
				}
				i++
			}
			c.hi = trimEnd(text, c.lo, i)
		}
		if i == end {
			e := tooLong(d.longest)
			e.Line = lines
			return nil, 0, 0, e
		}
		cells = append(cells, c)
		i++
		if text[i-1] == '\n' {
			return cells, i, lines + 1, nil
		}
	}
}

// quoted finds the end of the quoted cell whose quote is at text[i], and
// returns the place after its closing quote.
func (c *cell) quoted(text []byte, i, end int) (int, *Error) {
	c.lo = i + 1
	for i++; ; i += 2 {
		k := bytes.IndexByte(text[i:end], '"')
		if k < 0 {
			return 0, &Error{Line: c.line, Col: c.col, Msg: "the quote that opens here is not closed"}
		}
		i += k
		if i+1 == end || text[i+1] != '"' {
			c.hi = i
			return i + 1, nil
		}
		c.doubled = true
	}
}

func (d dialect) skipSpace(text []byte, i, end int) int {
	for i < end && (text[i] == ' ' || text[i] == '\t' && d.delim != '\t') {
		i++
	}
	return i
}

// trimEnd takes the spaces and the carriage return off the end of text[lo:hi].
func trimEnd(text []byte, lo, hi int) int {
	for hi > lo && (text[hi-1] == ' ' || text[hi-1] == '\t' || text[hi-1] == '\r') {
		hi--
	}
	return hi
}

// emptyLine returns the length of the line at text[i:] with its end if
// nothing but spaces stand on it, else 0.
func (d dialect) emptyLine(text []byte, i int) int {
	for k := i; k < len(text); k++ {
		switch text[k] {
		case '\n':
			return k - i + 1
		case ' ', '\r':
		case '\t':
			if d.delim == '\t' {
				return 0
			}
		default:
			return 0
		}
	}
	return 0
}

// A tableScanner hands out the records of a table one by one as strings, for
// files that are small or whose rows want looking at singly.
type tableScanner struct {
	name  string
	d     dialect
	s     *splitter
	text  []byte
	at    int // place in text of the next record
	line  int // its line
	cells []cell

	Line int // of the current record
	err  *Error
}

func newTableScanner(r io.Reader, name string, delim byte) *tableScanner {
	s := newSplitter(r, true)
	return &tableScanner{name: name, s: s, d: dialect{delim, s.longest}, line: 1}
}

// next moves to the next record; blank lines are no records. It returns false
// at the end and when something is wrong, which err then says.
func (t *tableScanner) next() bool {
	for {
		if t.at == len(t.text) {
			if t.text != nil {
				t.s.recycle(t.text)
			}
			text, err := t.s.next()
			if err != nil {
				if err != io.EOF {
					t.err = asError(err, t.name)
				}
				return false
			}
			t.text, t.at = text, 0
			if t.line == 1 {
				t.at = len(text) - len(bytes.TrimPrefix(text, utf8BOM))
				continue
			}
		}
		if k := t.d.emptyLine(t.text, t.at); k > 0 {
			t.at += k
			t.line++
			continue
		}
		cells, next, lines, err := t.d.split(t.text, t.at, t.cells[:0])
		if err != nil {
			err.File, err.Line = t.name, err.Line+t.line
			t.err = err
			return false
		}
		t.cells, t.Line = cells, t.line
		t.at, t.line = next, t.line+lines
		return true
	}
}

// cell returns cell j of the current record.
func (t *tableScanner) cell(j int) string { return string(t.cells[j].of(t.text)) }

// bad refuses cell j of the current record.
func (t *tableScanner) bad(j int, advice hint.Hint, msg string) *Error {
	c := t.cells[j]
	return &Error{File: t.name, Line: t.Line + c.line, Col: c.col, Msg: msg, Hint: advice}
}
