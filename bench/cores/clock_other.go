//go:build !linux

package main

import "time"

var processBegun = time.Now()

// threadSeconds returns the time since the start: there is no clock of a thread here,
// so nothing else should run.
func threadSeconds() float64 { return time.Since(processBegun).Seconds() }
