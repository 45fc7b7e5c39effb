package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/inklinghq/inkling/cmd/inkling/internal/summary"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
)

// app is one run of the program.
type app struct {
	stdout  *outlet
	stderr  *os.File
	screen  *terminal.Screen
	serving bool        // until somebody ends it
	ending  atomic.Bool // what is under way ends well by itself when asked to

	quiet, verbose, json, helpAll bool

	unjudged bool // fits are not judged by their reliability: for tests that look at the fits alone
}

// An outlet is standard output. It remembers the first error, so that nothing
// is lost in silence.
type outlet struct {
	to  io.Writer
	err error
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// say writes a line for people to stderr, unless --quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		a.screen.Print(fmt.Sprintf(format, args...))
	}
}

// detail writes a line that only -v asks for.
func (a *app) detail(format string, args ...any) {
	if a.verbose {
		a.say(format, args...)
	}
}

// warn writes a line that people should not miss.
func (a *app) warn(format string, args ...any) { a.say("warning: "+format, args...) }

// summary returns what says results to people.
func (a *app) summary() *summary.Printer {
	return &summary.Printer{Say: a.say, Warn: a.warn, Hint: renderHint, Verbose: a.verbose}
}

// note writes a note of the library, with its options as flags.
func (a *app) note(n door.Note) {
	if n.Warning {
		a.warn("%s", renderHint(n.Text))
	} else {
		a.say("%s", renderHint(n.Text))
	}
}

func (a *app) notes(list []door.Note) {
	for _, n := range list {
		a.note(n)
	}
}

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
	done := a.screen.Show(func() string { return what })
	start := time.Now()
	err := do()
	done()
	return time.Since(start).Seconds(), err
}
