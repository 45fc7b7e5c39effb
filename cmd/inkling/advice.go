package main

import (
	"errors"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
)

// describe returns the message of err for users, with what to do about it.
func describe(err error) string {
	text := err.Error()
	var option *door.OptionError
	if errors.As(err, &option) && option.Option != "" && strings.HasPrefix(option.Msg, option.Option+" ") {
		text = strings.Replace(text, option.Msg, flagName(option.Option)+strings.TrimPrefix(option.Msg, option.Option), 1)
	}
	return withAdvice(text, door.Advice(err))
}

// withAdvice returns a sentence, and a hint after it.
func withAdvice(text string, h door.Hint) string {
	switch {
	case h == "":
		return text
	case strings.HasSuffix(text, "?"):
		return text + " " + renderHint(h)
	}
	return text + "; " + renderHint(h)
}

// renderHint words a hint for the command line: options become flags, their
// values what a shell takes.
func renderHint(h door.Hint) string {
	return h.Render(func(o door.HintOption) string {
		if o.Value == "" {
			return flagName(o.Name)
		}
		return flagName(o.Name) + " " + shellQuoted(o.Value)
	})
}

// flagName returns the flag of an option.
func flagName(option string) string {
	switch option {
	case "k":
		return "-k"
	case "output":
		return "-o"
	}
	return "--" + option
}

// shellQuoted returns an argument as a shell takes it.
func shellQuoted(arg string) string {
	if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return arg
}
