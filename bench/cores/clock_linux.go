package main

import "golang.org/x/sys/unix"

// threadSeconds returns the processor time of this thread: what other programs take
// does not count.
func threadSeconds() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return float64(t.Sec) + float64(t.Nsec)*1e-9
}
