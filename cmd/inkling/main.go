// Command inkling clusters data, using what you know about it. See
// `inkling --help`, and docs for the contract that scripts can rely on.
//
// stdout carries the result and nothing else; stderr carries everything for
// people, in lower case, one thought a line; with --json stdout is one JSON
// object. Nothing here decides anything about clustering.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/inklinghq/inkling/cmd/inkling/internal/interrupt"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs one command line and returns its exit code.
func run(args []string) (code int) {
	collectSeldom()
	a := &app{stdout: &outlet{to: terminal.Harmless(os.Stdout)}, stderr: os.Stderr}
	a.screen = terminal.NewScreen(os.Stderr, &a.quiet)
	defer func() {
		if r := recover(); r != nil {
			a.screen.Clear()
			fmt.Fprintf(os.Stderr, "inkling: internal error (please report it): %v\n%s", r, debug.Stack())
			code = exitInternal
		}
	}()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go a.watchSignals(cancel)
	root := a.root()
	root.SetArgs(joinedSwitches(args))
	err := root.ExecuteContext(ctx)
	if err == nil && !a.serving && context.Cause(ctx) == errInterrupted { // while a file was being written
		err = &exitError{code: exitInterrupted, err: errInterrupted, silent: true}
	}
	return a.finish(err)
}

// watchSignals ends the program on Ctrl-C, SIGTERM or a terminal that is closed, or,
// while a fit is under way, asks it once for the best so far. A file that is being
// written is finished first, and by the second signal left as it was.
func (a *app) watchSignals(cancel context.CancelCauseFunc) {
	for range interrupt.Signals {
		if a.ending.CompareAndSwap(true, false) {
			cancel(errInterrupted)
			continue
		}
		a.screen.Clear()
		terminal.Restore()
		dataio.RemoveUnfinished()
		fmt.Fprintln(a.stderr, "inkling: interrupted")
		os.Exit(exitInterrupted)
	}
}

// finish reports err, if there is one, and returns the exit code.
func (a *app) finish(err error) int {
	a.screen.Clear()
	if a.stdout.err != nil { // whatever else there is to say, the result is lost
		err = writeError("-", a.stdout.err)
	}
	if err == nil {
		return exitOK
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{code: codeOf(err), err: err}
	}
	if !e.silent {
		a.screen.Print("inkling: " + describe(err))
	}
	return e.code
}
