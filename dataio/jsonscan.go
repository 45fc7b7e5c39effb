package dataio

import (
	"bytes"
	"encoding/json"

	"github.com/inklinghq/inkling/hint"
)

// A jsonLine is a place in one line of JSON.
type jsonLine struct {
	b   []byte
	i   int
	buf []byte // for strings with escapes
}

func (l *jsonLine) bad(at int, advice hint.Hint, msg string) *Error {
	return &Error{Col: at + 1, Msg: msg, Hint: advice}
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

// take moves past c if it is next.
func (l *jsonLine) take(c byte) bool {
	if l.peek() != c {
		return false
	}
	l.i++
	return true
}

const jsonHint = "JSONL has one whole object, or one array of numbers, on each line"

func (l *jsonLine) want(c byte) *Error {
	if l.take(c) {
		return nil
	}
	if l.i == len(l.b) {
		return l.bad(l.i, jsonHint, "the line ends where "+clip([]byte{c})+" should be")
	}
	return l.bad(l.i, "", clip(l.b[l.i:min(l.i+10, len(l.b))])+" stands where "+clip([]byte{c})+" should be")
}

// text reads a string; it is good until the next one is read.
func (l *jsonLine) text() ([]byte, *Error) {
	start := l.i
	if err := l.want('"'); err != nil {
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
			return nil, l.bad(l.i, "write it as \\u00..", "there is a control character in a string")
		}
	}
	return nil, l.bad(start, jsonHint, "the string that starts here does not end")
}

func (l *jsonLine) unescape(start int) ([]byte, *Error) {
	var s string
	raw := bytes.TrimLeft(l.b[start:l.i], " \t\r")
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, l.bad(start, "", "the string "+clip(raw)+" has a wrong escape")
	}
	l.buf = append(l.buf[:0], s...)
	return l.buf, nil
}

// word reads a bare word such as true, null or -1.5e3 without judging it.
func (l *jsonLine) word() []byte {
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

// skip passes over any value.
func (l *jsonLine) skip() *Error {
	start, depth := l.i, 0
	for {
		switch l.peek() {
		case '"':
			if _, err := l.text(); err != nil {
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
				return l.bad(l.i, "", "a value is missing here")
			}
			l.i++
			continue
		case 0:
			return l.bad(start, jsonHint, "the value that starts here does not end on its line")
		default:
			l.word()
		}
		if depth <= 0 {
			return nil
		}
	}
}

// scalar tells how a bare word counts as a number: value, missing, or why it
// does not.
func jsonNumber(word []byte) (v float64, missing bool, msg string, advice hint.Hint) {
	switch string(word) {
	case "true":
		return 1, false, "", ""
	case "false":
		return 0, false, "", ""
	case "null", "NaN":
		return 0, true, "", ""
	}
	v, msg, advice = asNumber(word)
	return v, false, msg, advice
}
