package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A LogError is the error for a line that is no fit.
type LogError struct {
	Line int // from 1
	Err  error
}

func (e *LogError) Error() string {
	return fmt.Sprintf("experiment: line %d of the log is no fit: %v", e.Line, e.Err)
}

func (e *LogError) Unwrap() error { return e.Err }

// opening is how every line of a log begins.
const opening = `{"program":`

// ReadLog reads the fits of a log, one JSON object a line. A last line that was
// cut short, as by a kill, is passed over; whole is where it begins, and the
// length of the log where there is none. Lines to come are to be written
// there. Any other line that is no fit is a *LogError, so that a file that is
// no log is not taken for a torn one.
func ReadLog(r io.Reader) (fits []Fit, whole int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		b, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("experiment: reading the log: %w", err)
		}
		if err == io.EOF {
			if !bytes.HasPrefix(b, []byte(opening)) && !bytes.HasPrefix([]byte(opening), b) {
				return nil, 0, &LogError{line, errors.New("it is no JSON object of a fit")}
			}
			return fits, whole, nil
		}
		f, err := parseFit(b)
		if err != nil {
			return nil, 0, &LogError{line, err}
		}
		fits, whole = append(fits, f), whole+int64(len(b))
	}
}

func parseFit(b []byte) (f Fit, err error) {
	if !bytes.HasPrefix(b, []byte(opening)) {
		return f, errors.New("it is no JSON object of a fit")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return f, err
	}
	if d.More() {
		return f, errors.New("there is more after the object")
	}
	return f, nil
}

// appendFit writes a fit in one call, so that a kill can tear only the last
// line.
func appendFit(w io.Writer, f *Fit) error {
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("experiment: a fit that cannot be logged: %w", err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("experiment: writing the log: %w", err)
	}
	return nil
}
