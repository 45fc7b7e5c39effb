package dataio

import (
	"io"
	"runtime"
	"sync"
)

// A piece is a chunk on its way through the workers.
type piece[T any] struct {
	text []byte
	done float64 // which part of the source was read with it, 0 if unknown
	out  chan T
}

// inOrder has work parse every chunk of s, on several goroutines, and gives
// the results to collect on the caller's, in file order: so the outcome, and
// the first error, are those of one goroutine. Results must not keep the
// text. All goroutines have ended when inOrder returns.
func inOrder[T any](s *splitter, workers int, work func(text []byte) T, collect func(r T, done float64) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	jobs := make(chan *piece[T], workers)
	order := make(chan *piece[T], 2*workers)
	quit := make(chan struct{})
	var running sync.WaitGroup
	var failed error
	running.Go(func() {
		defer close(jobs)
		defer close(order)
		for {
			text, err := s.next()
			if err != nil {
				failed = err
				return
			}
			p := &piece[T]{text: text, done: s.done(), out: make(chan T, 1)}
			select {
			case order <- p:
				jobs <- p
			case <-quit:
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			for p := range jobs {
				p.out <- work(p.text)
				s.recycle(p.text)
			}
		})
	}
	var refused error
	for p := range order {
		if refused = collect(<-p.out, p.done); refused != nil {
			close(quit)
			break
		}
	}
	running.Wait()
	if refused != nil {
		return refused
	}
	if failed != nil && failed != io.EOF {
		return failed
	}
	return nil
}

// grow returns s with room for n more. Where a part done of the source has
// been read, the room is for all of it: storage that is never touched costs
// nothing, a copy does.
func grow[T any](s []T, n int, done float64) []T {
	need := len(s) + n
	if need <= cap(s) {
		return s
	}
	room := need
	if done > 0 && done < 1 {
		room = int(float64(need) / done * 1.03)
	}
	if len(s) > 0 {
		room = max(room, len(s)+len(s)/4)
	}
	t := make([]T, len(s), max(room, need))
	copy(t, s)
	return t
}

// An arena keeps short texts one after the other, to become strings of one
// piece of memory.
type arena struct {
	buf []byte
	end []int
}

func (a *arena) add(b []byte) {
	a.buf = append(a.buf, b...)
	a.end = append(a.end, len(a.buf))
}

func (a *arena) reset() { a.buf, a.end = a.buf[:0], a.end[:0] }

// appendTo appends the texts as strings to dst.
func (a *arena) appendTo(dst []string) []string {
	all, from := string(a.buf), 0
	for _, end := range a.end {
		dst = append(dst, all[from:end])
		from = end
	}
	return dst
}
