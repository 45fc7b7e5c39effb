// Package harness has what several benchmarks need: a command line of commands, flags
// and lists of sizes, and what this process has used of the machine.
package harness

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Sizes reads a list of sizes with commas between, or returns those given.
func Sizes(text string, otherwise ...int) ([]int, error) {
	if text == "" {
		return otherwise, nil
	}
	var out []int
	for _, t := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(t, 64)
		if err != nil || x < 10 || x != math.Trunc(x) {
			return nil, fmt.Errorf("%q is not a number of nodes", t)
		}
		out = append(out, int(x))
	}
	return out, nil
}

// CPU returns the CPU seconds of this process so far, of all processors.
func CPU() float64 {
	cpu, _ := Process()
	return cpu
}
