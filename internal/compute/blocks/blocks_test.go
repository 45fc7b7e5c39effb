package blocks_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

var background = context.Background()

// span is what a block was called with.
type span struct{ lo, hi int }

// collect returns the spans in the order in which they were merged.
func collect(t rapid.TB, workers, n int, delay func(lo int)) (got []span) {
	err := blocks.Each(background, workers, n,
		func(lo, hi int) span {
			if delay != nil {
				delay(lo)
			}
			return span{lo, hi}
		},
		func(lo, hi int, part span) {
			if part != (span{lo, hi}) {
				t.Fatalf("the part of %v is merged as %v", part, span{lo, hi})
			}
			got = append(got, part)
		})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestBlocksAreMergedInOrderAndOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, workers := rapid.IntRange(0, 60*blocks.Len).Draw(t, "n"), rapid.IntRange(-1, 9).Draw(t, "workers")
		at := 0
		for _, s := range collect(t, workers, n, nil) {
			if s.lo != at || s.hi <= s.lo || s.hi > n || s.hi-s.lo != min(blocks.Len, n-s.lo) {
				t.Fatalf("%d rows on %d workers: block %v after row %d", n, workers, s, at)
			}
			at = s.hi
		}
		if at != n {
			t.Fatalf("%d rows on %d workers: the last block ends at %d", n, workers, at)
		}
	})
}

// The first blocks are the slowest: the others overtake them, and wait.
func TestSlowBlocksAreWaitedFor(t *testing.T) {
	n := 40*blocks.Len + 3
	got := collect(t, 4, n, func(lo int) {
		if lo%(8*blocks.Len) == 0 {
			time.Sleep(2 * time.Millisecond)
		}
	})
	if len(got) != 41 || !slices.IsSortedFunc(got, func(a, b span) int { return a.lo - b.lo }) {
		t.Errorf("merged as %v", got)
	}
}

// Sums of floating point numbers have the same bits on any number of workers.
func TestSumsHaveTheSameBits(t *testing.T) {
	n := 20*blocks.Len + 17
	sum := func(workers int) (total float64) {
		err := blocks.Each(background, workers, n, func(lo, hi int) (s float64) {
			for i := lo; i < hi; i++ {
				s += 1 / float64(3*i+1)
			}
			return s
		}, func(_, _ int, part float64) { total += part })
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	want := sum(1)
	for _, workers := range []int{0, 2, 3, 16} {
		if got := sum(workers); got != want {
			t.Errorf("%v on %d workers, %v on one", got, workers, want)
		}
	}
}

// While the first block is held up the others do not run ahead for ever.
func TestPartsWaitInAWindow(t *testing.T) {
	const workers, count = 3, 200
	var begun atomic.Int64
	release := make(chan struct{})
	go func() {
		time.Sleep(30 * time.Millisecond)
		close(release)
	}()
	most := int64(0)
	err := blocks.Each(background, workers, count*blocks.Len, func(lo, _ int) struct{} {
		begun.Add(1)
		if lo == 0 {
			<-release
		}
		return struct{}{}
	}, func(lo, _ int, _ struct{}) {
		// The part of this block is merged now: at most a window more has begun.
		most = max(most, begun.Load()-int64(lo/blocks.Len))
	})
	if err != nil {
		t.Fatal(err)
	}
	if most > 4*workers {
		t.Errorf("%d parts waited at a time, %d is the window of %d workers", most, 4*workers, workers)
	}
	if begun.Load() != count {
		t.Errorf("%d of %d blocks were done", begun.Load(), count)
	}
}

func TestPanicInABlockReachesTheCaller(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 4} {
		got := func() (r any) {
			defer func() { r = recover() }()
			_ = blocks.Each(background, workers, 30*blocks.Len, func(lo, _ int) int {
				if lo == 20*blocks.Len {
					panic("planted")
				}
				return 0
			}, func(lo, _, _ int) {
				if lo >= 20*blocks.Len {
					t.Errorf("on %d workers row %d is merged after the panic", workers, lo)
				}
			})
			return nil
		}()
		if text, ok := got.(string); !ok || !strings.Contains(text, "planted") {
			t.Errorf("on %d workers the caller recovers %v", workers, got)
		} else if workers > 1 && !strings.Contains(text, "blocks_test.go") {
			t.Errorf("the panic does not say where it was: %s", text)
		}
	}
	settle(t, before)
}

func TestPanicInMergeLeavesNobodyBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = blocks.Each(background, 4, 50*blocks.Len, func(int, int) int { return 0 },
			func(lo, _, _ int) {
				if lo > 0 {
					panic("planted")
				}
			})
	}()
	settle(t, before)
}

func TestBlocksStopWhenTheContextEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 4} {
		ctx, stop := context.WithCancel(background)
		merged := 0
		err := blocks.Each(ctx, workers, 500*blocks.Len, func(int, int) int { return 0 }, func(lo, _, _ int) {
			if merged++; merged == 10 {
				stop()
			}
		})
		if !errors.Is(err, context.Canceled) || merged != 10 {
			t.Errorf("on %d workers: %d blocks merged, error %v", workers, merged, err)
		}
		err = blocks.Each(ctx, workers, 0, func(int, int) int { return 0 }, func(int, int, int) {})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("on %d workers no rows and no time left: %v", workers, err)
		}
	}
	settle(t, before)
}

// When Blocks returns early no block is still at work on the caller's memory.
func TestNoBlockOutlivesItsCall(t *testing.T) {
	ctx, stop := context.WithCancel(background)
	defer stop()
	var running atomic.Int64
	err := blocks.Each(ctx, 4, 100*blocks.Len, func(lo, _ int) int {
		running.Add(1)
		defer running.Add(-1)
		if lo > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		return 0
	}, func(int, int, int) { stop() })
	if left := running.Load(); left != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d blocks are still running, the error is %v", left, err)
	}
}

// settle waits until there are no more goroutines than before.
func settle(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
}

func TestTasksDoesEachOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 9} {
		for _, count := range []int{0, 1, 3, 500} {
			done := make([]atomic.Int32, count)
			if err := blocks.Tasks(background, workers, count, func(i int) { done[i].Add(1) }); err != nil {
				t.Fatal(err)
			}
			for i := range done {
				if n := done[i].Load(); n != 1 {
					t.Errorf("%d workers: task %d of %d was done %d times", workers, i, count, n)
				}
			}
		}
	}
	ctx, stop := context.WithCancel(background)
	stop()
	if err := blocks.Tasks(ctx, 2, 10, func(int) { t.Error("a task was done after the end") }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a panic in a task did not reach the caller")
		}
	}()
	_ = blocks.Tasks(background, 3, 100, func(i int) {
		if i == 7 {
			panic("seven")
		}
	})
}

// Every task is announced once, on the goroutine of the caller; a panic reaches it.
func TestTasksAreAnnouncedOnTheCallingGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 4} {
		begun, done := map[int]int{}, [50]atomic.Bool{} // the race detector sees whether begun belongs to one goroutine
		err := blocks.TasksWithNotice(background, workers, len(done), func(i int) { begun[i]++ }, func(i int) { done[i].Store(true) })
		if err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if begun[i] != 1 || !done[i].Load() {
				t.Errorf("on %d workers task %d was announced %d times, done: %v", workers, i, begun[i], done[i].Load())
			}
		}
		got := func() (r any) {
			defer func() { r = recover() }()
			_ = blocks.TasksWithNotice(background, workers, 9, func(int) {}, func(i int) {
				if i == 5 {
					panic("planted")
				}
			})
			return nil
		}()
		if text, ok := got.(string); !ok || !strings.Contains(text, "planted") {
			t.Errorf("on %d workers the caller recovers %v", workers, got)
		}
	}
	ctx, stop := context.WithCancel(background)
	if err := blocks.TasksWithNotice(ctx, 2, 1000, func(int) { stop() }, func(int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
	settle(t, before)
}
