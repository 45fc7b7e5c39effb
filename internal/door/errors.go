package door

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A Hint is advice in which options stand in braces, {missing=drop}. Render puts
// it into words for the users of a program.
type Hint = hint.Hint

// A HintOption is an option that a Hint names.
type HintOption = hint.Option

// Advice returns what a user can do about err; "" where nothing is known.
func Advice(err error) Hint { return hint.Of(err) }

// An InputError refuses a file, with its name, line and column.
type InputError = dataio.Error

// ErrAllNoise is the cause where a method finds no cluster at all.
var ErrAllNoise = errors.New("every row is noise")

// An OptionError refuses an option, or a combination of options.
type OptionError struct {
	Option string // its name, as hints have it; "" where several are involved
	Msg    string
	Hint   Hint
	Err    error // the cause, if there is one
}

func (e *OptionError) Error() string { return e.Msg }
func (e *OptionError) Unwrap() error { return e.Err }

// Advice returns the hint of e, or that of its cause.
func (e *OptionError) Advice() Hint {
	if e.Hint == "" && e.Err != nil {
		return hint.Of(e.Err)
	}
	return e.Hint
}

func optionError(option string, h Hint, format string, args ...any) error {
	return &OptionError{Option: option, Msg: fmt.Sprintf(format, args...), Hint: h}
}

// A ConstraintError says that the constraints contradict each other, or that k
// clusters cannot satisfy them. Its message names rows by their ids, and files
// and lines where the constraints come from files.
type ConstraintError struct {
	Msg  string
	Hint Hint
	Err  error // a *constraint.ConflictError, or what the method says; nil where the count of clusters is too small
}

func (e *ConstraintError) Error() string { return e.Msg }
func (e *ConstraintError) Unwrap() error { return e.Err }

// Advice returns the hint of e.
func (e *ConstraintError) Advice() Hint { return e.Hint }

// A TimeLimitError says that Options.Timeout ended before there was a clustering worth
// having.
type TimeLimitError struct {
	Limit time.Duration
	Whole bool // a result is whole or not at all: there is no best so far to keep
}

func (e *TimeLimitError) Error() string {
	if e.Whole {
		return fmt.Sprintf("the time limit of %s ended before there was a result", e.Limit)
	}
	return fmt.Sprintf("the time limit of %s left no time for a clustering worth having", e.Limit)
}

// Advice returns what can be done.
func (e *TimeLimitError) Advice() Hint {
	if e.Whole {
		return "allow more time by {timeout}"
	}
	return "allow more time by {timeout}; {best-effort} keeps what there is when it ends"
}

// A Note is something that users should know: a decision that was made, or a
// warning. Options in its text stand in braces, as in a Hint.
type Note struct {
	Text    Hint
	Warning bool
}

func (n Note) String() string { return n.Text.String() }

// notes collects notes and passes each on as it is made.
type notes struct {
	list []Note
	tell func(Note)
}

func (n *notes) add(warning bool, format string, args ...any) {
	n.pass(Note{Text: hint.Sprintf(format, args...), Warning: warning})
}

// pass collects a note that exists already.
func (n *notes) pass(note Note) {
	n.list = append(n.list, note)
	if n.tell != nil {
		n.tell(note)
	}
}

func (n *notes) say(format string, args ...any)  { n.add(false, format, args...) }
func (n *notes) warn(format string, args ...any) { n.add(true, format, args...) }

// sayOnce is say, unless there is such a note already.
func (n *notes) sayOnce(format string, args ...any) {
	if text := hint.Sprintf(format, args...); !slices.ContainsFunc(n.list, func(old Note) bool { return old.Text == text }) {
		n.pass(Note{Text: text})
	}
}

// oneOf refuses a value that is neither empty nor one of words.
func oneOf(option, value string, words ...string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return optionError(option, "", "%s must be one of %s, got %q%s", option, strings.Join(words, ", "), value, didYouMean(value, words))
}

// didYouMean returns "; did you mean ...?" or nothing.
func didYouMean(given string, words []string) string {
	if w := suggest.Nearest(given, words); w != "" {
		return "; did you mean " + w + "?"
	}
	return ""
}

// contextError returns the error of ctx, or of having none.
func contextError(ctx context.Context) error {
	if ctx == nil {
		return errors.New("the context is nil; context.Background() never ends")
	}
	return ctx.Err()
}
