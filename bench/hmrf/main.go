// Command hmrf measures the soft constrained methods: how well they use true
// pairs, what their iterations cost, and what whole fits by inference cost.
//
//	go run ./bench/hmrf quality
//	go run ./bench/hmrf scale
//	go run ./bench/hmrf whole    fits with bp and lp; -shrink 10 for smaller ones
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/inklinghq/inkling/cluster"
)

func main() {
	shrink := flag.Int("shrink", 1, "whole: divide rows and pairs by this")
	seed := flag.Uint64("seed", 1, "whole: seed of the data and of the fit")
	only := flag.Int("only", 0, "whole: only this fit, from 1; 0: all")
	effort := flag.String("effort", string(cluster.EffortNormal), "whole: how long to search for a low minimum")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "quality":
		err = quality(os.Stdout, 20, 100)
	case "scale":
		err = scale(os.Stdout, 1_000_000, 5)
	case "whole":
		fits := wholeFits()
		if *only > 0 && *only <= len(fits) {
			fits = fits[*only-1 : *only]
		}
		err = whole(os.Stdout, fits, max(1, *shrink), *seed, cluster.Effort(*effort))
	default:
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/hmrf [-shrink N] [-seed N] [-only N] [-effort LEVEL] quality | scale | whole")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hmrf:", err)
		os.Exit(1)
	}
}
