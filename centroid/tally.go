package centroid

import "math"

// A tally is a cost, Σ w_i times what point i costs, that follows the changes, so
// that points which stay where they are need not be read. NaN: it is not known.
type tally struct {
	cost     float64
	measured float64 // what it was when it was last added up from distances alone
}

// littleLeft is the share of the cost when it was last measured from which down
// it is measured anew: what rounding has added since does not fall with it. So it
// is at the end, lest two runs that end alike differ in the last digits.
const littleLeft = 1e-4

// measure notes what the cost was found to be.
func (t *tally) measure(cost float64) { t.cost, t.measured = cost, cost }

// doubtful reports whether to measure the cost anew.
func (t *tally) doubtful() bool { return !(t.cost > littleLeft*t.measured) }

// lose notes that the cost is not known any more.
func (t *tally) lose() { t.cost = math.NaN() }
