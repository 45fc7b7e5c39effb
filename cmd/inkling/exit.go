package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
)

// Exit codes: part of the contract.
const (
	exitOK          = 0
	exitFault       = 1   // a fault of ours
	exitUsage       = 2   // the command line is wrong
	exitInput       = 3   // a file is wrong: file:line:column: what
	exitConflict    = 4   // what is known contradicts itself, or cannot be had with k clusters
	exitViolated    = 5   // --strict, and something known is violated
	exitInterrupted = 130 // Ctrl-C
)

var errInterrupted = errors.New("interrupted")

// An exitError is an error with the code to leave by. A silent one has been
// told already.
type exitError struct {
	code   int
	err    error
	silent bool
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &exitError{code: exitUsage, err: errors.New(strings.ReplaceAll(text, "?; ", "? "))} // a question ends its sentence
}

// finish says what went wrong, if anything, and returns the exit code.
func (a *app) finish(err error) int {
	a.screen.clear()
	if a.stdout.err != nil { // whatever else there is to say, the result is lost
		err = writeFault("-", a.stdout.err)
	}
	if err == nil {
		return exitOK
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{code: codeOf(err), err: err}
	}
	if !e.silent {
		fmt.Fprintln(a.stderr, "inkling: "+printable(message(err)))
	}
	return e.code
}

// message returns what err says, and what to do about it.
func message(err error) string {
	text, advice := err.Error(), renderHint(hint.Of(err))
	switch {
	case advice == "":
		return text
	case strings.HasSuffix(text, "?"): // a question ends its sentence
		return text + " " + advice
	}
	return text + "; " + advice
}

func codeOf(err error) int {
	var input *dataio.Error
	var path *fs.PathError
	var bad *cluster.ProblemError
	var conflict *constraint.ConflictError
	var parameter *cluster.ParameterError
	switch {
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &conflict):
		return exitConflict
	case errors.As(err, &bad):
		if bad.Field == "k" || bad.Field == "graph" {
			return exitUsage
		}
		return exitInput
	case errors.As(err, &path):
		return exitInput
	case errors.As(err, &parameter):
		return exitUsage
	}
	return exitFault
}
