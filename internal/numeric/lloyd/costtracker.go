package lloyd

import "math"

// A CostTracker updates a cost, the weighted sum of what points cost, by the changes
// alone, so that points that do not move need not be read.
type CostTracker struct {
	Cost          float64 // NaN: unknown
	measured      float64 // the cost when it was last computed from all distances
	roundingError float64 // estimate of the rounding error since then
}

// A CostChange is a change of a cost, and an estimate of its rounding error.
type CostChange struct{ Delta, Error float64 }

// Apply adds a change to the cost.
func (t *CostTracker) Apply(c CostChange) {
	t.Cost += c.Delta
	t.roundingError += c.Error
}

// The cost is measured again when it falls below remeasureShare of the last measured
// cost, as rounding errors do not fall with it, or when the estimate of its relative
// error exceeds maxRelativeError.
const (
	remeasureShare   = 1e-4
	maxRelativeError = 1e-11
)

// SetMeasured sets the cost to one that was computed from all distances.
func (t *CostTracker) SetMeasured(cost float64) { t.Cost, t.measured, t.roundingError = cost, cost, 0 }

// NeedsMeasuring reports whether the cost has to be measured again.
func (t *CostTracker) NeedsMeasuring() bool {
	return !(t.Cost > remeasureShare*t.measured && t.roundingError <= maxRelativeError*t.Cost)
}

// Invalidate makes the cost unknown.
func (t *CostTracker) Invalidate() { t.Cost = math.NaN() }
