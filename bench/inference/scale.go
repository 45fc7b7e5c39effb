package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// scale prints what large random fields cost.
func scale(ctx context.Context, w io.Writer, seed uint64, workers, shrink int) error {
	fmt.Fprintln(w, "| method | variables | links | k | seconds | CPU seconds | iterations | converged | energy | gap | of the program | memory |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|")
	r := rand.New(rand.NewPCG(seed, 0))
	for _, c := range []struct {
		name    string
		n, m, k int
		ask     func(f *infer.Field) (infer.Answer, error)
	}{
		{"ICM, by colours", 1_000_000, 1_000_000, 20, func(f *infer.Field) (infer.Answer, error) {
			return infer.ICM(ctx, f, nil, infer.ICMOptions{Parallel: true}, workers)
		}},
		{"BP", 1_000_000, 1_000_000, 20, func(f *infer.Field) (infer.Answer, error) {
			return infer.BeliefPropagation(ctx, f, nil, infer.BPOptions{}, workers)
		}},
		{"LP + ICM", 100_000, 100_000, 10, func(f *infer.Field) (infer.Answer, error) {
			return infer.Relax(ctx, f, nil, infer.RelaxOptions{Gap: 1e-4, Polish: true, Rand: r}, workers)
		}},
		{"LP + ICM", 40_000, 100_000, 10, func(f *infer.Field) (infer.Answer, error) {
			return infer.Relax(ctx, f, nil, infer.RelaxOptions{Gap: 1e-3, Polish: true, Rand: r}, workers)
		}},
	} {
		n, m := c.n/shrink, c.m/shrink
		f := draw(r, n, c.k, m*5/12, m-m*5/12, 1)
		runtime.GC()
		watch := watchMemory()
		begun, cpu := time.Now(), harness.CPU()
		a, err := c.ask(f)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %.1f | %.1f | %d | %v | %.1f | %.2g | %.2g | %.0f MB |\n", c.name, n, m, c.k, time.Since(begun).Seconds(),
			harness.CPU()-cpu, a.Iterations, a.Converged, a.Energy, a.Gap()/a.Energy, (a.Relaxed-a.Bound)/a.Energy, watch())
	}
	return nil
}

// watchMemory returns a function that ends the watch and returns the most heap
// that was in use beyond what is in use now, in megabytes.
func watchMemory() func() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, m.HeapAlloc
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return float64(most-before) / 1e6
	}
}
