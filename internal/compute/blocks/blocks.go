// Package blocks does work in parallel with a result that does not depend on the
// number of workers: blocks of fixed length, merged in order.
package blocks

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Len is the number of rows in a block. It is fixed, not derived from the
// number of workers: parts are merged in row order, so a result has the same
// bits on one goroutine, on sixteen, and on many machines.
const Len = 1024

// Each cuts 0 ≤ i < n into blocks of Len, calls block on each from
// several goroutines (workers below 1: one per processor), and merge on the
// parts in ascending order on the calling one. The calling goroutine is one of the
// workers: it takes a block whenever the part that it has to merge next is not there yet.
// A panic in block reaches the caller.
func Each[Part any](ctx context.Context, workers, n int, block func(lo, hi int) Part, merge func(lo, hi int, part Part)) error {
	count := (n + Len - 1) / Len
	blockRange := func(b int) (lo, hi int) { return b * Len, min(n, (b+1)*Len) }
	workers = min(Workers(workers), count)
	if r := recording(); r != nil && count > 0 {
		return eachRecorded(ctx, r, workers, count, blockRange, block, merge)
	}
	if workers <= 1 {
		for b := range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			lo, hi := blockRange(b)
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
	doNext := func() bool { // after there was room for another block
		b := int(next.Add(1)) - 1
		if b >= count {
			return false
		}
		lo, hi := blockRange(b)
		part, crash := guarded(block, lo, hi)
		slots[b%window] <- slot{part, crash}
		return true
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(func() {
			for more := true; more; {
				select {
				case room <- struct{}{}:
					more = doNext()
				case <-stop:
					return
				}
			}
		})
	}
	defer wg.Wait()
	defer close(stop)
	for b := 0; b < count; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var s slot
		select {
		case s = <-slots[b%window]:
		default:
			select {
			case room <- struct{}{}:
				if doNext() {
					continue
				}
			default:
			}
			s = <-slots[b%window] // another worker is at it
		}
		if s.crash != nil {
			panic(s.crash)
		}
		lo, hi := blockRange(b)
		merge(lo, hi, s.part)
		<-room
		b++
	}
	return ctx.Err()
}

func eachRecorded[Part any](ctx context.Context, r Recorder, workers, count int, blockRange func(b int) (lo, hi int), block func(lo, hi int) Part, merge func(lo, hi int, part Part)) error {
	r.Begin(workers, true)
	defer r.End()
	for b := 0; b < count && ctx.Err() == nil; b++ {
		lo, hi := blockRange(b)
		r.Step(Work)
		part := block(lo, hi)
		r.Step(Join)
		merge(lo, hi, part)
	}
	return ctx.Err()
}

// Tasks calls do for every 0 ≤ i < count from several goroutines (workers below
// 1: one per processor). The tasks must be independent of each other. A panic
// in one reaches the caller.
func Tasks(ctx context.Context, workers, count int, do func(i int)) error {
	return TasksWithProgress(ctx, workers, count, nil, do)
}

// TasksWithProgress is Tasks that, unless progress is nil, calls it on the calling goroutine with the
// share of the tasks that have begun, ascending, whenever that goroutine has done one.
func TasksWithProgress(ctx context.Context, workers, count int, progress func(share float64), do func(i int)) error {
	workers = min(Workers(workers), count)
	if r := recording(); r != nil && count > 0 {
		return tasksRecorded(ctx, r, workers, count, progress, do)
	}
	var next atomic.Int64
	var crash atomic.Value
	work := func(done func(share float64)) {
		for ctx.Err() == nil && crash.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= count {
				return
			}
			if _, c := guarded(func(int, int) any { do(i); return nil }, 0, 0); c != nil {
				crash.CompareAndSwap(nil, c)
			} else if done != nil {
				done(float64(min(int(next.Load()), count)) / float64(count))
			}
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(func() { work(nil) })
	}
	work(progress)
	wg.Wait()
	if c := crash.Load(); c != nil {
		panic(c)
	}
	return ctx.Err()
}

func tasksRecorded(ctx context.Context, r Recorder, workers, count int, progress func(share float64), do func(i int)) error {
	r.Begin(workers, false)
	defer r.End()
	for i := 0; i < count && ctx.Err() == nil; i++ {
		r.Step(Work)
		do(i)
		if progress != nil {
			progress(float64(i+1) / float64(count))
		}
	}
	return ctx.Err()
}

// TasksWithNotice is Tasks that also calls begins(i) on the calling goroutine when task i
// begins.
func TasksWithNotice(ctx context.Context, workers, count int, begins, do func(i int)) error {
	if recording() != nil {
		return Tasks(ctx, workers, count, func(i int) {
			begins(i)
			do(i)
		})
	}
	begun := make(chan int)
	var err error
	var crash any
	go func() {
		defer close(begun)
		defer func() { crash = recover() }()
		err = Tasks(ctx, workers, count, func(i int) {
			begun <- i
			do(i)
		})
	}()
	for i := range begun {
		begins(i)
	}
	if crash != nil {
		panic(crash)
	}
	return err
}

func guarded[Part any](block func(lo, hi int) Part, lo, hi int) (part Part, crash any) {
	defer func() {
		if r := recover(); r != nil {
			crash = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	// Rows may be a file that is mapped into memory: where somebody cuts it short, that is
	// a panic too, and not the end of the program.
	debug.SetPanicOnFault(true)
	return block(lo, hi), nil
}
