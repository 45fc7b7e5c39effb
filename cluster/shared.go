package cluster

import (
	"context"
	"math/rand/v2"
	"reflect"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
)

// Shared keeps what several fits on the same points would each compute again: starts
// without constraints, for example, which all folds of a cross-validation have in common. Fits
// are given it by Settings.Shared. Results are the same bits with it and without. It is
// safe for concurrent use, and a nil one keeps nothing.
type Shared struct {
	mu   sync.Mutex
	kept map[any]*keptResult
}

// A keptResult is what one computation returned.
type keptResult struct {
	done  chan struct{} // closed when the computation has ended
	valid bool          // it has returned a value, and not because its time was over
	value any
}

// Do returns what compute returns for a comparable key, and calls it once for equal
// keys. Whoever asks for it meanwhile waits, or computes it when ctx ends. Results that are
// returned with an error or after the end of ctx are not kept.
func (s *Shared) Do(ctx context.Context, key any, compute func() (any, error)) (any, error) {
	if s == nil {
		return compute()
	}
	for {
		s.mu.Lock()
		r, found := s.kept[key]
		if !found {
			r = &keptResult{done: make(chan struct{})}
			if s.kept == nil {
				s.kept = map[any]*keptResult{}
			}
			s.kept[key] = r
		}
		s.mu.Unlock()
		if !found {
			return s.compute(ctx, key, r, compute)
		}
		select {
		case <-r.done:
			if r.valid {
				return r.value, nil
			}
		case <-ctx.Done():
			return compute()
		}
	}
}

// compute fills in r, or forgets it where there is nothing to keep.
func (s *Shared) compute(ctx context.Context, key any, r *keptResult, compute func() (any, error)) (value any, err error) {
	defer func() {
		if !r.valid { // compute may have panicked, too
			s.mu.Lock()
			delete(s.kept, key)
			s.mu.Unlock()
		}
		close(r.done)
	}()
	if value, err = compute(); err == nil && ctx.Err() == nil {
		r.value, r.valid = value, true
	}
	return value, err
}

// Share returns what compute returns, and calls it once for all fits with the same Settings.Shared
// that ask for the same key with the same random numbers ahead of them, the same effort and the
// same number of the restart. The random numbers that compute draws count as drawn.
// The key must be comparable and name all else that the value depends on. Callers must not
// change the value.
func (e *Env) Share(ctx context.Context, key any, compute func() (any, error)) (any, error) {
	if e.Settings == nil || e.Settings.Shared == nil || e.source == nil {
		return compute()
	}
	type request struct {
		key    any
		effort Effort
		run    int
		draws  rand.PCG
	}
	type answer struct {
		value any
		draws rand.PCG // after the computation
	}
	got, err := e.Settings.Shared.Do(ctx, request{key, e.Effort, e.Run, *e.source}, func() (any, error) {
		value, err := compute()
		return answer{value, *e.source}, err
	})
	a := got.(answer)
	*e.source = a.draws
	return a.value, err
}

// Key returns a key for Share and Shared.Do that names the points of p, their weights and k
// beside what it is for, which must be comparable; constraints and views are not part of it. Points are the
// same where they are the same in memory.
func (p *Problem) Key(what any) any {
	type pointsKey struct {
		what   any
		rows   data.Rows
		graph  *data.Graph
		kernel *data.Dense
		weight *float64 // the first
		k      int
		only   *bool // where rows cannot be compared: nothing is shared
	}
	key := pointsKey{what: what, graph: p.Graph, kernel: p.Kernel, k: p.K}
	if p.X == nil || reflect.ValueOf(p.X).Comparable() {
		key.rows = p.X
	} else {
		key.only = new(bool)
	}
	if len(p.Weight) > 0 {
		key.weight = &p.Weight[0]
	}
	return key
}
