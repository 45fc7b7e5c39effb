package dataio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/inklinghq/inkling/hint"
)

// textLines hands out an input line by line and knows where it is, so that
// whatever is wrong can be named as file:line:column.
type textLines struct {
	name string
	r    *bufio.Reader
	text []byte // the current line without its end; good until the next one
	at   int    // its number, from 1
	err  error
	long []byte
}

func newTextLines(r io.Reader, name string) *textLines {
	return &textLines{name: name, r: bufio.NewReaderSize(r, 1<<18)}
}

// next moves to the next line. At the end, or when reading fails, it returns
// false; failed tells which.
func (l *textLines) next() bool {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			l.long = append(l.long, line...)
			line, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		l.text, l.err = nil, err
		return false
	}
	if k := len(line); k > 0 && line[k-1] == '\n' {
		line = line[:k-1]
	}
	if k := len(line); k > 0 && line[k-1] == '\r' {
		line = line[:k-1]
	}
	l.at++
	if l.at == 1 {
		line = bytes.TrimPrefix(line, utf8BOM)
	}
	l.text = line
	return true
}

var utf8BOM = []byte("\xef\xbb\xbf")

// failed returns the error that ended the lines, nil at a proper end.
func (l *textLines) failed() error {
	if l.err == nil || l.err == io.EOF {
		return nil
	}
	return unreadable(l.name, l.at+1, l.err)
}

// bad refuses the current line; offset is where in it, in bytes from 0, or -1.
func (l *textLines) bad(offset int, advice hint.Hint, format string, a ...any) *Error {
	return &Error{File: l.name, Line: l.at, Col: offset + 1, Msg: fmt.Sprintf(format, a...), Hint: advice}
}

// number parses the bytes lo to hi of the current line as a finite number; NaN
// passes where missing is set.
func (l *textLines) number(lo, hi int, missing bool) (float64, error) {
	y, ok := numeral(l.text[lo:hi])
	if !ok {
		return 0, l.bad(lo, "", "%s is not a number", clip(l.text[lo:hi]))
	}
	if y-y != 0 && !(missing && y != y) {
		return 0, l.bad(lo, "", "%s is not a finite number", clip(l.text[lo:hi]))
	}
	return y, nil
}

// field returns where the next field of line, at or after from, starts and
// ends. Blanks and tabs separate; there is none when lo is the line's length.
func field(line []byte, from int) (lo, hi int) {
	for lo = from; lo < len(line) && (line[lo] == ' ' || line[lo] == '\t'); lo++ {
	}
	for hi = lo; hi < len(line) && line[hi] != ' ' && line[hi] != '\t'; hi++ {
	}
	return lo, hi
}

// blank reports whether a line holds nothing.
func blank(line []byte) bool {
	lo, _ := field(line, 0)
	return lo == len(line)
}

// clip quotes a token for a message, shortened if it is long.
func clip(tok []byte) string {
	if len(tok) > 40 {
		return fmt.Sprintf("%q…", tok[:40])
	}
	return fmt.Sprintf("%q", tok)
}

func unreadable(name string, line int, err error) *Error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: name, Line: line, Msg: "the input ends early", Hint: "the file seems cut off: fetch it again", Err: err}
	}
	return &Error{File: name, Line: line, Msg: "reading failed: " + err.Error(), Err: err}
}

// A lineMap remembers on which line each item stood. Items mostly stand on
// consecutive lines, so only the jumps are kept.
type lineMap struct {
	item, line []int
}

// add says that item, one more than the last, stands on line.
func (m *lineMap) add(item, line int) {
	if k := len(m.item) - 1; k >= 0 && line-item == m.line[k]-m.item[k] {
		return
	}
	m.item = append(m.item, item)
	m.line = append(m.line, line)
}

func (m *lineMap) of(item int) int {
	k := sort.SearchInts(m.item, item+1) - 1
	if k < 0 {
		return 0
	}
	return m.line[k] + item - m.item[k]
}
