// Command hmrf measures the soft constrained methods: how well they use true
// pairs, and what their iterations cost.
//
//	go run ./bench/hmrf quality
//	go run ./bench/hmrf scale
package main

import (
	"fmt"
	"os"
)

func main() {
	what := ""
	if len(os.Args) == 2 {
		what = os.Args[1]
	}
	var err error
	switch what {
	case "quality":
		err = quality(os.Stdout, 20, 100)
	case "scale":
		err = scale(os.Stdout, 1_000_000, 5)
	default:
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/hmrf quality | scale")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hmrf:", err)
		os.Exit(1)
	}
}
