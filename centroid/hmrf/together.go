package hmrf

import (
	"context"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/blocks"
)

// together is a round of a sweep of icm over many points, in an order that lets
// several goroutines take part. First all say where they would go as all stand
// now. Of those that would go somewhere else, the ones that come before every
// partner that would go too, by numbers drawn at random, go at once: they are
// tied to nobody who goes with them, so each finds its partners as they were.
// Those that are content where they are and tied to nobody who went have had
// their turn as well. The rest is left to the next round or, when it is small,
// follows one by one.
//
// So every point has its turn once and finds the others as they stand then: it
// is a sweep like any other, and the labels do not depend on the workers.
type together struct {
	r     *hmrfRun
	open  []int32
	to    []int32 // where the points of open would go, in their order
	first []bool  // which of them go at once
	seed  uint64
	moods []byte // by point: 0 for those that are content or not in open
}

// Moods of a point.
const (
	restless byte = 1 // it would go
	gone     byte = 2 // it has gone
	listed   byte = 3 // it is on a list
)

// moodsOf returns room for a mood of each point, all 0; whoever changes it has
// to change it back.
func (r *hmrfRun) moodsOf() []byte {
	if r.moods == nil {
		r.moods = make([]byte, len(r.labels))
	}
	return r.moods
}

// stale reports whether a partner of point i has gone.
func (r *hmrfRun) stale(i int32) bool {
	for _, t := range r.f.of(int(i)) {
		if r.moods[t.to] == gone {
			return true
		}
	}
	return false
}

// leastTogether is how many points it takes to pay.
const leastTogether = 512

// chunk is how many points of a list are looked at at a time.
const chunk = 128

func (r *hmrfRun) sweepTogether(ctx context.Context, open []int32, n *news) (moved int, err error) {
	for last := 2 * len(open); len(open) >= leastTogether && len(open) <= last/2; {
		last = len(open)
		s := r.newTogether(open, r.e.Rand.Uint64())
		if open, err = s.round(ctx); err != nil {
			return 0, err
		}
		moved += s.tell(n)
	}
	m, err := r.sweep(ctx, open, n)
	return moved + m, err
}

func (r *hmrfRun) newTogether(open []int32, seed uint64) *together {
	return &together{r: r, open: open, to: make([]int32, len(open)), first: make([]bool, len(open)), seed: seed, moods: r.moodsOf()}
}

// round lets points go and lists those that have not had their turn.
func (s *together) round(ctx context.Context) (rest []int32, err error) {
	defer s.calm()
	for _, step := range []func(lo, hi int){s.ask, s.choose, s.leave} {
		if err := s.chunks(ctx, step); err != nil {
			return nil, err
		}
	}
	return s.rest(ctx)
}

// chunks calls do for all of open, a chunk at a time.
func (s *together) chunks(ctx context.Context, do func(lo, hi int)) error {
	return blocks.Tasks(ctx, s.r.e.Workers, (len(s.open)+chunk-1)/chunk, func(c int) {
		do(c*chunk, min(len(s.open), (c+1)*chunk))
	})
}

// ask finds where points would go.
func (s *together) ask(lo, hi int) {
	b := s.r.newBill()
	for at := lo; at < hi; at++ {
		i := s.open[at]
		s.to[at] = b.cheapest(int(i))
		if s.to[at] != s.r.labels[i] {
			s.moods[i] = restless
		}
	}
}

// choose finds who goes at once.
func (s *together) choose(lo, hi int) {
	for at := lo; at < hi; at++ {
		i := s.open[at]
		if s.first[at] = s.moods[i] == restless; !s.first[at] {
			continue
		}
		for _, t := range s.r.f.of(int(i)) {
			if s.moods[t.to] == restless && s.before(t.to, i) {
				s.first[at] = false
			}
		}
	}
}

// before reports whether restless point i comes before j.
func (s *together) before(i, j int32) bool {
	a, b := mix(s.seed+uint64(i)), mix(s.seed+uint64(j))
	return a < b || a == b && i < j
}

// mix turns a number into one that looks drawn at random (the finaliser of
// SplitMix64, Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// leave makes those that go at once go. Of the two points of a tie one stays, so
// that nobody reads a label that is being written; counts of violated ties of
// those that stay are changed by several.
func (s *together) leave(lo, hi int) {
	r := s.r
	for at := lo; at < hi; at++ {
		if !s.first[at] {
			continue
		}
		i, to := s.open[at], s.to[at]
		from := r.labels[i]
		r.labels[i] = to
		for _, t := range r.f.of(int(i)) {
			h := r.labels[t.to]
			if change := broken(t.must, to, h) - broken(t.must, from, h); change != 0 {
				r.bad[i] += change
				atomic.AddInt32(&r.bad[t.to], change)
			}
		}
		s.moods[i] = gone
	}
}

// rest lists those that have not had their turn.
func (s *together) rest(ctx context.Context) (list []int32, err error) {
	err = blocks.Each(ctx, s.r.e.Workers, len(s.open), func(lo, hi int) (part []int32) {
		for at, i := range s.open[lo:hi] {
			if !s.first[lo+at] && (s.moods[i] == restless || s.r.stale(i)) {
				part = append(part, i)
			}
		}
		return part
	}, func(_, _ int, part []int32) { list = append(list, part...) })
	return list, err
}

// tell says how many have gone, and those who are tied to them that they have.
func (s *together) tell(n *news) (moved int) {
	for at, yes := range s.first {
		if !yes {
			continue
		}
		moved++
		if n != nil {
			for _, t := range s.r.f.of(int(s.open[at])) {
				n.tell(t.to)
			}
		}
	}
	return moved
}

// calm forgets all moods.
func (s *together) calm() {
	for _, i := range s.open {
		s.moods[i] = 0
	}
}
