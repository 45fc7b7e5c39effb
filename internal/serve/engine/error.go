package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
)

// An ErrorKind tells errors apart for a program.
type ErrorKind string

// The kinds of errors.
const (
	KindOption     ErrorKind = "option"     // an option is wrong
	KindInput      ErrorKind = "input"      // the data are wrong
	KindConstraint ErrorKind = "constraint" // the constraints contradict each other
	KindNoise      ErrorKind = "noise"      // every row is noise: there is no cluster
	KindTime       ErrorKind = "time"       // the time limit left no time for a clustering
	KindCancelled  ErrorKind = "cancelled"  // the request was cancelled before there was a result
	KindGone       ErrorKind = "gone"       // the engine does not keep what the handle named
	KindArray      ErrorKind = "array"      // the file of an array cannot be read
	KindProtocol   ErrorKind = "protocol"   // the message is wrong: a fault of the caller
	KindInternal   ErrorKind = "internal"   // a fault of the engine
)

// An Error is the reply to a request that failed. Options stand in braces in its hint, as
// package hint explains.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
	Option  string    `json:"option,omitempty"`
	Hint    door.Hint `json:"hint,omitempty"`
	cause   error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.cause }

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// errorOf returns err as a message has it.
func errorOf(err error) *Error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	out := &Error{Kind: KindInternal, Message: err.Error(), Hint: door.Advice(err)}
	var input *door.InputError
	var option *door.OptionError
	var conflict *door.ConstraintError
	var late *door.TimeLimitError
	var problem *cluster.ProblemError
	var parameter *cluster.ParameterError
	var memory *cluster.MemoryError
	switch {
	case errors.As(err, &conflict):
		out.Kind = KindConstraint
	case errors.As(err, &late):
		out.Kind = KindTime
	case errors.Is(err, door.ErrAllNoise):
		out.Kind = KindNoise
	case errors.As(err, &option):
		out.Kind, out.Option = KindOption, option.Option
	case errors.As(err, &parameter):
		out.Kind = KindOption
	case errors.As(err, &input), errors.As(err, &problem), errors.As(err, &memory):
		out.Kind = KindInput
	case errors.Is(err, context.Canceled):
		out.Kind, out.Message = KindCancelled, "the request was cancelled"
	}
	return out
}
