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

// leavesOpen reports whether a row of cluster h, whose squared distance to its
// centre is own, may be nearer to another, lower being its bound.
func (b *bounds) leavesOpen(h int32, own, lower float64) bool {
	return !(math.Sqrt(own)*aboveRounding < max(lower, b.half[h]))
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
// one after it may use them, and bounds, if they say something. open tells from
// a sample which share of the rows they would leave open.
func (b *bounding) next(now *Centres, n int, open func(*bounds) float64) ([]float64, *bounds) {
	if b.lower == nil {
		return nil, nil
	}
	var use *bounds
	if b.wait == 0 && b.last != nil {
		use = newBounds(b.last, now, now.K*now.K <= n/4)
		if open(use) >= hopeless {
			use = nil
			b.span = min(max(1, 2*b.span), 16)
			b.wait = b.span
		} else {
			b.span = 0
		}
	}
	b.last = now
	if b.wait > 0 {
		if b.wait--; b.wait > 0 {
			return nil, nil
		}
	}
	return b.lower, use
}
