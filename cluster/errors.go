package cluster

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// A ProblemError is the error for a problem that no algorithm, or not the chosen
// one, can take. Field names what is wrong: k, x, graph, kernel, weight, constraints
// or view, and in a call of Predict x or model. The cause, if there is one, may
// be a *constraint.EntryError (one entry), a *constraint.ConflictError (entries that
// contradict each other) or an error of the method.
type ProblemError struct {
	Field string
	Err   error
	Hint  string // what to do about it; "" if nothing is suggested
}

func (e *ProblemError) Error() string { return e.Err.Error() }
func (e *ProblemError) Unwrap() error { return e.Err }

// Advice returns the hint of e, or that of its cause.
func (e *ProblemError) Advice() string {
	if e.Hint == "" {
		return string(hint.Of(e.Err))
	}
	return e.Hint
}

// Problemf returns a ProblemError with a formatted message.
func Problemf(field, format string, args ...any) error {
	return &ProblemError{Field: field, Err: fmt.Errorf(""+format, args...)}
}

// A ParameterError is the error for parameters that an algorithm cannot take, in
// themselves, together or for this problem, and for invalid Settings.
type ParameterError struct{ Err error }

func (e *ParameterError) Error() string { return e.Err.Error() }
func (e *ParameterError) Unwrap() error { return e.Err }

// An AuditError is an error of an algorithm that an audited fit found.
type AuditError struct {
	Run, Iter int
	Stage     string
	What      string
	Was, Now  float64
}

func (e *AuditError) Error() string {
	return fmt.Sprintf("run %d, iteration %d: stage %q %s: %v, then %v", e.Run, e.Iter, e.Stage, e.What, e.Was, e.Now)
}
