package lloyd

import "math"

// A CostTracker is a cost, Σ w_i times what point i costs, that follows the changes, so
// that points which stay where they are need not be read. NaN: it is not known.
type CostTracker struct {
	Cost     float64
	measured float64 // what it was when it was last added up from distances alone
	doubt    float64 // about what rounding may have done to it since
}

// A CostChange is by how much a cost changes, and about what rounding may have
// done to that.
type CostChange struct{ Delta, Error float64 }

// Apply takes over a change.
func (t *CostTracker) Apply(c CostChange) {
	t.Cost += c.Delta
	t.doubt += c.Error
}

// littleLeft is the share of the cost when it was last measured from which down
// it is measured anew: what rounding has added since does not fall with it. So it
// is at the end, lest two runs that end alike differ in the last digits. mostDoubt
// is how much of it may be in doubt.
const (
	littleLeft = 1e-4
	mostDoubt  = 1e-11
)

// SetMeasured notes what the cost was found to be.
func (t *CostTracker) SetMeasured(cost float64) { t.Cost, t.measured, t.doubt = cost, cost, 0 }

// NeedsMeasuring reports whether to measure the cost anew.
func (t *CostTracker) NeedsMeasuring() bool {
	return !(t.Cost > littleLeft*t.measured && t.doubt <= mostDoubt*t.Cost)
}

// Invalidate notes that the cost is not known any more.
func (t *CostTracker) Invalidate() { t.Cost = math.NaN() }
