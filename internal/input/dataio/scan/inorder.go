package scan

import (
	"io"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A piece is a chunk on its way through the workers.
type piece struct {
	text []byte
	done float64 // which part of the source was read with it, 0 if unknown
}

// InOrder has work parse every chunk of s, on several goroutines, and gives
// the results to collect on the caller's, in file order: so the outcome, and
// the first error, are those of one goroutine. Results must not keep the
// text. All goroutines have ended when InOrder returns.
func InOrder[T any](s *Chunks, workers int, work func(text []byte) T, collect func(r T, done float64) error) error {
	type parsed struct {
		result T
		done   float64
	}
	var failed error
	refused := blocks.Stream(workers, func() (p piece, more bool) {
		if p.text, failed = s.NextChunk(); failed != nil {
			return p, false
		}
		p.done = s.partRead()
		return p, true
	}, func(p piece) parsed {
		result := work(p.text)
		s.Recycle(p.text)
		return parsed{result, p.done}
	}, func(p parsed) error { return collect(p.result, p.done) })
	if refused != nil {
		return refused
	}
	if failed != nil && failed != io.EOF {
		return failed
	}
	return nil
}
