package blocks

import "runtime"

// mostWorkers bounds the goroutines of one call: more only wait for each other.
const mostWorkers = 4096

// Workers returns how many goroutines work where so many were asked for: below 1 one per
// processor.
func Workers(workers int) int {
	if workers < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return min(workers, mostWorkers)
}
