package dataio

import (
	"fmt"
	"sync"

	"github.com/inklinghq/inkling/hint"
)

// A block is what one chunk of a table holds. Lines count from 0 at the start
// of the chunk.
type block struct {
	x       []float64
	rows    int
	lines   int
	at      []int // line of each row, kept only where rows have ids
	id, doc arena
	label   []string
	known   map[string]string // label texts, so that equal labels share memory
	noValue int               // missing cells
	cells   []cell
	err     *Error
}

func (b *block) reset() {
	b.x, b.rows, b.lines, b.at = b.x[:0], 0, 0, b.at[:0]
	b.id.reset()
	b.doc.reset()
	b.label, b.noValue, b.err = b.label[:0], 0, nil
	if len(b.known) > 1<<14 {
		clear(b.known)
	}
}

// blocks keeps blocks whose memory is used again.
type blocks struct{ pool sync.Pool }

func (s *blocks) get() *block {
	b, _ := s.pool.Get().(*block)
	if b == nil {
		return &block{}
	}
	b.reset()
	return b
}

func (s *blocks) put(b *block) { s.pool.Put(b) }

func (b *block) addLabel(text []byte) {
	if unknownLabel(text) {
		b.label = append(b.label, "")
		return
	}
	s, ok := b.known[string(text)]
	if !ok {
		if b.known == nil {
			b.known = make(map[string]string)
		}
		s = string(text)
		b.known[s] = s
	}
	b.label = append(b.label, s)
}

// parse parses a chunk up to its end or its first bad row.
func (t *table) parse(text []byte) *block {
	b := t.spare.get()
	keepLines := t.has(idRole)
	for i := 0; i < len(text); {
		if k := t.emptyLine(text, i); k > 0 {
			i += k
			b.lines++
			continue
		}
		lines := 1
		next := 0
		if !t.comma {
			next = t.plainRow(b, text, i)
		}
		if next == 0 {
			var err *Error
			if next, lines, err = t.row(b, text, i); err != nil {
				err.File, err.Line = t.name, err.Line+b.lines
				b.err = err
				return b
			}
		}
		if keepLines {
			b.at = append(b.at, b.lines)
		}
		i = next
		b.lines += lines
		b.rows++
	}
	return b
}

// plainRow parses a row whose numbers are numbers and in which there are no
// quotes, and returns the place after it; 0, with nothing changed, where the
// row is not like that.
func (t *table) plainRow(b *block, text []byte, i int) int {
	start, last := i, len(t.roles)-1
	old := b.mark()
	for j, r := range t.roles {
		if i < len(text) && text[i] <= ' ' {
			i = t.skipSpace(text, i, len(text))
		}
		if r == feature {
			v, next := scanFloat(text, i)
			if next < 0 {
				break
			}
			b.x = append(b.x, v)
			i = next
		} else {
			lo := i
			for i < len(text) && text[i] != t.delim && text[i] != '\n' && text[i] != '"' {
				i++
			}
			if !b.addCell(r, text[lo:trimEnd(text, lo, i)]) {
				break
			}
		}
		if i >= len(text) {
			break
		}
		if j < last {
			if text[i] != t.delim {
				break
			}
			i++
			continue
		}
		if text[i] == '\r' && i+1 < len(text) {
			i++
		}
		if text[i] != '\n' || i-start > t.longest {
			break
		}
		return i + 1
	}
	b.back(old)
	return 0
}

// addCell takes a cell that is no number; false is an id that is not there.
func (b *block) addCell(r role, s []byte) bool {
	switch r {
	case idRole:
		b.id.add(s)
		return len(s) > 0
	case labelRole:
		b.addLabel(s)
	case textRole:
		b.doc.add(s)
	}
	return true
}

// A mark is a state of a block to go back to.
type mark struct{ x, id, ids, doc, docs, label int }

func (b *block) mark() mark {
	return mark{len(b.x), len(b.id.buf), len(b.id.end), len(b.doc.buf), len(b.doc.end), len(b.label)}
}

func (b *block) back(m mark) {
	b.x, b.label = b.x[:m.x], b.label[:m.label]
	b.id.buf, b.id.end = b.id.buf[:m.id], b.id.end[:m.ids]
	b.doc.buf, b.doc.end = b.doc.buf[:m.doc], b.doc.end[:m.docs]
}

// row parses any row.
func (t *table) row(b *block, text []byte, i int) (next, lines int, err *Error) {
	cells, next, lines, err := t.split(text, i, b.cells[:0])
	if err != nil {
		return 0, 0, err
	}
	b.cells = cells
	if len(cells) != len(t.roles) {
		return 0, 0, t.ragged(cells)
	}
	for j, c := range cells {
		switch t.roles[j] {
		case feature:
			v, err := t.number(b, c, j, text)
			if err != nil {
				t.alike(err, cells, j, text)
				return 0, 0, err
			}
			b.x = append(b.x, v)
		default:
			if !b.addCell(t.roles[j], c.of(text)) {
				return 0, 0, &Error{Line: c.line, Col: c.col, Msg: fmt.Sprintf("column %q: the row has no id", t.names[j])}
			}
		}
	}
	return next, lines, nil
}

func (t *table) ragged(cells []cell) *Error {
	of := "the header"
	if !t.header {
		of = "the first line"
	}
	e := &Error{Msg: fmt.Sprintf("the line has %s, %s has %d", counted(len(cells), "cell"), of, len(t.roles))}
	if len(cells) > len(t.roles) {
		c := cells[len(t.roles)]
		e.Line, e.Col = c.line, c.col
		e.Hint = "a cell that holds the delimiter must stand in quotes"
	}
	return e
}

// alike adds to the error of a cell that is no number the columns of the other
// cells of the row that are none either: they want dropping too.
func (t *table) alike(e *Error, cells []cell, from int, text []byte) {
	if e.Hint != columnHint {
		return
	}
	names := []string{t.names[from]}
	for j := from + 1; j < len(cells); j++ {
		if s := cells[j].of(text); t.roles[j] == feature && !missingMark(s) {
			if _, _, advice := asNumber(s); advice == columnHint {
				names = append(names, t.names[j])
			}
		}
	}
	e.Hint = notNumbers(names)
}

func (t *table) number(b *block, c cell, j int, text []byte) (float64, *Error) {
	s := c.of(text)
	if missingMark(s) {
		if t.opt.Missing {
			b.noValue++
			return nan, nil
		}
		e := &Error{Line: c.line, Col: c.col, Msg: fmt.Sprintf("column %q: the value is missing", t.names[j]), Hint: missingHint}
		if t.blank[j] {
			e.Hint = hint.Sprintf("the header does not name this column; leave it out with {drop=%s}, or %s", t.names[j], missingHint)
		}
		return 0, e
	}
	if t.comma {
		plain, ok, _ := commaNumber(s)
		if !ok && isNumber(s) {
			return 0, &Error{Line: c.line, Col: c.col, Msg: fmt.Sprintf("column %q: %s has a decimal point, where others have a comma", t.names[j], clip(s)),
				Hint: "write all numbers in one way"}
		}
		if ok {
			s = plain
		}
	}
	v, msg, advice := asNumber(s)
	if msg != "" {
		return 0, &Error{Line: c.line, Col: c.col, Msg: fmt.Sprintf("column %q: %s", t.names[j], msg), Hint: advice}
	}
	return v, nil
}
