package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
)

// growthSizes are the parts of its size at which the growth of a case is measured.
var growthSizes = []int{16, 8, 4, 2, 1}

// printGrowth prints what a case costs on one worker at growing sizes, in processor time and
// bytes allocated, and the exponents of n that fit best.
func (o options) printGrowth(c testCase) error {
	var cpu, memory []float64
	for _, part := range growthSizes {
		work, err := c.prepare(o.shrink * part)
		if err != nil {
			return err
		}
		least, bytes := math.Inf(1), 0.0
		for range o.reps {
			before := allocated()
			r, err := record(work, 1, false)
			if err != nil {
				return err
			}
			least, bytes = min(least, r.total(r.root)+r.background), allocated()-before
		}
		if work.clean != nil {
			work.clean()
		}
		cpu, memory = append(cpu, least), append(memory, bytes)
		runtime.GC()
	}
	fmt.Printf("| %s |", c.name)
	for at := range growthSizes {
		fmt.Printf(" %s, %.3g MB |", seconds(cpu[at]), memory[at]/1e6)
	}
	fmt.Printf(" %.2f | %.2f |\n", exponent(cpu), exponent(memory))
	return nil
}

// exponent returns the slope of the line through the logarithms that fits best.
func exponent(y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for at, part := range growthSizes {
		u, v := -math.Log(float64(part)), math.Log(y[at])
		sx, sy, sxx, sxy = sx+u, sy+v, sxx+u*u, sxy+u*v
	}
	n := float64(len(y))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// allocated returns the bytes that were allocated so far.
func allocated() float64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}
