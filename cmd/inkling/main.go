// Command inkling clusters data with what is known about it. See
// `inkling --help`, and docs for the contract that scripts can rely on.
//
// How it speaks: stdout carries the result and nothing else; stderr carries
// everything for people, in lower case, one thought a line; with --json stdout
// is one JSON object. Nothing here decides anything about clustering.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs one command line and returns its exit code.
func run(args []string) (code int) {
	a := &app{stdout: &outlet{to: os.Stdout}, stderr: os.Stderr}
	a.screen = newScreen(os.Stderr, &a.quiet)
	defer func() {
		if r := recover(); r != nil {
			a.screen.clear()
			fmt.Fprintf(os.Stderr, "inkling: internal fault, please report it: %v\n%s", r, debug.Stack())
			code = exitFault
		}
	}()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go a.watchSignals(cancel)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && context.Cause(ctx) == errInterrupted { // while a file was being written
		err = &exitError{code: exitInterrupted, err: errInterrupted, silent: true}
	}
	return a.finish(err)
}

// watchSignals ends the program on Ctrl-C, or, while a fit is under way, asks
// it once for the best so far. A file that is being written is finished first.
func (a *app) watchSignals(cancel context.CancelCauseFunc) {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	for range c {
		if a.ending.CompareAndSwap(true, false) {
			cancel(errInterrupted)
			continue
		}
		a.screen.clear()
		fmt.Fprintln(a.stderr, "inkling: interrupted")
		os.Exit(exitInterrupted)
	}
}

// app is one run of the program.
type app struct {
	stdout *outlet
	stderr *os.File
	screen *screen
	ending atomic.Bool // what is under way ends well by itself when asked to

	quiet, verbose, json bool
}
