// Command spectral measures constrained spectral clustering:
//
//	go run ./bench/spectral moons    two moons with 300 true pairs, up to 1,000,000 nodes
//
// papers/evidence/GRAPHS.md has the results.
package main

import (
	"context"
	"flag"

	"github.com/inklinghq/inkling/bench/internal/harness"
)

func main() {
	flags := flag.NewFlagSet("spectral", flag.ExitOnError)
	var o options
	flags.StringVar(&o.sizes, "n", "", "numbers of nodes, with commas between (default: those of papers/evidence/GRAPHS.md)")
	flags.IntVar(&o.pairs, "pairs", 300, "true pairs that are given")
	flags.IntVar(&o.workers, "workers", 0, "goroutines (default: one per processor)")
	flags.StringVar(&o.method, "method", "csp", "method of the catalog")
	harness.Run(flags, &o, map[string]func(context.Context, options) error{"moons": moons})
}
