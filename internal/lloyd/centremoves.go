package lloyd

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// A shift is how centres have moved since the last pass, and what follows from
// it for bounds.
type shift struct {
	way    []float64      // of each centre
	before []float64      // the longest way of any other, up to the last pass
	half   []float64      // half the distance from centre h to the nearest other; nil: not known
	movers *PackedCentres // those that moved furthest; nil: not worth a search of their own
	place  []int32        // of centre h among them, or -1
	rest   float64        // the longest way of the others
}

// halfWays returns half the distance of each centre to the nearest other.
func halfWays(c *Centres) []float64 {
	near := slices.Repeat([]float64{math.Inf(1)}, c.K)
	for h := range c.K {
		for g := range h {
			d := data.Dist2(data.Vec{Val: c.At(h)}, c.At(g), 0)
			near[h], near[g] = min(near[h], d), min(near[g], d)
		}
	}
	for h, d := range near {
		near[h] = lowerBound(d) / 2
	}
	return near
}

// least returns at most the distance of row i to any centre but h, its label,
// which is at most u away.
func (s *shift) least(b *bounds, i int, h int32, u float64) float64 {
	l := b.least(i, h)
	if s.half != nil {
		l = max(l, 2*s.half[h]-u)
	}
	return l
}

// others returns at most the distance of row i, with label h, to any centre that
// is neither h nor a mover.
func (s *shift) others(b *bounds, i int, h int32) float64 { return b.since(i, s.before[h]) - s.rest }

// A probe is what bounds say of one row.
type probe struct {
	open   bool    // it may be nearer to another centre
	upper  float64 // then U
	before float64 // and L before the centres moved
}

// What a row costs besides the distances to centres, counted in such distances,
// of which d features make one: where all rows are searched and no bounds kept,
// and where bounds have left it open. As measured with 32 and 128 features.
func costs(d int) (plain, open int) { return 3 + 700/d, 6 + 5000/d }

// plan chooses the movers, if any, for which a pass is cheapest, by what probes
// say, and reports whether the pass is cheaper than a search of all rows.
func (s *shift) plan(now *Centres, probes []probe) bool {
	order := s.furthest()
	plain, some := costs(now.D)
	open := 0
	for _, y := range probes {
		if y.open {
			open++
		}
	}
	least, count := open*(some+now.K), 0
	for m := fewestMovers; m <= now.K/2; m += fewestMovers {
		rest, cost := s.way[order[m]], open*(some+m)
		for _, y := range probes {
			if y.open && !(y.upper < y.before-rest) {
				cost += some + now.K
			}
		}
		if cost < least {
			least, count = cost, m
		}
	}
	if least > len(probes)*(plain+now.K) {
		return false
	}
	s.choose(now, order, count)
	return true
}

// furthest lists the centres, those with the longest way first.
func (s *shift) furthest() []int32 {
	order := make([]int32, len(s.way))
	for h := range order {
		order[h] = int32(h)
	}
	slices.SortStableFunc(order, func(g, h int32) int { return cmp.Compare(s.way[h], s.way[g]) })
	return order
}

// fewestMovers is how many centres a kernel takes at a time.
const fewestMovers = 16

// choose makes the first count of order the movers.
func (s *shift) choose(now *Centres, order []int32, count int) {
	if count == 0 {
		return
	}
	s.rest = s.way[order[count]]
	s.place = slices.Repeat([]int32{-1}, now.K)
	c := make([]float64, 0, count*now.D)
	for j, h := range order[:count] {
		s.place[h] = int32(j)
		c = append(c, now.At(int(h))...)
	}
	movers := NewCentres(count, now.D, c)
	s.movers = &PackedCentres{movers, simd.Pack(movers.K, movers.D, movers.C)}
}
