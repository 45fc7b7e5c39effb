package lloyd

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// bounds spare rows the search for their nearest centre. A row has an upper
// bound U on the distance to its own centre and a lower bound L on that to any
// other (Hamerly 2010). When centres move, U rises by the way of its own and L
// falls by the longest way of another; while U < L its label stands, and the row
// is not even read. A row that this leaves open is searched first among the
// movers, the few centres that have moved furthest, which leaves L to fall by
// the ways of the others alone (as by groups of centres in Ding et al. 2015, but
// by two that are made anew each time), and only then among all.
//
// Bounds come down for all rows at once: what is kept of a row is its L and U
// apart from the ways up to then.
//
// The labels are exactly those of the search: a row counts as settled only if
// the bounds hold by more than all rounding can amount to.
type bounds struct {
	upper []float64 // of a row with label h: U − own[h]
	lower []float64 // L + away[h]
	own   []float64 // at least the way of centre h
	away  []float64 // at least the longest way of any other
	both  []float64 // own and away together
	last  *Centres  // those that the bounds speak of; nil: they say nothing
	wait  int       // passes still to do without
	span  int       // how many the last time
}

func newBounds(n, k int) *bounds {
	return &bounds{upper: make([]float64, n), lower: make([]float64, n), own: make([]float64, k), away: make([]float64, k), both: make([]float64, k)}
}

// aboveRounding is a factor beyond the relative error of any distance here: the
// error of Dist2 is below (d + 16)·2⁻⁵³, and d is below a million by far. tiny is
// beyond that of the few additions by which bounds come down.
const (
	RoundingMargin = 1 + 1e-9
	tiny           = 0x1p-50
)

// lowerBound turns a lower bound on a squared distance into one on the distance,
// upperBound an upper one.
func lowerBound(d2 float64) float64 { return math.Sqrt(max(d2, 0)) * (1 / RoundingMargin) }
func upperBound(d2 float64) float64 { return math.Sqrt(d2) * RoundingMargin }

// hold notes that row i, with label h, is at most u from its own centre; beyond
// that it is at least l from all others.
func (b *bounds) hold(i int, h int32, u float64) {
	b.upper[i] = u - b.own[h] + tiny*(u+b.own[h])
}
func (b *bounds) beyond(i int, h int32, l float64) {
	b.lower[i] = (max(l, 0) + b.away[h]) * (1 - tiny)
}

// drop makes sure that row i is searched the next time, keep that it never is.
func (b *bounds) drop(i int) { b.put(i, math.Inf(-1)) }
func (b *bounds) keep(i int) { b.put(i, math.Inf(1)) }

func (b *bounds) put(i int, y float64) { b.lower[i], b.upper[i] = y, -y }

// most returns at least the distance of row i to its centre h.
func (b *bounds) most(i int, h int32) float64 {
	u := b.upper[i]
	return u + b.own[h] + tiny*(math.Abs(u)+b.own[h])
}

// least returns at most the distance of row i to any centre but h, its label.
func (b *bounds) least(i int, h int32) float64 { return b.since(i, b.away[h]) }

// since is least where the ways up to now are away.
func (b *bounds) since(i int, away float64) float64 { return b.lower[i]*(1-tiny) - away }

// move brings the ways up to date.
func (b *bounds) move(now *Centres) *shift {
	s := &shift{before: slices.Clone(b.away), way: make([]float64, now.K)}
	first, second, which := 0.0, 0.0, 0
	for h := range now.K {
		way := upperBound(data.Dist2(data.Vec{Val: now.At(h)}, b.last.At(h), 0))
		s.way[h] = way
		switch {
		case way > first:
			first, second, which = way, first, h
		case way > second:
			second = way
		}
	}
	for h, way := range s.way {
		other := first
		if h == which {
			other = second
		}
		b.own[h] = (b.own[h] + way) * (1 + tiny)
		b.away[h] = (b.away[h] + other) * (1 + tiny)
		b.both[h] = (b.own[h] + b.away[h]) * (1 + tiny)
	}
	if now.K*now.K <= len(b.lower)/4 {
		s.half = halfWays(now)
	}
	return s
}

// next returns how centres have moved, if the pass to come should use bounds,
// and whether it should keep some. Where bounds leave much open they cost more
// than they spare; then a few passes do without, twice as many each time.
func (b *bounds) next(now *Centres, probes func(s *shift) []probe) (keep bool, use *shift) {
	if b.last != nil {
		use = b.move(now)
		if use.plan(now, probes(use)) {
			b.span = 0
		} else {
			use = nil
			b.span = min(max(1, 2*b.span), longestSpan)
			b.wait = b.span
		}
	}
	if b.last = now; use == nil {
		b.restart()
		if b.wait > 0 {
			if b.wait--; b.wait > 0 {
				b.last = nil
			}
		}
	}
	return b.last != nil, use
}

// restart forgets all ways: every row is to be searched.
func (b *bounds) restart() {
	clear(b.own)
	clear(b.away)
	clear(b.both)
}

// longestSpan is for how many passes bounds are left alone at most.
const longestSpan = 5
