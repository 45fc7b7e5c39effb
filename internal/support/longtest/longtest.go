// Package longtest says how much a test draws: little with -short, as the race detector is run;
// a sample as a rule, so that all tests end within minutes; all with INKLING_FULL=1, as CI does once in its
// step for long runs.
package longtest

import (
	"os"
	"testing"
)

// Full reports whether the long runs are asked for.
func Full() bool { return os.Getenv("INKLING_FULL") != "" }

// Size returns the size for this run of the tests.
func Size[T any](short, usual, full T) T {
	switch {
	case Full():
		return full
	case testing.Short():
		return short
	}
	return usual
}
