package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/inklinghq/inkling/cmd/inkling/internal/paths"
	"github.com/inklinghq/inkling/dataio"
)

// An output is a path that a flag names; empty where it was not given.
type output struct{ flag, path string }

func (o output) isStdout() bool { return o.path == "-" || o.path == "/dev/stdout" }

// distinctOutputs refuses outputs that cannot be written, or that would be written
// over or into each other, before any work is done. The first of them goes to
// stdout where it is not given, unless json does.
func distinctOutputs(outputs []output, json bool) error {
	stdout, seen := "", map[string]string{}
	if json {
		stdout = "--json"
	} else if outputs[0].path == "" {
		stdout = "the result"
	}
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if o.isStdout() {
			if stdout != "" {
				return usagef("%s and %s would both go to stdout; give one of them a file", stdout, o.flag)
			}
			stdout = o.flag
			continue
		}
		regular, err := writable(o)
		if err != nil {
			return err
		}
		path := filepath.Clean(o.path)
		if other := seen[path]; other != "" && regular {
			return usagef("%s and %s would both be written to %s", other, o.flag, o.path)
		}
		seen[path] = o.flag
	}
	return nil
}

// protectInputs refuses outputs that would be written over a file that is read, or among
// texts that are read.
func protectInputs(outputs []output, inputs ...string) error {
	if err := outsideFolders(outputs, inputs...); err != nil {
		return err
	}
	for _, o := range outputs {
		written, err := os.Stat(o.path)
		if o.path == "" || err != nil || !written.Mode().IsRegular() {
			continue
		}
		for _, path := range inputs {
			if read, err := os.Stat(path); err == nil && os.SameFile(written, read) {
				return usagef("%s %s would overwrite %s, which is an input; give it another name", o.flag, o.path, path)
			}
		}
	}
	return nil
}

// writable refuses a path that nothing can be written to. It reports whether the
// path is, or will be, an ordinary file.
func writable(o output) (regular bool, err error) {
	info, err := os.Stat(o.path)
	if err == nil && info.IsDir() {
		return false, usagef("%s must be a file, but %s is a folder", o.flag, o.path)
	}
	regular = err != nil || info.Mode().IsRegular()
	dir := filepath.Dir(o.path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false, usagef("%s %s: there is no folder %s", o.flag, o.path, dir)
	}
	if regular {
		if err := dataio.Writable(o.path); err != nil {
			return false, writeError(o.path, err)
		}
	}
	return regular, nil
}

// writeFile writes a file whole or not at all, and ends well on Ctrl-C.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	if path != "-" { // stdout may wait for a reader for ever
		a.ending.Store(true)
		defer a.ending.Store(false)
	}
	if err := dataio.WriteFile(path, write); err != nil {
		return writeError(path, err)
	}
	return nil
}

// writeError says that an output could not be written, and why.
func writeError(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	if path == "-" {
		path = "stdout"
	}
	return &exitError{code: exitUsage, err: fmt.Errorf("could not write %s: %s", path, describe(err))}
}

// sayUnwritten says that with --json the clusters of the rows are not written
// without -o.
func (a *app) sayUnwritten(out string) {
	if a.json && out == "" {
		a.say("with --json the clusters of the rows are not printed; -o FILE writes them")
	}
}

// stdinOnce refuses to read stdin for more than one purpose.
func stdinOnce(paths ...string) error {
	n := 0
	for _, path := range paths {
		if path == "-" || path == "/dev/stdin" {
			n++
		}
	}
	if n > 1 {
		return usagef("stdin (-) is named %d times, but can be read only once; save it to a file first", n)
	}
	return nil
}

// outsideFolders refuses outputs inside a folder of texts that is read: the next
// run would take them for texts. Files with hidden names are not texts.
func outsideFolders(outputs []output, inputs ...string) error {
	for _, path := range inputs {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			continue
		}
		for _, o := range outputs {
			if o.path != "" && !o.isStdout() && paths.Inside(path, o.path) {
				return usagef("%s %s is inside %s, so the next run would read it as a document; write it elsewhere, or give it a name that begins with a dot",
					o.flag, o.path, path)
			}
		}
	}
	return nil
}
