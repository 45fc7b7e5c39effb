package cop

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A lookahead measures chunklets on several workers before the local search comes to
// them. The search itself goes from chunklet to chunklet, as each move changes two
// centres; but where few chunklets move, most distances that were measured before are
// still those to the centres as they are. A distance to a centre that has moved since is
// measured again, so the search makes the same moves as without.
type lookahead struct {
	workers int
	at      int       // the first chunklet of the stretch in the order of the search
	dist    []float64 // of the chunklets of the stretch, k each; NaN: not measured
	settled []bool    // of the chunklets of the stretch: no cluster would lower the cost
	version []int     // of the centres when these were measured
	touched []int32   // clusters whose centres have moved since
}

const (
	fewestWorkers = 3       // with which looking ahead pays
	shortest      = 64      // stretch
	longest       = 4096    //
	mostDistances = 1 << 18 // of a stretch
	perTask       = 16      // chunklets
)

// knownDistances are the distances of one chunklet, of which those to centres of the
// same version hold. The zero value knows none.
type knownDistances struct {
	dist    []float64
	version []int
	settled bool    // none of the targets would lower the cost, but for those
	touched []int32 // whose centres have moved since
}

// at returns the distance to centre h, if it is known.
func (k knownDistances) at(s *partition, h int) (d float64, ok bool) {
	if k.dist == nil || k.version[h] != s.version[h] {
		return 0, false
	}
	return k.dist[h], !math.IsNaN(k.dist[h])
}

// newLookahead returns what a search on so many workers looks ahead with; nil: nothing.
func newLookahead(workers int) *lookahead {
	if workers < fewestWorkers {
		return nil
	}
	return &lookahead{workers: workers}
}

// isStale reports whether so many moves since it last looked ahead have left too few
// centres where they were.
func (l *lookahead) isStale(s *partition, moved int) bool { return len(l.dist) > 0 && moved > s.k/10 }

// next measures chunklets from order[at] on, and returns up to where the search may go
// before it asks again. The search has gone through so many since it asked last.
func (l *lookahead) next(ctx context.Context, s *partition, order []int32, at, gone, moved int) (until int) {
	if !l.isStale(s, moved) {
		gone *= 2
	}
	l.dist = l.dist[:0]
	if at > 0 && gone < shortest/2 { // many chunklets move: not worth it for a while
		return min(len(order), at+4*shortest)
	}
	count := min(len(order)-at, max(shortest, min(gone, longest, mostDistances/s.k)))
	l.at, l.version = at, append(l.version[:0], s.version...)
	if cap(l.dist) < count*s.k {
		l.dist = make([]float64, count*s.k)
	}
	l.dist, l.touched = l.dist[:count*s.k], l.touched[:0]
	l.settled = slices.Grow(l.settled[:0], count)[:count]
	err := blocks.Tasks(ctx, l.workers, (count+perTask-1)/perTask, func(t int) {
		buf := make([]float64, s.d)
		for i := t * perTask; i < min(count, (t+1)*perTask); i++ {
			l.settled[i] = s.measureAhead(order[at+i], buf, l.dist[i*s.k:(i+1)*s.k])
		}
	})
	if err != nil {
		l.dist = l.dist[:0] // some were not measured
	}
	return at + count
}

// known returns the distances of chunklet i in the order of the search.
func (l *lookahead) known(s *partition, i int) knownDistances {
	if l == nil || len(l.dist) == 0 {
		return knownDistances{}
	}
	i -= l.at
	return knownDistances{l.dist[i*s.k : (i+1)*s.k], l.version, l.settled[i], l.touched}
}

// noteStep lists the clusters whose centres have moved since distances were measured.
func (l *lookahead) noteStep(s *partition) {
	if l == nil || len(l.dist) == 0 {
		return
	}
	l.touched = l.touched[:0]
	for h, v := range s.version {
		if v != l.version[h] {
			l.touched = append(l.touched, int32(h))
		}
	}
}

// measureAhead measures the distances that improveChunklet will ask for as things are,
// and reports whether no cluster would lower the cost.
func (s *partition) measureAhead(q int32, buf, dist []float64) (settled bool) {
	for h := range dist {
		dist[h] = math.NaN()
	}
	if s.fixedCluster[q] >= 0 {
		return true
	}
	v, from, w := s.position(q, buf), int(s.label[q]), s.weight[q]
	dist[from] = s.squaredDistance(v, from)
	leave := scaled(s.leaveFactor(w, from), dist[from])
	if leave >= -s.tolerance {
		return true
	}
	settled = true
	for _, g := range s.targetsOf(from) {
		if h := int(g); h != from {
			dist[h] = s.squaredDistance(v, h)
			settled = settled && leave+scaled(s.joinFactor(w, h), dist[h]) >= -s.tolerance
		}
	}
	return settled
}
