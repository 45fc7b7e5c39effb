package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
)

// Exit codes: part of the contract.
const (
	exitOK          = 0
	exitInternal    = 1   // an error of the program itself
	exitUsage       = 2   // the command line is wrong
	exitInput       = 3   // a file is wrong: file:line:column: what
	exitConflict    = 4   // the constraints contradict each other, or k clusters cannot satisfy them
	exitViolated    = 5   // --strict, and a constraint is violated
	exitNoTime      = 6   // the time limit left no time for a clustering worth having
	exitInterrupted = 130 // Ctrl-C
)

var errInterrupted = errors.New("interrupted")

// An exitError is an error with an exit code. A silent one has been reported
// already.
type exitError struct {
	code   int
	err    error
	silent bool
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

func codeOf(err error) int {
	var input *door.InputError
	var option *door.OptionError
	var conflict *door.ConstraintError
	var late *door.TimeLimitError
	var target *targets.Error
	var memory *cluster.MemoryError
	var path *fs.PathError
	var problem *cluster.ProblemError
	var parameter *cluster.ParameterError
	switch {
	case errors.As(err, &conflict):
		return exitConflict
	case errors.As(err, &late):
		return exitNoTime
	case errors.As(err, &input), errors.As(err, &path), errors.As(err, &memory):
		return exitInput
	case errors.As(err, &option), errors.As(err, &parameter), errors.As(err, &target):
		return exitUsage
	case errors.As(err, &problem) && (problem.Field == "k" || problem.Field == "graph"):
		return exitUsage
	case errors.As(err, &problem):
		return exitInput
	}
	return exitInternal
}
