// Command inference measures the methods of package infer: how far each is from
// the best labels on small random fields, and what large ones cost.
//
//	go run ./bench/inference gaps     the table of gaps, as Markdown
//	go run ./bench/inference scale    belief propagation and the program at scale
//
// Fields are random, and every figure but the times follows from -seed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the random fields")
	count := flag.Int("count", 200, "gaps: fields per row of the table")
	workers := flag.Int("workers", 0, "goroutines, 0: one per processor")
	shrink := flag.Int("shrink", 1, "scale: divide the sizes by this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, flag.Arg(0), *seed, *count, *workers, *shrink); err != nil {
		fmt.Fprintln(os.Stderr, "inference:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, what string, seed uint64, count, workers, shrink int) error {
	switch what {
	case "gaps":
		return gaps(ctx, w, seed, max(1, count))
	case "scale":
		return scale(ctx, w, seed, workers, max(1, shrink))
	}
	return fmt.Errorf("asked for %q, wanted gaps or scale", what)
}
