package main

import (
	"context"
	"math"
	"testing"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// exact is a model in which nothing but the recorded work takes time.
var exact = model{one: math.Inf(1), two: math.Inf(1), limit: math.Inf(1)}

// script records what do does on a clock that only wait moves.
func script(do func(wait func(seconds float64))) *recording {
	now := 0.0
	r := &recorder{clock: func() float64 { return now }, on: true}
	stop := blocks.Record(r)
	defer stop()
	do(func(s float64) { now += s })
	r.closeStretch()
	return &r.recording
}

func TestReplayTakesWhatTheScheduleTakes(t *testing.T) {
	background := context.Background()
	for _, c := range []struct {
		name string
		do   func(wait func(float64))
		want map[int]float64 // workers to seconds
	}{
		{"serial", func(wait func(float64)) { wait(3) }, map[int]float64{1: 3, 16: 3}},
		{"tasks between serial stretches", func(wait func(float64)) {
			wait(1)
			_ = blocks.Tasks(background, 16, 12, func(int) { wait(1) })
			wait(2)
		}, map[int]float64{1: 15, 2: 9, 4: 6, 12: 4, 16: 4}},
		{"no more workers than asked for", func(wait func(float64)) {
			_ = blocks.Tasks(background, 2, 8, func(int) { wait(1) })
		}, map[int]float64{1: 8, 2: 4, 16: 4}},
		{"the last task is long", func(wait func(float64)) {
			_ = blocks.Tasks(background, 4, 4, func(i int) { wait(float64(1 + 4*(i/3))) })
		}, map[int]float64{1: 8, 2: 6, 4: 5}},
		{"tasks within tasks", func(wait func(float64)) {
			_ = blocks.Tasks(background, 2, 2, func(int) {
				_ = blocks.Tasks(background, 2, 2, func(int) { wait(1) })
			})
		}, map[int]float64{1: 4, 2: 2, 4: 1}},
		{"merges in order bound the time", func(wait func(float64)) {
			_ = blocks.Each(background, 8, 8*blocks.Len, func(_, _ int) int { wait(1); return 0 }, func(_, _, _ int) { wait(2) })
		}, map[int]float64{1: 24, 8: 17}},
		{"a source bounds the time", func(wait func(float64)) {
			left := 4
			_ = blocks.Stream(8, func() (int, bool) { wait(2); left--; return left, left >= 0 },
				func(int) int { wait(1); return 0 }, func(int) error { return nil })
		}, map[int]float64{1: 14, 8: 10}},
	} {
		r := script(c.do)
		for workers, want := range c.want {
			if got := exact.replay(r, workers, 0); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %v s on %d workers, want %v", c.name, got, workers, want)
			}
		}
	}
}

func TestMemoryBoundsParallelWork(t *testing.T) {
	r := script(func(wait func(float64)) {
		_ = blocks.Tasks(context.Background(), 16, 16, func(int) { wait(1) })
	})
	m := model{one: 10, two: 16, limit: 40}
	for _, c := range []struct {
		workers     int
		bytes, want float64
	}{{1, 1000, 16}, {16, 80, 2}, {16, 1000, 4}, {2, 160, 10}} { // at most 10 B/s × 16 s are read, at 40 B/s
		if got := m.replay(r, c.workers, c.bytes); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v bytes on %d workers: %v s, want %v", c.bytes, c.workers, got, c.want)
		}
	}
}

func TestSerialShareCountsMergesAndStretches(t *testing.T) {
	r := script(func(wait func(float64)) {
		wait(1)
		_ = blocks.Each(context.Background(), 2, 4*blocks.Len, func(_, _ int) int { wait(2); return 0 }, func(_, _, _ int) { wait(0.25) })
		_ = blocks.Tasks(context.Background(), 1, 3, func(int) { wait(1) })
	})
	if got, want := r.serialShare(), 5.0/13; math.Abs(got-want) > 1e-9 {
		t.Errorf("serial share %v, want %v", got, want)
	}
}

func TestExponentIsTheSlope(t *testing.T) {
	var y []float64
	for _, part := range growthSizes {
		y = append(y, 3*math.Pow(1000/float64(part), 1.5))
	}
	if got := exponent(y); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("exponent %v, want 1.5", got)
	}
}
