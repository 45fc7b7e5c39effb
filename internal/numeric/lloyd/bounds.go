package lloyd

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// bounds save rows the search for their nearest centre. A row has an upper
// bound U on the distance to its own centre and a lower bound L on the distance to
// any other (Hamerly 2010). When centres move, U grows by the distance that its own
// centre has moved, and L shrinks by the longest distance that another has moved;
// while U < L the label stands, and the row is not even read. A row that this
// leaves open is first searched among the movers, the few centres that have moved
// farthest: then L shrinks only by what the rest have moved (groups of centres as in
// Ding et al. 2015, but two groups that are formed again in each pass). Only if that
// leaves it open too is it searched among all centres.
//
// Bounds change for all rows at once: a row stores its U and L without the moves of
// the centres, which are added when the bounds are read.
//
// The labels are exactly those of the full search: a row counts as settled only if
// the bounds hold by more than all rounding errors together.
type bounds struct {
	upper        []float64 // row state; of a row with label h: U − ownMoved[h]
	lower        []float64 // row state: L + othersMoved[h]
	ownMoved     []float64 // upper bound on the distance that centre h has moved
	othersMoved  []float64 // upper bound on the longest distance that another centre has moved
	bothMoved    []float64 // ownMoved + othersMoved
	centres      *Centres  // the centres that the bounds refer to; nil: there are no bounds yet
	passesToSkip int       // passes left that do not use bounds
	lastSkip     int       // how many passes were skipped last time
	workers      int
}

func newBounds(n, k, workers int) *bounds {
	return &bounds{workers: workers, upper: make([]float64, n), lower: make([]float64, n), ownMoved: make([]float64, k), othersMoved: make([]float64, k), bothMoved: make([]float64, k)}
}

// RoundingMargin is a factor larger than the relative error of any distance here:
// the error of Dist2 is below (d + 16)·2⁻⁵³, and d is far below a million. boundSlack
// is larger than the error of the few additions that update bounds.
const (
	RoundingMargin = 1 + 1e-9
	boundSlack     = 0x1p-50
)

// lowerBound converts a lower bound on a squared distance to one on the distance,
// upperBound an upper bound.
func lowerBound(d2 float64) float64 { return math.Sqrt(max(d2, 0)) * (1 / RoundingMargin) }
func upperBound(d2 float64) float64 { return math.Sqrt(d2) * RoundingMargin }

// setUpper records that row i, with label h, is at most u from its own centre.
func (b *bounds) setUpper(i int, h int32, u float64) {
	b.upper[i] = u - b.ownMoved[h] + boundSlack*(u+b.ownMoved[h])
}

// setLower records that row i, with label h, is at least l from all other centres.
func (b *bounds) setLower(i int, h int32, l float64) {
	b.lower[i] = (max(l, 0) + b.othersMoved[h]) * (1 - boundSlack)
}

// forceSearch makes sure that row i is searched in the next pass, forbidSearch that
// it never is.
func (b *bounds) forceSearch(i int)  { b.setBoth(i, math.Inf(-1)) }
func (b *bounds) forbidSearch(i int) { b.setBoth(i, math.Inf(1)) }

func (b *bounds) setBoth(i int, y float64) { b.lower[i], b.upper[i] = y, -y }

// upperAt returns an upper bound on the distance of row i to centre h, its label.
func (b *bounds) upperAt(i int, h int32) float64 {
	u := b.upper[i]
	return u + b.ownMoved[h] + boundSlack*(math.Abs(u)+b.ownMoved[h])
}

// lowerAt returns a lower bound on the distance of row i to any centre but h, its
// label.
func (b *bounds) lowerAt(i int, h int32) float64 { return b.lowerSince(i, b.othersMoved[h]) }

// lowerSince is lowerAt for given moves of the other centres.
func (b *bounds) lowerSince(i int, othersMoved float64) float64 {
	return b.lower[i]*(1-boundSlack) - othersMoved
}

// addMoves adds what the centres have moved since the last pass.
func (b *bounds) addMoves(now *Centres) *centreMoves {
	s := &centreMoves{othersBefore: slices.Clone(b.othersMoved), moved: make([]float64, now.K)}
	first, second, which := 0.0, 0.0, 0
	for h := range now.K {
		way := upperBound(data.Dist2(data.Vec{Val: now.At(h)}, b.centres.At(h), 0))
		s.moved[h] = way
		switch {
		case way > first:
			first, second, which = way, first, h
		case way > second:
			second = way
		}
	}
	for h, way := range s.moved {
		other := first
		if h == which {
			other = second
		}
		b.ownMoved[h] = (b.ownMoved[h] + way) * (1 + boundSlack)
		b.othersMoved[h] = (b.othersMoved[h] + other) * (1 + boundSlack)
		b.bothMoved[h] = (b.ownMoved[h] + b.othersMoved[h]) * (1 + boundSlack)
	}
	if now.K*now.K <= len(b.lower)/4 {
		s.halfGap = halfGaps(now, b.workers)
	}
	return s
}

// planPass returns whether the next pass should keep bounds, and how centres have
// moved if it should use the bounds of the last pass. Where bounds leave many rows
// open they cost more than they save; then a few passes do without, twice as many
// each time.
func (b *bounds) planPass(now *Centres, probes func(s *centreMoves) []boundProbe) (keep bool, use *centreMoves) {
	if b.centres != nil {
		use = b.addMoves(now)
		if use.planMovers(now, probes(use)) {
			b.lastSkip = 0
		} else {
			use = nil
			b.lastSkip = min(max(1, 2*b.lastSkip), maxSkip)
			b.passesToSkip = b.lastSkip
		}
	}
	if b.centres = now; use == nil {
		b.reset()
		if b.passesToSkip > 0 {
			if b.passesToSkip--; b.passesToSkip > 0 {
				b.centres = nil
			}
		}
	}
	return b.centres != nil, use
}

// reset forgets all moves: every row has to be searched.
func (b *bounds) reset() {
	clear(b.ownMoved)
	clear(b.othersMoved)
	clear(b.bothMoved)
}

// maxSkip is the largest number of passes in a row that do not use bounds.
const maxSkip = 5
