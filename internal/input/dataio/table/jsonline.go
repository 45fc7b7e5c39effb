package table

import (
	"bytes"
	"encoding/json"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A jsonLine is a place in one line of JSON.
type jsonLine struct {
	b   []byte
	i   int
	buf []byte // for strings with escapes
}

func (l *jsonLine) refuseAt(at int, advice hint.Hint, msg string) *source.Error {
	return &source.Error{Col: at + 1, Msg: msg, Hint: advice}
}

// peek skips blanks and returns the byte there, 0 at the end of the line.
func (l *jsonLine) peek() byte {
	for l.i < len(l.b) {
		switch c := l.b[l.i]; c {
		case ' ', '\t', '\r':
			l.i++
		default:
			return c
		}
	}
	return 0
}

// takeByte moves past c if it is next.
func (l *jsonLine) takeByte(c byte) bool {
	if l.peek() != c {
		return false
	}
	l.i++
	return true
}

// takeEmptyList moves to at, and past the empty list there if there is one.
func (l *jsonLine) takeEmptyList(at int) bool {
	l.i = at
	if !l.takeByte('[') || !l.takeByte(']') {
		l.i = at
		return false
	}
	return true
}

const jsonHint = "JSONL has one whole object, or one array of numbers, on each line"

func (l *jsonLine) expect(c byte) *source.Error {
	if l.takeByte(c) {
		return nil
	}
	if l.i == len(l.b) {
		return l.refuseAt(l.i, jsonHint, "the line ends where "+source.Clip([]byte{c})+" should be")
	}
	return l.refuseAt(l.i, "", source.Clip(l.b[l.i:min(l.i+10, len(l.b))])+" stands where "+source.Clip([]byte{c})+" should be")
}

// readString reads a string; it is good until the next one is read.
func (l *jsonLine) readString() ([]byte, *source.Error) {
	start := l.i
	if err := l.expect('"'); err != nil {
		return nil, err
	}
	from := l.i
	escaped := false
	for ; l.i < len(l.b); l.i++ {
		switch c := l.b[l.i]; {
		case c == '"':
			l.i++
			if escaped {
				return l.unescape(start)
			}
			return l.b[from : l.i-1], nil
		case c == '\\':
			escaped = true
			l.i++
		case c < ' ':
			return nil, l.refuseAt(l.i, "write it as \\u00..", "there is a control character in a string")
		}
	}
	return nil, l.refuseAt(start, jsonHint, "the string that starts here does not end")
}

func (l *jsonLine) unescape(start int) ([]byte, *source.Error) {
	var s string
	raw := bytes.TrimLeft(l.b[start:l.i], " \t\r")
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, l.refuseAt(start, "", "the string "+source.Clip(raw)+" has a wrong escape")
	}
	l.buf = append(l.buf[:0], s...)
	return l.buf, nil
}

// readToken reads a bare word such as true, null or -1.5e3 without judging it.
func (l *jsonLine) readToken() []byte {
	l.peek()
	from := l.i
	for ; l.i < len(l.b); l.i++ {
		switch l.b[l.i] {
		case ',', ']', '}', ' ', '\t', '\r', ':', '"', '[', '{':
			return l.b[from:l.i]
		}
	}
	return l.b[from:]
}

// skipValue passes over any value.
func (l *jsonLine) skipValue() *source.Error {
	start, depth := l.i, 0
	for {
		switch l.peek() {
		case '"':
			if _, err := l.readString(); err != nil {
				return err
			}
		case '[', '{':
			depth++
			l.i++
		case ']', '}':
			depth--
			l.i++
		case ',', ':':
			if depth == 0 {
				return l.refuseAt(l.i, "", "a value is missing here")
			}
			l.i++
			continue
		case 0:
			return l.refuseAt(start, jsonHint, "the value that starts here does not end on its line")
		default:
			l.readToken()
		}
		if depth <= 0 {
			return nil
		}
	}
}

// parseJSONNumber says how a bare word counts as a number: value, missing, or why it
// does not.
func parseJSONNumber(word []byte) (v float64, missing bool, msg string, advice hint.Hint) {
	switch string(word) {
	case "true":
		return 1, false, "", ""
	case "false":
		return 0, false, "", ""
	case "null", "NaN":
		return 0, true, "", ""
	}
	v, msg, advice = ParseCell(word)
	return v, false, msg, advice
}
