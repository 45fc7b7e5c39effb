package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/inklinghq/inkling/cmd/inkling/internal/paths"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/version"
)

// errLog marks a log that could not be written.
var errLog = errors.New("the log could not be written")

// program names the code that makes the fits of a log: the version and the
// revision, and, where these leave it open what was built, a digest of the
// program itself. Fits of other code are not mixed in.
func program() string {
	v := version.Current()
	name := v.Version
	if v.Revision != "" {
		name += " (" + v.Revision + ")"
	}
	if v.Revision != "" && !v.Changed {
		return name
	}
	return name + " " + paths.ProgramDigest()
}

// A logFile is a log that is open for more lines. A nil one keeps nothing.
type logFile struct {
	file *os.File
	path string
}

// openLog reads what is in the log that flag names, if there is one, and cuts
// off an incomplete last line. Unit is what a line is called.
func openLog[T any](a *app, flag, path, unit string, read func(io.Reader) ([]T, int64, error)) ([]T, *logFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, writeError(path, err)
	}
	lines, err := readLog(a, flag, path, unit, f, read)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, nil, err
	}
	return lines, &logFile{f, path}, nil
}

func readLog[T any](a *app, flag, path, unit string, f *os.File, read func(io.Reader) ([]T, int64, error)) ([]T, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usagef("%s must be an ordinary file, which is also read, got %s", flag, path)
	}
	lines, whole, err := read(f)
	var bad *experiment.LogError
	if errors.As(err, &bad) {
		return nil, &dataio.Error{File: path, Line: bad.Line, Msg: "this is not a " + unit + ": " + bad.Err.Error(),
			Hint: hint.Sprintf("give %s another file, or delete the line", flag), Err: err}
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > whole {
		a.say("%s: the last line is incomplete and is left out", path)
		if err := f.Truncate(whole); err != nil {
			return nil, writeError(path, err)
		}
	}
	if len(lines) > 0 {
		a.say("%s: %s already there", path, format.Count(len(lines), unit))
	}
	return lines, nil
}

// writer returns where lines go, nil where nowhere.
func (l *logFile) writer() io.Writer {
	if l == nil {
		return nil
	}
	return l
}

func (l *logFile) Write(b []byte) (int, error) {
	n, err := l.file.Write(b)
	if err != nil {
		return n, fmt.Errorf("%w: %w", errLog, err)
	}
	return n, nil
}

func (l *logFile) close() error {
	if l == nil {
		return nil
	}
	if err := l.file.Close(); err != nil {
		return writeError(l.path, err)
	}
	return nil
}
