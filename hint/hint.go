// Package hint holds advice as data: what a user can do about an error or a
// warning, in a form that every face (the command line, a web page, a program)
// puts into its own words.
//
// A Hint is a sentence in which options stand in braces, by the names that they
// have in the catalog and in the options of package inkling:
//
//	use {missing=drop} or {missing=mean}
//	name the column with {id}
//
// The command line renders {missing=drop} as --missing drop, a program as
// missing=drop. So no package below the faces needs to know a flag.
package hint

import (
	"errors"
	"strings"
)

// A Hint is advice; empty where there is none.
type Hint string

// An Option is one option that a hint names. Value is empty where the hint
// names the option alone.
type Option struct{ Name, Value string }

// Options returns the options that h names, in order.
func (h Hint) Options() (out []Option) {
	h.Render(func(o Option) string {
		out = append(out, o)
		return ""
	})
	return out
}

// Render returns the sentence with every option as word puts it.
func (h Hint) Render(word func(Option) string) string {
	var b strings.Builder
	rest := string(h)
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, tail, closed := strings.Cut(after, "}")
		if !closed { // a brace of its own
			b.WriteString("{" + after)
			return b.String()
		}
		name, value, _ := strings.Cut(inside, "=")
		b.WriteString(word(Option{name, value}))
		rest = tail
	}
}

// String returns the sentence as a program reads it: options as name or
// name=value.
func (h Hint) String() string {
	return h.Render(func(o Option) string {
		if o.Value == "" {
			return o.Name
		}
		return o.Name + "=" + o.Value
	})
}

// Of returns the hint of the first error in the chain of err that has one.
func Of(err error) Hint {
	var h interface{ Advice() Hint }
	if errors.As(err, &h) {
		return h.Advice()
	}
	return ""
}

// Wrap returns err with a hint; its message is that of err.
func Wrap(err error, h Hint) error { return &hinted{err, h} }

type hinted struct {
	error
	hint Hint
}

func (e *hinted) Unwrap() error { return e.error }
func (e *hinted) Advice() Hint  { return e.hint }
