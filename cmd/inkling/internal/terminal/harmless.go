package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// Harmless returns out itself, or, if it is a terminal, a writer that writes out what
// Printable does in each line.
func Harmless(out *os.File) io.Writer {
	if !term.IsTerminal(int(out.Fd())) {
		return out
	}
	return &Escaper{To: out}
}

// HarmlessWrite returns write with its bytes passed on as Harmless does for standard
// output.
func HarmlessWrite(write func(io.Writer) error) func(io.Writer) error {
	if !term.IsTerminal(int(os.Stdout.Fd())) {
		return write
	}
	return func(w io.Writer) error {
		e := &Escaper{To: w}
		return errors.Join(write(e), e.Flush())
	}
}

// An Escaper passes lines on with what Printable escapes written out. A letter that is
// cut in two waits for the next Write.
type Escaper struct {
	To   io.Writer
	rest []byte
}

func (e *Escaper) Write(b []byte) (int, error) {
	text := append(e.rest, b...)
	whole := len(text) - incomplete(text)
	e.rest = bytes.Clone(text[whole:])
	if _, err := io.WriteString(e.To, printableText(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush passes on what waits.
func (e *Escaper) Flush() error {
	_, err := e.To.Write(e.rest)
	e.rest = nil
	return err
}
