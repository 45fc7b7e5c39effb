package workspace

import (
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/internal/door"
)

// A RequestError says what is wrong with a request.
type RequestError struct {
	Problem
	// Body is what is sent in place of the problem; nil: the problem.
	Body any
}

func (e *RequestError) Error() string { return e.Message }

// The kinds of problems.
const (
	KindInput      = "input"
	KindOption     = "option"
	KindConstraint = "constraint"
	KindNotFound   = "not-found"
	KindConflict   = "conflict"
	KindTooLarge   = "too-large"
	KindInternal   = "internal"
)

// Refuse returns a problem with a request.
func Refuse(kind, format string, args ...any) error {
	return &RequestError{Problem: Problem{Kind: kind, Message: fmt.Sprintf(format, args...)}}
}

// ProblemOf words an error for people who use the page.
func ProblemOf(err error) Problem {
	var request *RequestError
	var input *door.InputError
	var option *door.OptionError
	var constraint *door.ConstraintError
	p := Problem{Kind: KindInternal, Message: err.Error()}
	switch {
	case errors.As(err, &request):
		return request.Problem
	case errors.As(err, &constraint):
		p.Kind = KindConstraint
	case errors.As(err, &option):
		p.Kind = KindOption
	case errors.As(err, &input):
		p.Kind = KindInput
	}
	p.Hint = Worded(door.Advice(err))
	return p
}
