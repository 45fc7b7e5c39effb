// Command inkling-beam clusters rows in shards as inkling cluster does with rows in one
// file, with the same bits, and runs the passes over the rows on Apache Beam: in this
// process by Prism, or on a Flink cluster.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/inklinghq/inkling/beam/internal/runner"
	"github.com/inklinghq/inkling/beam/internal/stored"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
)

func main() {
	args := os.Args[1:]
	switch {
	case runner.StartedByTaskManager(args):
		fmt.Fprintln(os.Stderr, "inkling-beam:", runner.Boot(args))
		os.Exit(1)
	case runner.IsWorker(args):
		flag.Parse()
		runner.Init() // does the work and exits
	case len(args) == 3 && args[0] == runner.WatchCommand:
		runner.Watch(args[1], args[2])
		return
	}
	if err := flag.CommandLine.Parse(nil); err != nil {
		os.Exit(exitInternal)
	}
	runner.Init()
	os.Exit(run(args, os.Stdout, os.Stderr))
}

// Exit codes: those of inkling.
const (
	exitOK          = 0
	exitInternal    = 1
	exitUsage       = 2
	exitInput       = 3
	exitConflict    = 4
	exitViolated    = 5
	exitInterrupted = 130
)

var errInterrupted = errors.New("interrupted")

// An exitError is an error with an exit code.
type exitError struct {
	code   int
	err    error
	silent bool
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

func codeOf(err error) int {
	var exit *exitError
	var input *door.InputError
	var option *door.OptionError
	var conflict *door.ConstraintError
	var path *fs.PathError
	var problem *cluster.ProblemError
	var parameter *cluster.ParameterError
	var unwritten *stored.WriteError
	switch {
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, syscall.ENOSPC), errors.As(err, &unwritten):
		return exitUsage
	case errors.As(err, &conflict):
		return exitConflict
	case errors.As(err, &input), errors.As(err, &path):
		return exitInput
	case errors.As(err, &option), errors.As(err, &parameter):
		return exitUsage
	case errors.As(err, &problem) && problem.Field == "k":
		return exitUsage
	case errors.As(err, &problem):
		return exitInput
	}
	return exitInternal
}

// app is one run of the program.
type app struct {
	stdout, stderr io.Writer
	quiet, verbose bool
	json           bool
	fitting        atomic.Bool // Ctrl-C asks for the best so far
	shown          bool        // a line of progress
}

// say writes a line for people, unless --quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		a.clear()
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}

// progress shows one line, in the place of the last, on a terminal.
func (a *app) progress(format string, args ...any) {
	if f, ok := a.stderr.(*os.File); ok && !a.quiet && term.IsTerminal(int(f.Fd())) {
		a.shown = true
		fmt.Fprintf(a.stderr, "\r\x1b[K"+format, args...)
	}
}

// clear removes the line of progress.
func (a *app) clear() {
	if a.shown {
		a.shown = false
		fmt.Fprint(a.stderr, "\r\x1b[K")
	}
}

func (a *app) note(n door.Note) {
	if n.Warning {
		a.say("warning: %s", render(n.Text))
	} else {
		a.say("%s", render(n.Text))
	}
}

// render words a hint for the command line.
func render(h door.Hint) string {
	return h.Render(func(o door.HintOption) string {
		name := "--" + o.Name
		if o.Name == "k" {
			name = "-k"
		}
		if o.Value == "" {
			return name
		}
		return name + " " + o.Value
	})
}

// run runs one command line and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		for range signals {
			if a.fitting.CompareAndSwap(true, false) {
				cancel(errInterrupted)
				continue
			}
			fmt.Fprintln(stderr, "inkling-beam: interrupted")
			os.Exit(exitInterrupted)
		}
	}()
	root := &cobra.Command{Use: "inkling-beam", Short: "cluster rows in shards on Apache Beam, bit-identical to inkling cluster", SilenceErrors: true, SilenceUsage: true,
		PersistentPreRun: func(*cobra.Command, []string) {
			level := slog.LevelError + 4
			if a.verbose {
				level = slog.LevelWarn
			}
			slog.SetDefault(slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level})))
		}}
	f := root.PersistentFlags()
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print no summary")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "print every pass and iteration")
	f.BoolVar(&a.json, "json", false, "print the result as one JSON object")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &exitError{code: exitUsage, err: err} })
	root.AddCommand(a.clusterCommand(), a.predictCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	a.clear()
	if err == nil {
		return exitOK
	}
	var exit *exitError
	if !errors.As(err, &exit) || !exit.silent {
		text := err.Error()
		if h := door.Advice(err); h != "" {
			text += "; " + render(h)
		}
		fmt.Fprintln(stderr, "inkling-beam: "+text)
	}
	if !errors.As(err, &exit) && len(args) > 0 && isCobraUsage(root, args) {
		return exitUsage
	}
	return codeOf(err)
}

// isCobraUsage reports whether the command itself is unknown.
func isCobraUsage(root *cobra.Command, args []string) bool {
	_, _, err := root.Find(args)
	return err != nil
}
