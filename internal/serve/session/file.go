package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
)

// maxLine is the longest line that is read.
const maxLine = 1 << 20

// A read is what a file holds.
type read struct {
	header Header
	events []Event
	size   int64  // of the lines that are whole
	cut    []byte // what follows them: a line that was not written to its end
}

// readAll reads the lines of a session. A last line without its end was never
// acknowledged: it is left out. Anything else that is not an event is refused with its
// line.
func readAll(r io.Reader, name string) (*read, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	out := &read{}
	for number := 1; ; number++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			if errors.Is(err, errLong) {
				return nil, wrong(name, number, err.Error())
			}
			return nil, &door.InputError{File: name, Msg: err.Error()}
		}
		if err == io.EOF {
			if number == 1 {
				return nil, wrong(name, 1, "this is not a session: its first line is not whole")
			}
			out.cut = line
			return out, nil
		}
		size := int64(len(line))
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if number == 1 {
			err = out.readHeader(line)
		} else {
			err = out.readEvent(line)
		}
		if err != nil {
			return nil, wrong(name, number, err.Error())
		}
		out.size += size
	}
}

var errLong = fmt.Errorf("a line is longer than %d bytes", maxLine)

// readLine returns a line with its end, or what is left and io.EOF.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return nil, errLong
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func wrong(name string, line int, what string) error {
	return &door.InputError{File: name, Line: line, Msg: what}
}

func (r *read) readHeader(line []byte) error {
	var is struct {
		Inkling *string `json:"inkling"`
	}
	if err := json.Unmarshal(line, &is); err != nil || is.Inkling == nil {
		return errors.New(`this is not a session: its first line should be {"inkling":"` + Format + `",...}`)
	}
	if *is.Inkling != Format {
		if strings.HasPrefix(*is.Inkling, "session/") {
			return fmt.Errorf("the session is of version %s, and this program knows %s; a later inkling reads it", *is.Inkling, Format)
		}
		return fmt.Errorf("this is not a session, but %q", *is.Inkling)
	}
	return unmarshal(line, &r.header)
}

func (r *read) readEvent(line []byte) error {
	var e Event
	if err := unmarshal(line, &e); err != nil {
		return err
	}
	if e.N != len(r.events)+1 {
		return fmt.Errorf("event %d follows event %d: a line is missing, twice there or changed", e.N, len(r.events))
	}
	if err := e.check(r.events); err != nil {
		return err
	}
	e.line = bytes.Clone(line)
	r.events = append(r.events, e)
	return nil
}

// unmarshal reads one JSON object, and says what is wrong without the names of Go.
func unmarshal(line []byte, to any) error {
	err := json.Unmarshal(line, to)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s must not be a %s", kind.Field, kind.Value)
	}
	return fmt.Errorf("not a JSON object: %v", err)
}
