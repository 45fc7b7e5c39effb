package cluster

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/inklinghq/inkling/data"
)

// BlockLen is the number of rows in a block. It is fixed, not derived from the
// number of workers: parts are merged in row order, so a result has the same
// bits on one goroutine, on sixteen, and on many machines.
const BlockLen = 1024

// A Pass is one sweep over the rows. Block runs where the rows are, on several
// goroutines at a time, and reads only the pass's exported fields, which it
// must not change; Merge runs at home, on one goroutine, in row order.
type Pass[Part any] interface {
	Block(x data.Rows, lo, hi int) Part
	Merge(lo, hi int, part Part)
}

// Sweep runs p over all of x on e's workers. Parts wait in a short window, so
// memory does not grow with the number of rows. When ctx ends, the pass is left
// half merged and ctx's error returned.
func Sweep[Part any](ctx context.Context, e *Env, x data.Rows, p Pass[Part]) error {
	return Blocks(ctx, e.Workers, x.Len(),
		func(lo, hi int) Part { return p.Block(x, lo, hi) }, p.Merge)
}

// Blocks cuts 0 ≤ i < n into blocks of BlockLen, calls block on each from
// several goroutines (workers below 1: one per processor), and merge on the
// parts in rising order on the calling one. A panic in block reaches the caller.
func Blocks[Part any](ctx context.Context, workers, n int, block func(lo, hi int) Part, merge func(lo, hi int, part Part)) error {
	count := (n + BlockLen - 1) / BlockLen
	span := func(b int) (lo, hi int) { return b * BlockLen, min(n, (b+1)*BlockLen) }
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, count)
	if workers <= 1 {
		for b := range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			lo, hi := span(b)
			merge(lo, hi, block(lo, hi))
		}
		return ctx.Err()
	}

	type slot struct {
		part  Part
		crash any
	}
	window := 4 * workers
	slots := make([]chan slot, window) // block b arrives in slots[b%window]
	for i := range slots {
		slots[i] = make(chan slot, 1)
	}
	room := make(chan struct{}, window) // blocks taken and not yet merged
	stop := make(chan struct{})
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		for {
			select {
			case room <- struct{}{}:
			case <-stop:
				return
			}
			b := int(next.Add(1)) - 1
			if b >= count {
				return
			}
			lo, hi := span(b)
			part, crash := guarded(block, lo, hi)
			slots[b%window] <- slot{part, crash}
		}
	}
	for range workers {
		wg.Go(work)
	}
	defer wg.Wait()
	defer close(stop)
	for b := range count {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := <-slots[b%window]
		if s.crash != nil {
			panic(s.crash)
		}
		lo, hi := span(b)
		merge(lo, hi, s.part)
		<-room
	}
	return ctx.Err()
}

// Tasks calls do for every 0 ≤ i < count from several goroutines (workers below
// 1: one per processor). The tasks must be independent of each other. A panic
// in one reaches the caller.
func Tasks(ctx context.Context, workers, count int, do func(i int)) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var crash atomic.Value
	work := func() {
		for ctx.Err() == nil && crash.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= count {
				return
			}
			if _, c := guarded(func(int, int) any { do(i); return nil }, 0, 0); c != nil {
				crash.CompareAndSwap(nil, c)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(workers, count) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if c := crash.Load(); c != nil {
		panic(c)
	}
	return ctx.Err()
}

func guarded[Part any](block func(lo, hi int) Part, lo, hi int) (part Part, crash any) {
	defer func() {
		if r := recover(); r != nil {
			crash = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	return block(lo, hi), nil
}

// Predict places every row of x with m. When ctx ends first there are no labels.
func Predict(ctx context.Context, m Model, x data.Rows, workers int) ([]int, error) {
	if x.Dim() != m.Dim() {
		return nil, Badf("x", "the model was fitted on %d features, the rows have %d", m.Dim(), x.Dim())
	}
	if err := data.CheckFinite(x); err != nil {
		return nil, &BadProblem{"x", err}
	}
	labels := make([]int, x.Len())
	err := Blocks(ctx, workers, x.Len(), func(lo, hi int) struct{} {
		m.Place(x, lo, hi, labels[lo:hi])
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return nil, err
	}
	return labels, nil
}
