package centroid

import "math"

// A tally is a cost, Σ w_i times what point i costs, that follows the changes, so
// that points which stay where they are need not be read. NaN: it is not known.
type tally struct {
	cost     float64
	measured float64 // what it was when it was last added up from distances alone
	doubt    float64 // about what rounding may have done to it since
}

// A costChange is by how much a cost changes, and about what rounding may have
// done to that.
type costChange struct{ by, doubt float64 }

// follow takes over a change.
func (t *tally) follow(c costChange) {
	t.cost += c.by
	t.doubt += c.doubt
}

// littleLeft is the share of the cost when it was last measured from which down
// it is measured anew: what rounding has added since does not fall with it. So it
// is at the end, lest two runs that end alike differ in the last digits. mostDoubt
// is how much of it may be in doubt.
const (
	littleLeft = 1e-4
	mostDoubt  = 1e-11
)

// measure notes what the cost was found to be.
func (t *tally) measure(cost float64) { t.cost, t.measured, t.doubt = cost, cost, 0 }

// doubtful reports whether to measure the cost anew.
func (t *tally) doubtful() bool {
	return !(t.cost > littleLeft*t.measured && t.doubt <= mostDoubt*t.cost)
}

// lose notes that the cost is not known any more.
func (t *tally) lose() { t.cost = math.NaN() }
