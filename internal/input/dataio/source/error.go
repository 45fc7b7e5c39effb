package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// An Error refuses an input: where (Line and Col count from 1, Col in bytes;
// 0 means no particular place), what is wrong, and what to do about it.
type Error struct {
	File      string
	Line, Col int
	Msg       string
	Hint      hint.Hint // what to do about it; not part of Error()
	Err       error     // what is underneath, if anything
}

// Error returns the place and what is wrong, without the hint.
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
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Advice returns the hint of e, or that of its cause.
func (e *Error) Advice() hint.Hint {
	if e.Hint == "" {
		return hint.Of(e.Err)
	}
	return e.Hint
}

// PathError says what the system says, without repeating the path that the
// Error names already, and which file was probably meant.
func PathError(path string, err error) *Error {
	if path == "" {
		return &Error{File: `""`, Msg: "the name of the file is empty", Err: err}
	}
	var p *fs.PathError
	if !errors.As(err, &p) {
		return &Error{File: path, Msg: err.Error(), Err: err}
	}
	e := &Error{File: p.Path, Msg: p.Err.Error(), Err: err}
	if errors.Is(err, fs.ErrNotExist) {
		e.Hint = nearestFile(p.Path)
	}
	return e
}

// nearestFile asks for the file next to path whose name is nearest, if one is near;
// or says that there is no such folder.
func nearestFile(path string) hint.Hint {
	const most = 10_000
	dir, name := filepath.Split(path)
	f, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return hint.Sprintf("there is no folder %s", filepath.Clean(dir))
	}
	defer f.Close()
	names, _ := f.Readdirnames(most) // as many as can be read
	slices.Sort(names)               // the same question every time
	near := suggest.Nearest(name, names)
	for _, n := range names {
		if strings.HasPrefix(n, name+".") { // all but its last part
			near = n
			break
		}
	}
	if near == "" {
		return ""
	}
	return hint.Sprintf("did you mean %s?", dir+near)
}

// RefusePanics turns a panic in code of others, such as a decoder, into a refusal of the file
// that it was given. It is to be deferred; err is the error that is returned.
func RefusePanics(name, what string, err *error) {
	if fault := recover(); fault != nil {
		*err = &Error{File: name, Msg: what, Hint: "the file seems damaged or cut off: fetch it again", Err: fmt.Errorf("%v", fault)}
	}
}

// Unreadable returns the error for a source that failed with err while it was read.
func Unreadable(name string, line int, err error) *Error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e // it says what to do already
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: name, Line: line, Msg: "the input ends early", Hint: "the file seems cut off: fetch it again", Err: err}
	}
	return &Error{File: name, Line: line, Msg: "reading failed: " + err.Error(), Err: err}
}

// AsError finds the *Error inside err, or makes one.
func AsError(err error, name string) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Unreadable(name, 0, err)
}
