package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A LogError is the error for a line that is not an entry of the log.
type LogError struct {
	Line int    // from 1
	What string // name of an entry: fit
	Err  error
}

func (e *LogError) Error() string {
	return fmt.Sprintf("line %d of the log is not a %s: %v", e.Line, e.What, e.Err)
}

func (e *LogError) Unwrap() error { return e.Err }

// opening is how every line of a log begins.
const opening = `{"program":`

// ReadLog reads a log of fits, as ReadLines reads any.
func ReadLog(r io.Reader) (fits []Fit, whole int64, err error) {
	return ReadLines(r, "fit", func(*Fit) error { return nil })
}

// ReadLines reads a log, one JSON object a line, whose first key is program.
// What is the name of such an object, and check may refuse one. A last line
// that was cut short, as by a kill, is skipped; whole is where it begins, or the
// length of the log. Lines to come are to be
// written there. Any other line that is not an entry is a *LogError, so that a
// file that is not a log is not taken for a log that was cut short.
func ReadLines[Line any](r io.Reader, what string, check func(*Line) error) (lines []Line, whole int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for at := 1; ; at++ {
		b, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("reading the log: %w", err)
		}
		if !bytes.HasPrefix(b, []byte(opening)) && (err == nil || !bytes.HasPrefix([]byte(opening), b)) {
			return nil, 0, &LogError{at, what, errors.New("it is not the JSON object of a " + what)}
		}
		if err == io.EOF {
			return lines, whole, nil
		}
		var line Line
		if err = parseLine(b, &line); err == nil {
			err = check(&line)
		}
		if err != nil {
			return nil, 0, &LogError{at, what, err}
		}
		lines, whole = append(lines, line), whole+int64(len(b))
	}
}

func parseLine(b []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is more after the object")
	}
	return nil
}

// appendFit writes a fit in one call, so that a kill can tear only the last
// line.
func appendFit(w io.Writer, f *Fit) error {
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("a fit that cannot be logged: %w", err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	return nil
}
