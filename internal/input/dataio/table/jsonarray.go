package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// A jsonArray reads a file that is one array of all rows, [{…}, {…}] or [[…], […]], and gives one row a line. Every byte
// between rows is given as a blank and line ends within a row come after it, so that a row stays on the line on which
// it begins, in its column, unless rows share a line: cuts has those.
type jsonArray struct {
	from *bufio.Reader
	file string
	part func() float64
	out  []byte // what is not given yet
	err  error

	line, col     int // in the file, of the next byte
	given, at     int // line and column in what is given
	depth         int // 0 outside the array, 1 between its rows
	text, escaped bool
	owed          int  // line ends within the row
	onLine        bool // a row stands on the line that is given now
	state         arrayState

	mutex sync.Mutex // cuts grow while rows are parsed
	cuts  []lineCut
}

// An arrayState says what may come next outside of rows.
type arrayState int

const (
	atStart    arrayState = iota // the bracket
	afterStart                   // a row or the end
	afterRow                     // a comma or the end
	afterComma                   // a row
	afterEnd                     // nothing
)

// A lineCut says that line given is line of the file, moved by so many columns.
type lineCut struct{ given, line, shift int }

// rowsOfArray returns a reader of the rows of r if it is one array of them; else nil, and what to read instead of r.
func rowsOfArray(r io.Reader, file string) (*jsonArray, io.Reader) {
	a := &jsonArray{file: file, part: func() float64 { return 0 }, line: 1, col: 1, given: 1, at: 1}
	var head []byte
	if s, ok := r.(*source.Stream); ok {
		head, _ = s.Head()
		a.part = s.PartRead
	} else {
		b := bufio.NewReaderSize(r, 1<<16)
		head, _ = b.Peek(1 << 16)
		r = b
	}
	const blank = " \t\r\n"
	start, array := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, source.UTF8BOM), blank), []byte{'['})
	if start = bytes.TrimLeft(start, blank); !array || len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil, r
	}
	a.from = bufio.NewReaderSize(r, 1<<16)
	if bytes.HasPrefix(head, source.UTF8BOM) {
		a.from.Discard(len(source.UTF8BOM))
	}
	return a, nil
}

// PartRead returns the part of the source that has been read.
func (a *jsonArray) PartRead() float64 { return a.part() }

func (a *jsonArray) Read(p []byte) (n int, err error) {
	for len(a.out) < len(p) && a.err == nil {
		a.step()
	}
	n = copy(p, a.out)
	if a.out = append(a.out[:0], a.out[n:]...); len(a.out) == 0 {
		err = a.err
	}
	return n, err
}

// step takes one byte of the file.
func (a *jsonArray) step() {
	c, err := a.from.ReadByte()
	switch {
	case err == io.EOF && a.state != afterEnd:
		a.refuse("the array of rows has no ] at its end")
		return
	case err != nil:
		a.err = err
		return
	case a.depth > 1:
		a.takeInside(c)
	default:
		a.takeBetween(c)
	}
	if a.col++; c == '\n' {
		a.line, a.col = a.line+1, 1
	}
}

// takeBetween takes a byte outside of rows.
func (a *jsonArray) takeBetween(c byte) {
	switch {
	case c == '\n':
		a.give('\n')
		return
	case c == ' ' || c == '\t' || c == '\r':
	case a.state == atStart: // the bracket that rowsOfArray has seen
		a.state, a.depth = afterStart, 1
	case c == ']' && (a.state == afterStart || a.state == afterRow):
		a.state, a.depth = afterEnd, 0
	case c == ',' && a.state == afterRow:
		a.state = afterComma
	case (c == '{' || c == '[') && (a.state == afterStart || a.state == afterComma):
		a.beginRow(c)
		return
	case a.state == afterEnd:
		a.refuse("something stands after the array of rows")
		return
	default:
		a.refuse("the rows of an array must be objects or arrays with commas between them, got " + source.Clip([]byte{c}))
		return
	}
	a.give(' ')
}

// beginRow begins a row, on a line of its own.
func (a *jsonArray) beginRow(c byte) {
	if a.onLine {
		a.give('\n')
	}
	if line, shift := a.place(a.given, a.at); line != a.line || shift != a.col {
		a.mutex.Lock()
		a.cuts = append(a.cuts, lineCut{a.given, a.line, a.col - a.at})
		a.mutex.Unlock()
	}
	a.depth, a.onLine, a.state = 2, true, afterRow
	a.give(c)
}

// takeInside takes a byte of a row.
func (a *jsonArray) takeInside(c byte) {
	switch {
	case c == '\n':
		a.owed++
		c = ' '
	case a.escaped:
		a.escaped = false
	case a.text:
		a.escaped, a.text = c == '\\', c != '"'
	case c == '"':
		a.text = true
	case c == '{' || c == '[':
		a.depth++
	case c == '}' || c == ']':
		a.depth--
	}
	a.give(c)
	for ; a.depth == 1 && a.owed > 0; a.owed-- {
		a.give('\n')
	}
}

func (a *jsonArray) give(c byte) {
	a.out = append(a.out, c)
	if a.at++; c == '\n' {
		a.given, a.at, a.onLine = a.given+1, 1, false
	}
}

func (a *jsonArray) refuse(what string) {
	a.err = &source.Error{File: a.file, Line: a.line, Col: a.col, Msg: what}
}

// place returns where in the file a line and column of what is given stand.
func (a *jsonArray) place(line, col int) (int, int) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	i, found := slices.BinarySearchFunc(a.cuts, line, func(c lineCut, line int) int { return c.given - line })
	switch {
	case found:
		return a.cuts[i].line, col + a.cuts[i].shift
	case i == 0:
		return line, col
	}
	c := a.cuts[i-1]
	return c.line + line - c.given, col
}

// replace puts the place of an error in what is given where it stands in the file.
func (a *jsonArray) replace(err error) error {
	e, ok := err.(*source.Error)
	if !ok || e.Line == 0 || err == a.err {
		return err
	}
	moved := *e
	line, col := a.place(e.Line, max(e.Col, 1))
	if moved.Line = line; e.Col > 0 {
		moved.Col = col
	}
	return &moved
}
