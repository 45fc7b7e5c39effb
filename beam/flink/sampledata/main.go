// Command sampledata writes rows whose sums depend on their order, in shards, with
// constraints on them: DIR/1, DIR/7 and so on for each number of shards.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/beam/internal/sample"
)

func main() {
	s := sample.Sample{Seed: 7}
	flag.IntVar(&s.Rows, "rows", 2_000_000, "rows")
	flag.IntVar(&s.Cols, "cols", 32, "columns")
	flag.IntVar(&s.Classes, "classes", 16, "classes")
	flag.BoolVar(&s.Double, "double", false, "float64 of so many sizes that sums are not exact in two numbers")
	constraints := flag.Int("constraints", 10_000, "labels, and as many links")
	counts := flag.String("shards", "1,7,40", "numbers of shards")
	flag.Parse()
	if err := write(s, flag.Arg(0), *counts, *constraints); err != nil {
		fmt.Fprintln(os.Stderr, "sampledata:", err)
		os.Exit(1)
	}
}

func write(s sample.Sample, dir, counts string, constraints int) error {
	for _, c := range strings.Split(counts, ",") {
		n, err := strconv.Atoi(c)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, c)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if _, err := s.WriteShards(to, n); err != nil {
			return err
		}
	}
	return s.WriteConstraints(dir, constraints)
}
