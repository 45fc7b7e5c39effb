package inkling

import (
	"bytes"

	"github.com/inklinghq/inkling/dataio"
)

// ReportOptions say what a report compares with and what it quotes.
type ReportOptions struct {
	Truth   string // a file of id,label with the true classes
	Against string // a file of id,cluster of another run
	Command string // the command that made the result, to be quoted
	Source  string // the path of the data, whose checksum is quoted
	Program string // the version of the program; "": Version
}

// Check reads the files to compare with, so that what is wrong with one is
// reported before a fit and not after it.
func (o ReportOptions) Check(workers int) error {
	for _, path := range []string{o.Truth, o.Against} {
		if path == "" || path == "-" || path == "/dev/stdin" {
			continue // standard input can be read only once
		}
		if _, err := openAssignment(path, workers); err != nil {
			return err
		}
	}
	return nil
}

func (o ReportOptions) program() string {
	if o.Program == "" {
		return Version
	}
	return o.Program
}

// openAssignment reads a file of id and class, a built-in one too.
func openAssignment(path string, workers int) (*dataio.Assignment, error) {
	if b, found, err := Builtin(path); found {
		if err != nil {
			return nil, err
		}
		return dataio.ReadAssignment(bytes.NewReader(b), path, workers)
	}
	return dataio.OpenAssignment(path, workers)
}
