package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// smallHeap is the size up to which the heap grows before garbage is collected: a choice among methods allocates little at
// a time, and collecting whenever 4 MB are full, as is usual, took an eighth of the time of small tables.
const smallHeap = 64 << 20

// usualPercent is what the runtime does by itself: it collects where the heap has doubled.
const usualPercent = 100

// collectSeldom lets the heap grow to smallHeap before it is collected; above half of that, collections are those of the
// runtime. Where GOGC is set it does nothing.
func collectSeldom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // what the runtime takes the percentage of where less is in use
	debug.SetGCPercent(usualPercent * smallHeap / least)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	now := math.MaxInt
	type mark struct{ at *int }
	var again func(*mark)
	again = func(m *mark) { // after each collection
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			if p := percentFor(sample[0].Value.Uint64()); p != now {
				now = p
				debug.SetGCPercent(p)
			}
		}
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(&mark{new(int)}, again)
}

// percentFor returns by how many percent the heap may grow above what is in use.
func percentFor(live uint64) int {
	if 2*live >= smallHeap {
		return usualPercent
	}
	return int((smallHeap - live) * 100 / max(live, 4<<20))
}
