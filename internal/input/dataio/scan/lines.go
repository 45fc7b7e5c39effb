// Package scan cuts text into chunks, lines and fields, and parses numbers: the
// parts that readers of several formats share. Chunks are parsed on several
// goroutines and collected in file order, so that the number of workers never
// changes a result.
package scan

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// Lines hands out an input line by line and knows where it is, so that
// whatever is wrong can be named as file:line:column.
type Lines struct {
	Name   string
	r      *bufio.Reader
	Text   []byte // the current line without its end; good until the next one
	Number int    // its number, from 1
	err    error
	long   []byte
}

// NewLines returns the lines of r; name stands in errors.
func NewLines(r io.Reader, name string) *Lines {
	return &Lines{Name: name, r: bufio.NewReaderSize(r, 1<<18)}
}

// NextLine moves to the next line. At the end, or when reading fails, it returns
// false; Failed returns which.
func (l *Lines) NextLine() bool {
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
		l.Text, l.err = nil, err
		return false
	}
	if k := len(line); k > 0 && line[k-1] == '\n' {
		line = line[:k-1]
	}
	if k := len(line); k > 0 && line[k-1] == '\r' {
		line = line[:k-1]
	}
	l.Number++
	if l.Number == 1 {
		line = bytes.TrimPrefix(line, source.UTF8BOM)
	}
	l.Text = line
	return true
}

// Failed returns the error that ended the lines, nil at a proper end.
func (l *Lines) Failed() error {
	if l.err == nil || l.err == io.EOF {
		return nil
	}
	return source.Unreadable(l.Name, l.Number+1, l.err)
}

// Refusef refuses the current line; offset is where in it, in bytes from 0, or -1.
func (l *Lines) Refusef(offset int, advice hint.Hint, format string, a ...any) *source.Error {
	return &source.Error{File: l.Name, Line: l.Number, Col: offset + 1, Msg: fmt.Sprintf(format, a...), Hint: advice}
}

// ParseNumber parses the bytes lo to hi of the current line as a finite number; NaN
// passes where missing is set.
func (l *Lines) ParseNumber(lo, hi int, missing bool) (float64, error) {
	y, ok := ParseNumber(l.Text[lo:hi])
	if !ok {
		return 0, l.Refusef(lo, "", "%s is not a number", source.Clip(l.Text[lo:hi]))
	}
	if y-y != 0 && !(missing && y != y) {
		return 0, l.Refusef(lo, "", "%s is not a finite number", source.Clip(l.Text[lo:hi]))
	}
	return y, nil
}

// NextField returns where the next field of line, at or after from, starts and
// ends. Blanks and tabs separate; there is none when lo is the line's length.
func NextField(line []byte, from int) (lo, hi int) {
	for lo = from; lo < len(line) && (line[lo] == ' ' || line[lo] == '\t'); lo++ {
	}
	for hi = lo; hi < len(line) && line[hi] != ' ' && line[hi] != '\t'; hi++ {
	}
	return lo, hi
}

// IsBlank reports whether a line holds nothing.
func IsBlank(line []byte) bool {
	lo, _ := NextField(line, 0)
	return lo == len(line)
}
