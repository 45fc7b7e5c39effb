package confidence

import (
	"cmp"
	"math"
	"slices"
)

// A Bin of a reliability table holds the rows whose confidence is in one interval.
type Bin struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Rows       int     `json:"rows"`
	Confidence float64 `json:"confidence"` // the mean
	Right      float64 `json:"right"`      // the share of rows that are right
}

// A Reliability says how far confidences can be trusted.
type Reliability struct {
	// CalibrationError is the mean over rows of the difference between the mean confidence and the share
	// of right rows of their bin (expected calibration error, ten bins of
	// equal width).
	CalibrationError float64 `json:"calibration_error"`
	// RiskCoverage is the area under the risk-coverage curve: the mean, over all
	// numbers of rows taken by descending confidence, of the share of wrong ones
	// among them. A confidence that ranks well has a small area.
	RiskCoverage float64 `json:"risk_coverage"`
	Wrong        float64 `json:"wrong"` // the share of rows that are wrong
	Bins         []Bin   `json:"bins"`
}

// NewReliability compares confidences with whether each row is right.
func NewReliability(confidence []float64, right []bool) Reliability {
	const bins = 10
	r := Reliability{Bins: make([]Bin, bins)}
	n := float64(len(confidence))
	for b := range r.Bins {
		r.Bins[b].Low, r.Bins[b].High = float64(b)/bins, float64(b+1)/bins
	}
	for i, c := range confidence {
		b := &r.Bins[max(0, min(bins-1, int(c*bins)))]
		b.Rows++
		b.Confidence += c
		if right[i] {
			b.Right++
		}
	}
	for b := range r.Bins {
		if bin := &r.Bins[b]; bin.Rows > 0 {
			r.CalibrationError += math.Abs(bin.Confidence-bin.Right) / n
			bin.Confidence /= float64(bin.Rows)
			bin.Right /= float64(bin.Rows)
		}
	}
	order := make([]int, len(confidence))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(confidence[b], confidence[a]) })
	// Rows of equal confidence are taken together: each adds the risk at their end.
	wrong := 0
	for lo := 0; lo < len(order); {
		hi := lo
		for ; hi < len(order) && confidence[order[hi]] == confidence[order[lo]]; hi++ {
			if !right[order[hi]] {
				wrong++
			}
		}
		r.RiskCoverage += float64(hi-lo) * float64(wrong) / float64(hi) / n
		lo = hi
	}
	if len(order) > 0 {
		r.Wrong = float64(wrong) / n
	}
	return r
}
