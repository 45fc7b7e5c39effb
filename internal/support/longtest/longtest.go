// Package longtest says how much a test draws, and how often memory is collected meanwhile. It draws little with -short, as the race detector is run;
// a sample as a rule, so that all tests end within minutes; all with INKLING_FULL=1, as CI does once in its
// step for long runs.
package longtest

import (
	"os"
	"runtime/debug"
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

// Main runs the tests of a package, which make thousands of small fits: where nobody says how often, memory is collected a quarter
// as often as usual, since up to a fifth of their time would go into that.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	m.Run()
}
