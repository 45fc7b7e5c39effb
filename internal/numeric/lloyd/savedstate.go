package lloyd

import "slices"

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
	s.labels = append(s.labels[:0], r.labels...)
	s.sums = r.sums.Clone()
	if r.bounds != nil {
		s.bounds.copyFrom(r.bounds)
	}
}

// restore returns r to the state that was saved.
func (s *savedState) restore(r *Run) {
	r.centres, r.cost, r.settled, r.hasBounds = s.centres, s.cost, s.settled, s.hasBounds
	copy(r.labels, s.labels)
	r.sums = s.sums.Clone()
	if r.bounds != nil {
		r.bounds.copyFrom(&s.bounds)
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
func (b *bounds) copyFrom(o *bounds) {
	b.upper = append(b.upper[:0], o.upper...)
	b.lower = append(b.lower[:0], o.lower...)
	b.ownMoved = append(b.ownMoved[:0], o.ownMoved...)
	b.othersMoved = append(b.othersMoved[:0], o.othersMoved...)
	b.bothMoved = slices.Clone(o.bothMoved)
	b.centres, b.passesToSkip, b.lastSkip = o.centres, o.passesToSkip, o.lastSkip
}
