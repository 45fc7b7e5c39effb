package main

import (
	"runtime"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
)

// figures are what a task prints.
type figures map[string]any

// A clock takes the seconds of a task, and its CPU seconds over all threads.
type clock struct {
	wall time.Time
	cpu  float64
}

// startClock collects what was left behind before, so that it does not depend on chance
// which of the tasks that are timed one after the other pays for it.
func startClock() clock {
	runtime.GC()
	return clock{time.Now(), harness.CPU()}
}

func (c clock) stop() figures {
	return figures{"seconds": time.Since(c.wall).Seconds(), "cpu": harness.CPU() - c.cpu}
}

// perIteration returns the figures of one iteration, from those of a fit of 1
// and of a fit of 1 + n. What a fit does once cancels out.
func perIteration(one, more figures, n int) figures {
	for _, key := range []string{"seconds", "cpu"} {
		more[key] = (more[key].(float64) - one[key].(float64)) / float64(n)
	}
	return more
}
