// Command spectral measures constrained spectral clustering:
//
//	go run ./bench/spectral moons    two moons with 300 true pairs, up to 1,000,000 nodes
//
// docs/GRAPHS.md has the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
)

type options struct {
	sizes   string
	pairs   int
	workers int
	method  string
}

func main() {
	flags := flag.NewFlagSet("spectral", flag.ExitOnError)
	var o options
	flags.StringVar(&o.sizes, "n", "", "numbers of nodes, with commas between (default: those of docs/GRAPHS.md)")
	flags.IntVar(&o.pairs, "pairs", 300, "true pairs that are given")
	flags.IntVar(&o.workers, "workers", 0, "goroutines (default: one per processor)")
	flags.StringVar(&o.method, "method", "csp", "method of the catalog")
	profile := flags.String("cpuprofile", "", "write a CPU profile to this file")
	verbs := map[string]func(context.Context, options) error{"moons": moons}
	if len(os.Args) < 2 || verbs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: spectral moons [flags]")
		flags.PrintDefaults()
		os.Exit(2)
	}
	flags.Parse(os.Args[2:])
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	if err := verbs[os.Args[1]](ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
