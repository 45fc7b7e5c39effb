package table

import (
	"bytes"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// A Cell is one field of a record: text[lo:hi], without quotes and the spaces
// around it. In a doubled one two quotes stand for one. Line counts from 0 at
// the record's first line, col from 1 in bytes.
type Cell struct {
	lo, hi    int
	Line, Col int
	doubled   bool
}

// TextIn returns what the cell says.
func (c Cell) TextIn(text []byte) []byte {
	b := text[c.lo:c.hi]
	if c.doubled {
		return bytes.ReplaceAll(b, []byte(`""`), []byte{'"'})
	}
	return b
}

// A Dialect says how records are written (RFC 4180 with any delimiter).
type Dialect struct {
	Delim   byte
	Longest int // bytes of a record
}

// SplitRecord appends the cells of the record at text[i:] to cells. It returns the
// place after the record and how many lines it takes. Lines in the error
// count from 0 at the record's first.
func (d Dialect) SplitRecord(text []byte, i int, cells []Cell) (out []Cell, next, lines int, err *source.Error) {
	start, lineStart := i, i
	end := min(len(text), start+d.Longest+1)
	for {
		i = d.skipSpace(text, i, end)
		c := Cell{lo: i, Line: lines, Col: i - lineStart + 1}
		if i < end && text[i] == '"' {
			if i, err = c.readQuoted(text, i, end); err != nil {
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
			if i < end && !d.divides(text[i]) && text[i] != '\n' && !(d.Delim == Blank && i > 0 && d.divides(text[i-1])) {
				return nil, 0, 0, &source.Error{Line: lines, Col: i - lineStart + 1, Msg: "there is text after a closing quote",
					Hint: "inside a quoted cell a quote is written twice"}
			}
		} else {
			for i < end && !d.divides(text[i]) && text[i] != '\n' {
				if text[i] == '"' {
					return nil, 0, 0, &source.Error{Line: lines, Col: i - lineStart + 1, Msg: "there is a quote inside a cell that does not start with one",
						Hint: "put the cell in quotes and write the quote twice"}
				}
				i++
			}
			c.hi = TrimEnd(text, c.lo, i)
		}
		if i == end {
			e := scan.LineTooLong(d.Longest)
			e.Line = lines
			return nil, 0, 0, e
		}
		cells = append(cells, c)
		if d.Delim == Blank { // blanks before the end of the line are no cell
			i = d.skipSpace(text, i, end)
			if i+1 < end && text[i] == '\r' && text[i+1] == '\n' {
				i++
			}
			if i < end && text[i] != '\n' {
				continue
			}
		}
		if i == end {
			e := scan.LineTooLong(d.Longest)
			e.Line = lines
			return nil, 0, 0, e
		}
		i++
		if text[i-1] == '\n' {
			return cells, i, lines + 1, nil
		}
	}
}

// readQuoted finds the end of the quoted cell whose quote is at text[i], and
// returns the place after its closing quote.
func (c *Cell) readQuoted(text []byte, i, end int) (int, *source.Error) {
	c.lo = i + 1
	for i++; ; i += 2 {
		k := bytes.IndexByte(text[i:end], '"')
		if k < 0 {
			return 0, &source.Error{Line: c.Line, Col: c.Col, Msg: "the quote that opens here is not closed"}
		}
		i += k
		if i+1 == end || text[i+1] != '"' {
			c.hi = i
			return i + 1, nil
		}
		c.doubled = true
	}
}

// divides reports whether a sign stands between cells.
func (d Dialect) divides(c byte) bool { return c == d.Delim || d.Delim == Blank && c == '\t' }

func (d Dialect) skipSpace(text []byte, i, end int) int {
	for i < end && (text[i] == ' ' || text[i] == '\t' && d.Delim != '\t') {
		i++
	}
	return i
}

// TrimEnd takes the spaces and the carriage return off the end of text[lo:hi].
func TrimEnd(text []byte, lo, hi int) int {
	for hi > lo && (text[hi-1] == ' ' || text[hi-1] == '\t' || text[hi-1] == '\r') {
		hi--
	}
	return hi
}

// EmptyLine returns the length of the line at text[i:] with its end if
// nothing but spaces stand on it, else 0.
func (d Dialect) EmptyLine(text []byte, i int) int {
	for k := i; k < len(text); k++ {
		switch text[k] {
		case '\n':
			return k - i + 1
		case ' ', '\r':
		case '\t':
			if d.Delim == '\t' {
				return 0
			}
		default:
			return 0
		}
	}
	return 0
}
