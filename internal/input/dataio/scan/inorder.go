package scan

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

// InOrder has work parse every chunk of s, on several goroutines, and gives
// the results to collect on the caller's, in file order: so the outcome, and
// the first error, are those of one goroutine. Results must not keep the
// text. All goroutines have ended when InOrder returns.
func InOrder[T any](s *Chunks, workers int, work func(text []byte) T, collect func(r T, done float64) error) error {
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
			text, err := s.NextChunk()
			if err != nil {
				failed = err
				return
			}
			p := &piece[T]{text: text, done: s.partRead(), out: make(chan T, 1)}
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
				s.Recycle(p.text)
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
