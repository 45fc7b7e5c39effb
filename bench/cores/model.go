package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A model is what the replay knows of a machine beside the recorded tasks.
type model struct {
	one, two float64 // bytes per second that one core and two read, measured
	limit    float64 // bytes per second that memory gives to any number of cores
	start    float64 // seconds until another goroutine runs
	handOver float64 // seconds to hand over a part
}

// bandwidth returns what so many workers read: the share of a core while the other is
// busy too, as measured, until the limit.
func (m model) bandwidth(workers int) float64 {
	if workers == 1 {
		return m.one
	}
	return max(m.two, min(m.limit, m.two/2*float64(workers)))
}

// measureModel measures this machine.
func measureModel(limit float64) model {
	m := model{limit: limit}
	const size = 1 << 25 // numbers of a core: 256 MB, no cache holds it
	a, b := make([]uint64, size), make([]uint64, size)
	for i := range a {
		a[i], b[i] = uint64(i), uint64(i)
	}
	rate := func(x []uint64) float64 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		t := threadSeconds()
		readAll(x)
		return 8 * size / (threadSeconds() - t)
	}
	for range 5 {
		m.one = max(m.one, rate(a))
		var both sync.WaitGroup
		var second float64
		both.Go(func() { second = rate(b) })
		first := rate(a)
		both.Wait()
		m.two = max(m.two, first+second)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const calls, parts = 200, 2000
	m.start, m.handOver = 1, 1
	for range 10 {
		t := time.Now()
		for range calls {
			var ran sync.WaitGroup
			ran.Go(func() {})
			ran.Wait()
		}
		m.start = min(m.start, time.Since(t).Seconds()/calls)
		t = time.Now()
		_ = blocks.Each(context.Background(), 2, parts*blocks.Len, func(lo, _ int) int { return lo }, func(_, _, _ int) {})
		m.handOver = min(m.handOver, time.Since(t).Seconds()/parts)
	}
	return m
}

// readAll returns the sum of x, so that all of it has to be read.
func readAll(x []uint64) uint64 {
	var s0, s1, s2, s3 uint64
	for ; len(x) >= 8; x = x[8:] {
		s0 += x[0] + x[4]
		s1 += x[1] + x[5]
		s2 += x[2] + x[6]
		s3 += x[3] + x[7]
	}
	return s0 + s1 + s2 + s3
}

// measure returns the seconds that work really takes on so many workers and processors,
// and which share of two processors other programs used meanwhile.
func measure(w work, workers int) (took, others float64, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	var begun time.Time
	var mine, all float64
	err = w.do(workers, meter{
		start: func() { runtime.GC(); mine, all, begun = processSeconds(), machineSeconds(), time.Now() },
		stop: func() {
			took = time.Since(begun).Seconds()
			others = max(0, (machineSeconds()-all)-(processSeconds()-mine)) / (2 * took)
		},
	})
	return took, others, err
}

// machineSeconds returns how long all processors were busy so far, also for other
// virtual machines; 0 where the system does not say.
func machineSeconds() (busy float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for at, word := range strings.Fields(line) {
		if n, err := strconv.ParseFloat(word, 64); err == nil && at > 0 && at <= 8 && at != 4 && at != 5 { // idle and waiting for disks
			busy += n / 100
		}
	}
	return busy
}

func processSeconds() float64 { return harness.CPU() }
