package harness

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"strings"
)

// Run is the main function of a benchmark with several commands: the first word of
// the command line names the command, the others are flags, which set what options
// points to. -cpuprofile is among them. Ctrl-C ends the context, and a second
// one the program.
func Run[Options any](flags *flag.FlagSet, options *Options, commands map[string]func(context.Context, Options) error) {
	profile := flags.String("cpuprofile", "", "write a CPU profile to this file")
	var command func(context.Context, Options) error
	if len(os.Args) > 1 {
		command = commands[os.Args[1]]
	}
	if command == nil {
		fmt.Fprintf(os.Stderr, "usage: %s %s [flags]\n", flags.Name(), strings.Join(slices.Sorted(maps.Keys(commands)), "|"))
		flags.PrintDefaults()
		os.Exit(2)
	}
	flags.Parse(os.Args[2:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	err := Profiled(*profile, func() error { return command(ctx, *options) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Profiled writes a profile of do to the file of that name, if there is a name.
func Profiled(name string, do func() error) error {
	if name == "" {
		return do()
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return do()
}
