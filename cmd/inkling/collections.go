package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// smallHeap is the size up to which the heap grows before garbage is collected: a choice among methods allocates little at
// a time, and collecting whenever 4 MB are full, as is usual, took an eighth of the time of small tables.
const smallHeap = 64 << 20

// usualPercent is what the runtime does by itself: it collects where the heap has doubled.
const usualPercent = 100

// servingPercent is what a page that is served gets by with: it stays beside other programs for hours, and collecting takes a
// hundredth of its time.
const servingPercent = 50

// numbersPercent is by how much a heap of nothing but numbers may grow: a collection does not look through them, so that it
// costs next to nothing to collect often where a table takes most of the memory.
const numbersPercent = 20

// largePercent is by how many percent a heap above smallHeap may grow, if collecting looks through all of it.
var largePercent atomic.Int64

// collectOften keeps the memory of a page that is served small. Where GOGC is set it does nothing.
func collectOften() { largePercent.Store(servingPercent) }

// collectSeldom lets the heap grow to smallHeap before it is collected; above that, by largePercent of what a collection looks
// through, at least by numbersPercent of all. Where GOGC is set it does nothing.
func collectSeldom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	largePercent.CompareAndSwap(0, usualPercent)
	const least = 4 << 20 // what the runtime takes the percentage of where less is in use
	debug.SetGCPercent(usualPercent * smallHeap / least)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	now := math.MaxInt
	type mark struct{ at *int }
	var again func(*mark)
	again = func(m *mark) { // after each collection
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 && sample[1].Value.Kind() == metrics.KindUint64 {
			if p := percentFor(sample[0].Value.Uint64(), sample[1].Value.Uint64(), int(largePercent.Load())); p != now {
				now = p
				debug.SetGCPercent(p)
			}
		}
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(&mark{new(int)}, again)
}

// percentFor returns by how many percent the heap may grow above what is in use, of which a collection looks through scanned
// bytes: up to smallHeap, or by large percent of the latter, at least by numbersPercent.
func percentFor(live, scanned uint64, large int) int {
	grown := int(min(scanned, live) * uint64(large) / max(live, 1))
	if grown = max(grown, numbersPercent); live*uint64(100+grown)/100 >= smallHeap {
		return grown
	}
	return int((smallHeap - live) * 100 / max(live, 4<<20))
}
