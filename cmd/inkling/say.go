package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/inklinghq/inkling/hint"
)

// say tells people something, unless they want quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		a.screen.print(fmt.Sprintf(format, args...))
	}
}

// detail tells people something that only -v asks for.
func (a *app) detail(format string, args ...any) {
	if a.verbose {
		a.say(format, args...)
	}
}

// warn tells people something that they would not want to miss.
func (a *app) warn(format string, args ...any) { a.say("warning: "+format, args...) }

// renderHint returns h with its options as flags: {missing=drop} as --missing drop.
func renderHint(h hint.Hint) string {
	return h.Render(func(o hint.Option) string {
		switch {
		case o.Value == "":
			return "--" + o.Name
		case needsQuotes.MatchString(o.Value):
			return fmt.Sprintf("--%s %q", o.Name, o.Value)
		}
		return "--" + o.Name + " " + o.Value
	})
}

var needsQuotes = regexp.MustCompile(`[^A-Za-z0-9_.:/+-]`)

// printJSON writes v, one JSON object, to stdout.
func (a *app) printJSON(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", b)
	return err
}

// timed runs do with a line of progress and returns how long it took.
func (a *app) timed(what string, do func() error) (float64, error) {
	done := a.screen.show(func() string { return what })
	start := time.Now()
	err := do()
	done()
	return time.Since(start).Seconds(), err
}

// few returns the first most words, joined, and how many more there are.
func few(words []string, most int) string {
	s := ""
	for i, w := range words {
		if i == most {
			return fmt.Sprintf("%s and %d more", s, len(words)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += w
	}
	return s
}

// count returns "1 row" or "3 rows".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
