package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// writeFile writes a file whole or not at all, and ends well on Ctrl-C.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		write = terminal.HarmlessWrite(write)
	} else { // stdout may wait for a reader for ever
		a.ending.Store(true)
		defer a.ending.Store(false)
	}
	if err := dataio.WriteFile(path, write); err != nil {
		return writeError(path, err)
	}
	return nil
}

// An output is a file, and what writes it. There is none where the path is empty.
type output struct {
	path  string
	write func(io.Writer) error
}

// writeFiles writes the outputs that were asked for.
func (a *app) writeFiles(files []output) error {
	for _, f := range files {
		if f.path == "" {
			continue
		}
		if err := a.writeFile(f.path, f.write); err != nil {
			return err
		}
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
