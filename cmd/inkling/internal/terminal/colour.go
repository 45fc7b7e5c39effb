package terminal

import (
	"regexp"
	"strings"
)

// Escape sequences of colours.
const (
	bold   = "\x1b[1m"
	yellow = "\x1b[1;33m"
	red    = "\x1b[1;31m"
	cyan   = "\x1b[36m"
	soft   = "\x1b[2m"
	plain  = "\x1b[0m"
)

// wantsColour reports whether a terminal is to be written to in colours: not where
// NO_COLOR is set to anything, or the terminal has none.
func wantsColour(env func(string) string) bool { return env("NO_COLOR") == "" && env("TERM") != "dumb" }

var (
	wholeLine = regexp.MustCompile(`^(\S+, k = \d+: )(.*)$`)
	bars      = regexp.MustCompile(`█+`)
	counts    = regexp.MustCompile(`^(  (?:labels|must-links|cannot-links|beliefs) +)(\d+) of (\d+) satisfied`)
)

// coloured returns a line, which holds no escape sequences, in colours: warnings and
// errors stand out, the first line of a summary is bold, bars are coloured, and so are
// counts of constraints that are not all satisfied.
func coloured(line string) string {
	if rest, ok := strings.CutPrefix(line, "warning: "); ok {
		return yellow + "warning:" + plain + " " + rest
	}
	if rest, ok := strings.CutPrefix(line, "inkling: "); ok {
		return red + "inkling:" + plain + " " + rest
	}
	if m := wholeLine.FindStringSubmatch(line); m != nil {
		return bold + m[1] + plain + m[2]
	}
	if m := counts.FindStringSubmatch(line); m != nil {
		colour := cyan
		if m[2] != m[3] {
			colour = yellow
		}
		return m[1] + colour + m[2] + " of " + m[3] + plain + " satisfied"
	}
	if line != "" && strings.HasPrefix(line, "  …") {
		return soft + line + plain
	}
	return bars.ReplaceAllString(line, cyan+"$0"+plain)
}
