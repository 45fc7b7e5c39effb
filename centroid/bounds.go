package centroid

import (
	"math"

	"github.com/inklinghq/inkling/data"
)

// bounds spare rows the search for their nearest centre (Hamerly 2010). Each
// row has a lower bound on its distance to every centre but its own. When the
// centres move, it comes down by the furthest move of another centre. While the
// distance to its own centre, which is always computed, stays below the bound,
// or below half the way from its centre to the nearest other, its label stands.
//
// The labels are exactly those of the search: a row counts as settled only if
// the bound holds by more than all rounding can amount to.
type bounds struct {
	half          []float64 // half the distance from centre h to the nearest other
	first, second float64   // the two furthest moves
	which         int32     // the centre that made the furthest
}

// aboveRounding is a factor beyond the relative error of any distance here: the
// error of Dist2 is below (d + 16)·2⁻⁵³, and d is below a million by far.
const aboveRounding = 1 + 1e-9

// lowerBound turns a lower bound on a squared distance into one on the distance.
func lowerBound(second float64) float64 { return math.Sqrt(max(second, 0)) / aboveRounding }

// drift returns how far any centre but h has moved.
func (b *bounds) drift(h int32) float64 {
	if h == b.which {
		return b.second
	}
	return b.first
}

// newBounds measures the move from old to now.
func newBounds(old, now *Centres, halves bool) *bounds {
	b := &bounds{half: make([]float64, now.K)}
	for h := range now.K {
		move := math.Sqrt(data.Dist2(data.Vec{Val: now.At(h)}, old.At(h), 0)) * aboveRounding
		switch {
		case move > b.first:
			b.first, b.second, b.which = move, b.first, int32(h)
		case move > b.second:
			b.second = move
		}
	}
	if halves {
		b.findHalves(now)
	}
	return b
}

func (b *bounds) findHalves(c *Centres) {
	near := make([]float64, c.K)
	for h := range near {
		near[h] = math.Inf(1)
	}
	for h := range c.K {
		for g := range h {
			d := data.Dist2(data.Vec{Val: c.At(h)}, c.At(g), 0)
			near[h], near[g] = min(near[h], d), min(near[g], d)
		}
	}
	for h, d := range near {
		b.half[h] = lowerBound(d) / 2
	}
}

// bounding decides from pass to pass whether to use bounds. Where they leave
// many rows open they cost more than they spare; then a few passes do without,
// twice as many each time.
type bounding struct {
	lower []float64 // nil: never
	last  *Centres  // those that lower speaks of; nil: it says nothing
	wait  int       // passes still to do without
	span  int       // how many the last time
}

// hopeless is the share of open rows from which on bounds do not pay.
const hopeless = 0.3

// next returns what the next pass should have: room for lower bounds, if the
// one after it may use them, and bounds, if they say something.
func (b *bounding) next(now *Centres, n int) ([]float64, *bounds) {
	if b.lower == nil || b.wait > 1 {
		return nil, nil
	}
	if b.wait == 1 || b.last == nil {
		return b.lower, nil
	}
	return b.lower, newBounds(b.last, now, now.K*now.K <= n/4)
}

// learn hears how a pass with centres now went.
func (b *bounding) learn(now *Centres, used bool, open float64) {
	if b.lower == nil {
		return
	}
	switch {
	case used && open >= hopeless:
		b.span = min(max(1, 2*b.span), 16)
		b.wait = b.span
	case used:
		b.span = 0
	case b.wait > 0:
		b.wait--
	}
	b.last = now
}
