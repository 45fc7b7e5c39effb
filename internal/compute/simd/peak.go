package simd

import "time"

// Peak measures how many floating-point operations a second one core does at
// most, in float32 and at the level in force: fused multiply-adds on registers,
// best of several short runs. It is 0 at the plain level.
func Peak() float64 {
	const turns = 1 << 14
	best := 0.0
	for range 200 {
		start := time.Now()
		ops := peakRun(level, turns)
		best = max(best, ops/time.Since(start).Seconds())
	}
	return best
}
