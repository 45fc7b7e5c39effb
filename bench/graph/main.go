// Command graph measures the cutting of graphs:
//
//	go run ./bench/graph optimum    how often tiny graphs are cut as well as can be
//	go run ./bench/graph knn        nearest-neighbour graphs of blobs, k = 10
//	go run ./bench/graph planted    planted partitions, up to 1,000,000 nodes
//	go run ./bench/graph dense      rows through an rbf kernel: features, on the fly, one matrix
//	go run ./bench/graph swaps      kernel k-means at every effort
//
// papers/evidence/GRAPHS.md has the results.
package main

import (
	"context"
	"flag"

	"github.com/inklinghq/inkling/bench/internal/harness"
)

func main() {
	flags := flag.NewFlagSet("graph", flag.ExitOnError)
	var o options
	flags.StringVar(&o.sizes, "n", "", "numbers of nodes, with commas between (default: those of papers/evidence/GRAPHS.md)")
	flags.IntVar(&o.runs, "runs", 1, "starts of a fit, the best is kept; for optimum, graphs of each kind")
	flags.IntVar(&o.workers, "workers", 0, "goroutines (default: one per processor)")
	flags.StringVar(&o.write, "write", "", "write each graph to this folder as an edge list, for other programs")
	harness.Run(flags, &o, map[string]func(context.Context, options) error{"optimum": optimum, "knn": knn, "planted": planted, "dense": dense, "swaps": swaps})
}
