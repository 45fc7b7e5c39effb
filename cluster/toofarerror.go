package cluster

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// TooFarError is the error for a row that a model cannot place: one of its values is
// so large that its distance to every cluster overflows, and all look alike.
type TooFarError struct {
	Row   int
	Value float64
}

func (e *TooFarError) Error() string {
	return fmt.Sprintf("row %d has the value %g, too large to square", e.Row, e.Value)
}

// suspect is the size from which a value may overflow in a distance. Smaller
// values do not, whatever metric a fit learns.
const suspect = 1e100

// tooFar returns the first row lo ≤ i < hi whose cost in the cluster it was
// given is not finite; nil if there is none, or if m does not compute costs.
func tooFar(m Model, x data.Rows, lo, hi int, labels []int) *TooFarError {
	coster, ok := m.(PointCoster)
	if !ok {
		return nil
	}
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		v, largest := x.Row(i, buf), 0.0
		for _, y := range v.Val {
			if math.Abs(y) > math.Abs(largest) {
				largest = y
			}
		}
		if math.Abs(largest) < suspect {
			continue
		}
		if cost := coster.PointCost(v, labels[i-lo]); math.IsInf(cost, 0) || math.IsNaN(cost) {
			return &TooFarError{Row: i, Value: largest}
		}
	}
	return nil
}
