package lloyd

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A savedState is the state of a run before a trial, to return to.
type savedState struct {
	centres *Centres
	labels  []int32
	sums    *KeptSums
	cost    CostTracker
	settled bool

	bounds    bounds
	hasBounds bool
}

// save copies the state of r to s, whose memory it uses again.
func (s *savedState) save(r *Run) {
	s.centres, s.cost, s.settled, s.hasBounds = r.centres, r.cost, r.settled, r.hasBounds
	s.labels = copyRows(s.labels, r.labels, r.e.Workers)
	s.sums = r.sums.Clone()
	if r.bounds != nil {
		s.bounds.copyFrom(r.bounds, r.e.Workers)
	}
}

// restore returns r to the state that was saved.
func (s *savedState) restore(r *Run) {
	r.centres, r.cost, r.settled, r.hasBounds = s.centres, s.cost, s.settled, s.hasBounds
	r.labels = copyRows(r.labels, s.labels, r.e.Workers)
	r.sums = s.sums.Clone()
	r.device.agrees, r.device.listed = false, false
	if r.bounds != nil {
		r.bounds.copyFrom(&s.bounds, r.e.Workers)
	}
}

// countMoved returns how many rows have another label than when s was saved.
func (s *savedState) countMoved(r *Run) (moved int) {
	for i, h := range s.labels {
		if h != r.labels[i] {
			moved++
		}
	}
	return moved
}

// copyFrom makes b a copy of o.
func (b *bounds) copyFrom(o *bounds, workers int) {
	b.upper = copyRows(b.upper, o.upper, workers)
	b.lower = copyRows(b.lower, o.lower, workers)
	b.ownMoved = append(b.ownMoved[:0], o.ownMoved...)
	b.othersMoved = append(b.othersMoved[:0], o.othersMoved...)
	b.bothMoved = slices.Clone(o.bothMoved)
	b.centres, b.passesToSkip, b.lastSkip = o.centres, o.passesToSkip, o.lastSkip
}

// copyRows copies what belongs to rows to the memory of to, if it is long enough, on
// several workers.
func copyRows[T any](to, from []T, workers int) []T {
	if cap(to) < len(from) {
		to = make([]T, len(from))
	}
	to = to[:len(from)]
	_ = blocks.Tasks(context.Background(), workers, (len(from)+longBlock-1)/longBlock, func(t int) {
		copy(to[t*longBlock:], from[t*longBlock:min(len(from), (t+1)*longBlock)])
	})
	return to
}
