package hmrf

import (
	"context"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A sweepRound is a round of an ICM sweep over many points, in an order that
// several goroutines can work on. First every point proposes where it would go
// given the labels of all. Of those that would move, the ones that come before
// every neighbour that would move too, by numbers drawn at random, move at once:
// none of their neighbours moves with them, so each finds its neighbours as they
// were. Points that would stay and have no neighbour that moved have had their
// turn as well. The rest is left to the next round or, when it is small, follows
// one by one.
//
// So every point has its turn once and finds the others as they are then: it is a
// valid sequential sweep, and the labels do not depend on the number of workers.
type sweepRound struct {
	r        *assignment
	visit    []int32
	proposal []int32 // where the points of open would go, in their order
	movesNow []bool  // which of them go at once
	seed     uint64
	marks    []byte // by point: 0 for those that are content or not in open
}

// hasMovedNeighbour reports whether a neighbour of point i has moved in this
// round.
func (r *assignment) hasMovedNeighbour(i int32) bool {
	for _, t := range r.graph.NeighboursOf(int(i)) {
		if r.marks[t.Point] == hasMoved {
			return true
		}
	}
	return false
}

// minInRounds is the number of points from which rounds pay.
const minInRounds = 512

// chunk is how many points of a list a task handles.
const chunk = 128

func (r *assignment) sweepInRounds(ctx context.Context, open []int32, n *dirtySet) (moved int, err error) {
	for last := 2 * len(open); len(open) >= minInRounds && len(open) <= last/2; {
		last = len(open)
		s := r.newRound(open, r.e.Rand.Uint64())
		if open, err = s.runRound(ctx); err != nil {
			return 0, err
		}
		moved += s.notify(n)
	}
	m, err := r.sweepOneByOne(ctx, open, n)
	return moved + m, err
}

func (r *assignment) newRound(open []int32, seed uint64) *sweepRound {
	return &sweepRound{r: r, visit: open, proposal: make([]int32, len(open)), movesNow: make([]bool, len(open)), seed: seed, marks: r.clearMarks()}
}

// runRound moves points and lists those that have not had their turn.
func (s *sweepRound) runRound(ctx context.Context) (rest []int32, err error) {
	defer s.resetMarks()
	for _, step := range []func(lo, hi int){s.propose, s.chooseMovers, s.applyMovers} {
		if err := s.eachChunk(ctx, step); err != nil {
			return nil, err
		}
	}
	return s.remaining(ctx)
}

// eachChunk calls do for all of the points, a chunk at a time.
func (s *sweepRound) eachChunk(ctx context.Context, do func(lo, hi int)) error {
	return blocks.Tasks(ctx, s.r.e.Workers, (len(s.visit)+chunk-1)/chunk, func(c int) {
		do(c*chunk, min(len(s.visit), (c+1)*chunk))
	})
}

// propose finds where points would go.
func (s *sweepRound) propose(lo, hi int) {
	b := s.r.newMoveCost()
	for at := lo; at < hi; at++ {
		i := s.visit[at]
		s.proposal[at] = b.cheapest(int(i))
		if s.proposal[at] != s.r.labels[i] {
			s.marks[i] = wantsToMove
		}
	}
}

// chooseMovers finds the points that move at once.
func (s *sweepRound) chooseMovers(lo, hi int) {
	for at := lo; at < hi; at++ {
		i := s.visit[at]
		if s.movesNow[at] = s.marks[i] == wantsToMove; !s.movesNow[at] {
			continue
		}
		for _, t := range s.r.graph.NeighboursOf(int(i)) {
			if s.marks[t.Point] == wantsToMove && s.comesBefore(t.Point, i) {
				s.movesNow[at] = false
			}
		}
	}
}

// comesBefore reports whether point i comes before j.
func (s *sweepRound) comesBefore(i, j int32) bool {
	a, b := splitMix64(s.seed+uint64(i)), splitMix64(s.seed+uint64(j))
	return a < b || a == b && i < j
}

// splitMix64 turns a number into one that looks drawn at random (the finaliser of
// SplitMix64, Steele, Lea and Flood 2014).
func splitMix64(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// applyMovers moves the points that move at once. Of the two points of a pair one
// stays, so that no label is read while it is written; counts of violated pairs
// of those that stay are changed by several goroutines.
func (s *sweepRound) applyMovers(lo, hi int) {
	r := s.r
	for at := lo; at < hi; at++ {
		if !s.movesNow[at] {
			continue
		}
		i, to := s.visit[at], s.proposal[at]
		from := r.labels[i]
		r.labels[i] = to
		for _, t := range r.graph.NeighboursOf(int(i)) {
			h := r.labels[t.Point]
			if change := violatedCount(t.Must, to, h) - violatedCount(t.Must, from, h); change != 0 {
				r.violationCount[i] += change
				atomic.AddInt32(&r.violationCount[t.Point], change)
			}
		}
		s.marks[i] = hasMoved
	}
}

// remaining lists the points that have not had their turn.
func (s *sweepRound) remaining(ctx context.Context) (list []int32, err error) {
	err = blocks.Each(ctx, s.r.e.Workers, len(s.visit), func(lo, hi int) (part []int32) {
		for at, i := range s.visit[lo:hi] {
			if !s.movesNow[lo+at] && (s.marks[i] == wantsToMove || s.r.hasMovedNeighbour(i)) {
				part = append(part, i)
			}
		}
		return part
	}, func(_, _ int, part []int32) { list = append(list, part...) })
	return list, err
}

// notify returns how many points have moved, and marks their neighbours dirty.
func (s *sweepRound) notify(n *dirtySet) (moved int) {
	for at, yes := range s.movesNow {
		if !yes {
			continue
		}
		moved++
		if n != nil {
			for _, t := range s.r.graph.NeighboursOf(int(s.visit[at])) {
				n.mark(t.Point)
			}
		}
	}
	return moved
}

// resetMarks sets all marks to 0.
func (s *sweepRound) resetMarks() {
	for _, i := range s.visit {
		s.marks[i] = 0
	}
}
