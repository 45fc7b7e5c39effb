package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/experiment"
)

// errLog marks a log that could not be written.
var errLog = errors.New("the log could not be written")

// program names the code that makes the fits of a log: the version and the
// revision, and, where these leave it open what was built, a digest of the
// program itself. Fits of other code are not mixed in.
func program() string {
	v := newVersionCard()
	name := v.Version
	if v.Revision != "" {
		name += " (" + v.Revision + ")"
	}
	if v.Revision != "" && !strings.Contains(v.Revision, "changed") {
		return name
	}
	return name + " " + ownDigest()
}

// ownDigest returns the start of the SHA-256 of the running program, and
// "unknown" where it cannot be read.
func ownDigest() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// A fitLog is the file of --log, open for more fits. A nil one keeps nothing.
type fitLog struct {
	file *os.File
	path string
}

// openLog reads the fits that are in the log, if there is one, and cuts off a
// line that a kill has torn.
func (j *curveJob) openLog() ([]experiment.Fit, *fitLog, error) {
	if j.log == "" {
		return nil, nil, nil
	}
	f, err := os.OpenFile(j.log, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, writeFault(j.log, err)
	}
	j.c.Program = program()
	fits, err := j.readLog(f)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, nil, err
	}
	return fits, &fitLog{f, j.log}, nil
}

func (j *curveJob) readLog(f *os.File) ([]experiment.Fit, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usagef("--log %s is read too, so it must be an ordinary file", j.log)
	}
	fits, whole, err := experiment.ReadLog(f)
	var bad *experiment.LogError
	if errors.As(err, &bad) {
		return nil, &dataio.Error{File: j.log, Line: bad.Line, Msg: "this is no fit of a curve: " + bad.Err.Error(),
			Hint: "name another --log, or delete the line", Err: err}
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > whole {
		j.app.say("%s: the last line was cut short and is left out", j.log)
		if err := f.Truncate(whole); err != nil {
			return nil, writeFault(j.log, err)
		}
	}
	if len(fits) > 0 {
		j.app.say("%s: %s there already", j.log, count(len(fits), "fit"))
	}
	return fits, nil
}

// writer returns where fits go, nil where nowhere.
func (l *fitLog) writer() io.Writer {
	if l == nil {
		return nil
	}
	return l
}

func (l *fitLog) Write(b []byte) (int, error) {
	n, err := l.file.Write(b)
	if err != nil {
		return n, fmt.Errorf("%w: %w", errLog, err)
	}
	return n, nil
}

func (l *fitLog) close() error {
	if l == nil {
		return nil
	}
	if err := l.file.Close(); err != nil {
		return writeFault(l.path, err)
	}
	return nil
}
