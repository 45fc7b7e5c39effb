package lloyd

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// centreMoves says how far centres have moved since the last pass, and which rows
// that leaves open.
type centreMoves struct {
	moved        []float64      // distance that each centre has moved
	othersBefore []float64      // bounds.othersMoved as of the last pass
	halfGap      []float64      // half the distance from centre h to the nearest other; nil: not computed
	movers       *PackedCentres // the centres that moved farthest; nil: not worth a search of their own
	moverIndex   []int32        // index of centre h among the movers, or -1
	restMoved    float64        // longest distance that a centre not among the movers has moved
}

// halfGaps returns half the distance of each centre to the nearest other.
func halfGaps(c *Centres, workers int) []float64 {
	const centresPerTask = 8
	near := slices.Repeat([]float64{math.Inf(1)}, c.K)
	tasks := (c.K + centresPerTask - 1) / centresPerTask
	var merging sync.Mutex // the least does not depend on the order
	_ = blocks.Tasks(context.Background(), workers, tasks, func(t int) {
		t = tasks - 1 - t // the longest first
		mine := slices.Repeat([]float64{math.Inf(1)}, c.K)
		for h := t * centresPerTask; h < min(c.K, (t+1)*centresPerTask); h++ {
			for g := range h {
				d := data.Dist2(data.Vec{Val: c.At(h)}, c.At(g), 0)
				mine[h], mine[g] = min(mine[h], d), min(mine[g], d)
			}
		}
		merging.Lock()
		defer merging.Unlock()
		for h, d := range mine {
			near[h] = min(near[h], d)
		}
	})
	for h, d := range near {
		near[h] = lowerBound(d) / 2
	}
	return near
}

// lowerAt returns a lower bound on the distance of row i to any centre but h, its
// label, which is at most u away.
func (s *centreMoves) lowerAt(b *bounds, i int, h int32, u float64) float64 {
	l := b.lowerAt(i, h)
	if s.halfGap != nil {
		l = max(l, 2*s.halfGap[h]-u)
	}
	return l
}

// lowerToRest returns a lower bound on the distance of row i, with label h, to any
// centre that is neither h nor a mover.
func (s *centreMoves) lowerToRest(b *bounds, i int, h int32) float64 {
	return b.lowerSince(i, s.othersBefore[h]) - s.restMoved
}

// A boundProbe is what bounds say of one row.
type boundProbe struct {
	open   bool    // it may be nearer to another centre
	upper  float64 // then U
	before float64 // and L before the centres moved
}

// rowCosts returns the fixed cost of a row, in units of one distance of d features:
// plain where all rows are searched and no bounds kept, open where bounds have left
// the row open. Measured with 32 and 128 features.
func rowCosts(d int) (plain, open int) { return 3 + 700/d, 6 + 5000/d }

// planMovers chooses the movers, if any, for which a pass is cheapest according to
// the probes, and reports whether that pass is cheaper than a search of all rows.
func (s *centreMoves) planMovers(now *Centres, probes []boundProbe) bool {
	order := s.byDistanceMoved()
	plain, perOpenRow := rowCosts(now.D)
	open := 0
	for _, y := range probes {
		if y.open {
			open++
		}
	}
	least, count := open*(perOpenRow+now.K), 0
	for m := moversStep; m <= now.K/2; m += moversStep {
		rest, cost := s.moved[order[m]], open*(perOpenRow+m)
		for _, y := range probes {
			if y.open && !(y.upper < y.before-rest) {
				cost += perOpenRow + now.K
			}
		}
		if cost < least {
			least, count = cost, m
		}
	}
	if least > len(probes)*(plain+now.K) {
		return false
	}
	s.setMovers(now, order, count)
	return true
}

// byDistanceMoved lists the centres, those that moved farthest first.
func (s *centreMoves) byDistanceMoved() []int32 {
	order := make([]int32, len(s.moved))
	for h := range order {
		order[h] = int32(h)
	}
	slices.SortStableFunc(order, func(g, h int32) int { return cmp.Compare(s.moved[h], s.moved[g]) })
	return order
}

// moversStep is the number of centres that a kernel processes at a time.
const moversStep = 16

// setMovers makes the first count of order the movers.
func (s *centreMoves) setMovers(now *Centres, order []int32, count int) {
	if count == 0 {
		return
	}
	s.restMoved = s.moved[order[count]]
	s.moverIndex = slices.Repeat([]int32{-1}, now.K)
	c := make([]float64, 0, count*now.D)
	for j, h := range order[:count] {
		s.moverIndex[h] = int32(j)
		c = append(c, now.At(int(h))...)
	}
	movers := NewCentres(count, now.D, c)
	s.movers = &PackedCentres{movers, simd.Pack(movers.K, movers.D, movers.C)}
}
