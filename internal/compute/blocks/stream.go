package blocks

import "sync"

// Stream takes pieces from next until it returns false, works on each of them on several
// goroutines (workers below 1: one per processor), and gives the results to merge on
// the calling one, in the order of the pieces; where merge returns an error no further
// pieces are merged, and it is returned. next is called on one goroutine. All goroutines have ended when Stream
// returns.
func Stream[Piece, Part any](workers int, next func() (Piece, bool), work func(Piece) Part, merge func(Part) error) error {
	workers = Workers(workers)
	if r := recording(); r != nil {
		return streamRecorded(r, workers, next, work, merge)
	}
	type job struct {
		piece Piece
		out   chan Part
	}
	jobs := make(chan *job, workers)
	order := make(chan *job, 2*workers)
	quit := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		defer close(jobs)
		defer close(order)
		for {
			piece, more := next()
			if !more {
				return
			}
			j := &job{piece, make(chan Part, 1)}
			select {
			case order <- j:
				jobs <- j
			case <-quit:
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			for j := range jobs {
				j.out <- work(j.piece)
			}
		})
	}
	var refused error
	for j := range order {
		if refused = merge(<-j.out); refused != nil {
			close(quit)
			break
		}
	}
	running.Wait()
	return refused
}

func streamRecorded[Piece, Part any](r Recorder, workers int, next func() (Piece, bool), work func(Piece) Part, merge func(Part) error) error {
	r.Begin(workers, true)
	defer r.End()
	for {
		r.Step(Take)
		piece, more := next()
		if !more {
			return nil
		}
		r.Step(Work)
		part := work(piece)
		r.Step(Join)
		if err := merge(part); err != nil {
			return err
		}
	}
}
