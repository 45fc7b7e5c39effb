// Package targets checks, before any work is done, that what a command is asked to write can
// be written, and over nothing that it reads.
package targets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/inklinghq/inkling/cmd/inkling/internal/paths"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
)

// An Error refuses a target: the command line is wrong.
type Error struct{ msg string }

func (e *Error) Error() string { return e.msg }

func refusef(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// A Target is a path that a flag names; empty where it was not given.
type Target struct{ Flag, Path string }

// IsStdout reports whether o is standard output.
func (o Target) IsStdout() bool { return o.Path == "-" || o.Path == "/dev/stdout" }

// Distinct refuses outputs that cannot be written, or that would be written
// over or into each other, before any work is done. The first of them goes to
// stdout where it is not given, unless json does.
func Distinct(outputs []Target, json bool) error {
	only := true // stdout is all that is written
	for _, o := range outputs {
		only = only && (o.Path == "" || o.IsStdout())
	}
	if only && stdoutClosed() {
		return refusef("the result would go to stdout, which is closed; name a file by -o, or redirect stdout")
	}
	switch {
	case json:
		return separate(outputs, "--json")
	case outputs[0].Path == "":
		return separate(outputs, "the result")
	}
	return separate(outputs, "")
}

// Tables refuses outputs that are tables in a format that is not written.
func Tables(outputs ...Target) error {
	for _, o := range outputs {
		if err := tablefile.CheckName(o.Path); err != nil {
			return refusef("%s %s: output %v", o.Flag, o.Path, err)
		}
	}
	return nil
}

// Separate is Distinct for outputs none of which goes to stdout by itself.
func Separate(outputs ...Target) error { return separate(outputs, "") }

// separate is Distinct where stdout carries what is named, or nothing.
func separate(outputs []Target, stdout string) error {
	var seen []Target
	for _, o := range outputs {
		if o.Path == "" {
			continue
		}
		if o.IsStdout() {
			if stdout != "" {
				return refusef("%s and %s would both go to stdout; give one of them a file", stdout, o.Flag)
			}
			stdout = o.Flag
			continue
		}
		regular, err := Writable(o)
		if err != nil {
			return err
		}
		for _, other := range seen {
			if regular && paths.Same(other.Path, o.Path, foldsNames) {
				return refusef("%s and %s would both be written to %s", other.Flag, o.Flag, o.Path)
			}
		}
		seen = append(seen, o)
	}
	return nil
}

// Folder refuses a folder that is to be made where a file is, or is to be written.
func Folder(o Target, files []Target) error {
	if o.Path == "" {
		return nil
	}
	if info, err := os.Stat(o.Path); err == nil && !info.IsDir() {
		return refusef("%s must be a folder, but %s is a file", o.Flag, o.Path)
	}
	for _, f := range files {
		if f.Path != "" && !f.IsStdout() && paths.Same(f.Path, o.Path, foldsNames) {
			return refusef("%s and %s would both be written to %s", f.Flag, o.Flag, o.Path)
		}
	}
	return nil
}

// foldsNames is whether names of files are usually the same in upper and lower case here.
const foldsNames = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// ProtectInputs refuses outputs that would be written over a file that is read, or among
// texts that are read.
func ProtectInputs(outputs []Target, inputs ...string) error {
	if err := OutsideFolders(outputs, inputs...); err != nil {
		return err
	}
	for _, o := range outputs {
		written, err := os.Stat(o.Path)
		if o.Path == "" || err != nil || !written.Mode().IsRegular() {
			continue
		}
		for _, path := range inputs {
			if read, err := os.Stat(path); err == nil && os.SameFile(written, read) {
				return refusef("%s %s would overwrite %s, which is an input; give it another name", o.Flag, o.Path, path)
			}
		}
	}
	return nil
}

// Writable refuses a path that nothing can be written to. It reports whether the
// path is, or will be, an ordinary file.
func Writable(o Target) (regular bool, err error) {
	info, err := os.Stat(o.Path)
	if err == nil && info.IsDir() {
		return false, refusef("%s must be a file, but %s is a folder", o.Flag, o.Path)
	}
	regular = err != nil || info.Mode().IsRegular()
	dir := filepath.Dir(o.Path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false, refusef("%s %s: there is no folder %s", o.Flag, o.Path, dir)
	}
	if regular {
		if err := dataio.Writable(o.Path); err != nil {
			var cause *fs.PathError
			if errors.As(err, &cause) {
				err = cause.Err
			}
			return false, refusef("could not write %s: %v", o.Path, err)
		}
	}
	return regular, nil
}

// StdinOnce refuses to read stdin for more than one purpose.
func StdinOnce(paths ...string) error {
	n := 0
	for _, path := range paths {
		if path == "-" || path == "/dev/stdin" {
			n++
		}
	}
	if n > 1 {
		return refusef("stdin (-) is named %d times, but can be read only once; save it to a file first", n)
	}
	return nil
}

// OutsideFolders refuses outputs inside a folder of texts that is read: the next
// run would take them for texts. Files with hidden names are not texts.
func OutsideFolders(outputs []Target, inputs ...string) error {
	for _, path := range inputs {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			continue
		}
		for _, o := range outputs {
			if o.Path != "" && !o.IsStdout() && paths.Inside(path, o.Path) {
				return refusef("%s %s is inside %s, so the next run would read it as a document; write it elsewhere, or give it a name that begins with a dot",
					o.Flag, o.Path, path)
			}
		}
	}
	return nil
}
