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
// missing=drop. So no package below the faces needs to know a flag. A brace that
// stands for itself is written twice; Sprintf does that to text from elsewhere.
package hint

import (
	"fmt"
	"slices"
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

// Names reports whether h names the option called name.
func (h Hint) Names(name string) bool {
	return slices.ContainsFunc(h.Options(), func(o Option) bool { return o.Name == name })
}

// Sprintf formats a hint as fmt.Sprintf formats a string. Braces in the format
// and in arguments that are hints name options; braces in other arguments stand
// for themselves.
func Sprintf(format string, args ...any) Hint {
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case Hint:
			safe[i] = string(a)
		case string:
			safe[i] = escape(a)
		case error:
			safe[i] = escape(a.Error())
		case fmt.Stringer:
			safe[i] = escape(a.String())
		default:
			safe[i] = a
		}
	}
	return Hint(fmt.Sprintf(format, safe...))
}

var escaper = strings.NewReplacer("{", "{{", "}", "}}")

func escape(s string) string { return escaper.Replace(s) }

// Render returns the sentence with every option as word puts it.
func (h Hint) Render(word func(Option) string) string {
	var b strings.Builder
	rest := string(h)
	for {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:i])
		brace := rest[i]
		rest = rest[i+1:]
		if rest != "" && rest[0] == brace { // written twice
			b.WriteByte(brace)
			rest = rest[1:]
			continue
		}
		end := -1
		if brace == '{' {
			end = closing(rest)
		}
		if end < 0 { // a brace of its own
			b.WriteByte(brace)
			continue
		}
		name, value, _ := strings.Cut(rest[:end], "=")
		b.WriteString(word(Option{name, unescaper.Replace(value)}))
		rest = rest[end+1:]
	}
}

var unescaper = strings.NewReplacer("{{", "{", "}}", "}")

// closing returns the place of the first closing brace that is not written
// twice, or -1.
func closing(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '}' {
			if i+1 == len(s) || s[i+1] != '}' {
				return i
			}
			i++
		}
	}
	return -1
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
	switch e := err.(type) {
	case interface{ Advice() Hint }:
		return e.Advice()
	case interface{ Advice() string }: // of public packages, which do not show this type
		return Hint(e.Advice())
	case interface{ Unwrap() error }:
		return Of(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if h := Of(one); h != "" {
				return h
			}
		}
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
