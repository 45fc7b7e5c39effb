package inkling

import (
	"errors"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// A Hint is advice in which options stand in braces, {missing=drop}. Render puts
// it into words for the users of a program.
type Hint string

// A HintOption is an option that a Hint names. Value is empty where the hint names
// the option alone.
type HintOption struct{ Name, Value string }

// Advice returns what a user can do about err; "" where nothing is known.
func Advice(err error) Hint { return Hint(hint.Of(err)) }

// Options returns the options that h names, in order.
func (h Hint) Options() []HintOption { return mirror.To[[]HintOption](hint.Hint(h).Options()) }

// Render returns the sentence with every option as word puts it.
func (h Hint) Render(word func(HintOption) string) string {
	return hint.Hint(h).Render(func(o hint.Option) string { return word(HintOption(o)) })
}

// String returns the sentence with options as name or name=value.
func (h Hint) String() string { return hint.Hint(h).String() }

// A Note is something that users should know: a decision that was made, or a
// warning. Options in its text stand in braces, as in a Hint.
type Note struct {
	Text    Hint
	Warning bool
}

func (n Note) String() string { return n.Text.String() }

// An InputError refuses a file, with its name, line and column, which count from 1;
// 0 means no particular place.
type InputError struct {
	File      string
	Line, Col int
	Msg       string
	Hint      Hint // what to do about it; not part of Error()
	Err       error
}

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

// An OptionError refuses an option, or a combination of options.
type OptionError struct {
	Option string // its name, as hints have it; "" where several are involved
	Msg    string
	Hint   Hint
	Err    error
}

func (e *OptionError) Error() string { return e.Err.Error() }
func (e *OptionError) Unwrap() error { return e.Err }

// A ConstraintError says that the constraints contradict each other, or that k
// clusters cannot satisfy them. Its message names rows by their ids, and files
// and lines where the constraints come from files.
type ConstraintError struct {
	Msg  string
	Hint Hint
	Err  error // a *constraint.ConflictError is underneath where they contradict each other
}

func (e *ConstraintError) Error() string { return e.Err.Error() }
func (e *ConstraintError) Unwrap() error { return e.Err }

// A TimeLimitError says that Options.Timeout ended before there was a clustering worth
// having.
type TimeLimitError struct {
	Limit time.Duration
	Err   error
}

func (e *TimeLimitError) Error() string { return e.Err.Error() }
func (e *TimeLimitError) Unwrap() error { return e.Err }

// publicError returns err as one of the types above where it is of that kind; its
// message and what errors.Is and errors.As find underneath stay the same.
func publicError(err error) error {
	var input *door.InputError
	var option *door.OptionError
	var constraints *door.ConstraintError
	var late *door.TimeLimitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &constraints):
		return &ConstraintError{constraints.Msg, Hint(constraints.Hint), err}
	case errors.As(err, &late):
		return &TimeLimitError{late.Limit, err}
	case errors.As(err, &option):
		return &OptionError{option.Option, option.Msg, Hint(option.Advice()), err}
	case errors.As(err, &input):
		return &InputError{input.File, input.Line, input.Col, input.Msg, Hint(input.Hint), err}
	}
	return err
}
