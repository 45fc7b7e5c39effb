package dataio

import (
	"fmt"
	"strings"
)

// An Error refuses an input: where (Line and Col count from 1, Col in bytes;
// 0 is nowhere in particular), what is wrong, and what to do about it.
type Error struct {
	File      string
	Line, Col int
	Msg       string
	Hint      string
	Err       error // what is underneath, if anything
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Col > 0 {
			fmt.Fprintf(&b, ":%d", e.Col)
		}
	}
	b.WriteString(": " + e.Msg)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
