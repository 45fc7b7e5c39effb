package columns

import (
	"math"
	"slices"
)

// stats describe the numbers of a column.
type stats struct {
	n, distinct int
	low, high   float64
	whole       bool
}

// describe returns the statistics of the values that are there.
func describe(values []float64) stats {
	s := stats{low: math.Inf(1), high: math.Inf(-1), whole: true}
	seen := map[float64]struct{}{}
	for _, y := range values {
		if y != y {
			continue
		}
		s.n++
		s.low, s.high = min(s.low, y), max(s.high, y)
		if y != math.Trunc(y) {
			s.whole = false
		}
		if s.whole || len(seen) <= fewValues { // all of whole numbers, which may be ids
			seen[y] = struct{}{}
		}
	}
	s.distinct = len(seen)
	return s
}

// skewness returns the third standardised moment of the middle 98 % of sorted values.
func skewness(sorted []float64) float64 {
	cut := len(sorted) / 100
	v := sorted[cut : len(sorted)-cut]
	mean := 0.0
	for i, y := range v {
		mean += (y - mean) / float64(i+1)
	}
	var m2, m3 float64
	for _, y := range v {
		d := y - mean
		m2 += d * d
		m3 += d * d * d
	}
	if !(m2 > 0) || math.IsInf(m2, 0) {
		return 0
	}
	return math.Sqrt(float64(len(v))) * m3 / (m2 * math.Sqrt(m2))
}

// present returns the values that are there, sorted.
func present(values []float64) []float64 {
	out := make([]float64, 0, len(values))
	for _, y := range values {
		if y == y {
			out = append(out, y)
		}
	}
	slices.Sort(out)
	return out
}

// Bounds returns where the normal tails of values would end: three standard deviations from the median, where
// the deviation on each side is that which the outer twentieth of the values has in a normal
// distribution. Extremes, if they are fewer, do not move them. Where a side has no spread the bound is
// the outermost value.
func Bounds(values []float64) (low, high float64) {
	sorted := present(values)
	if len(sorted) == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return boundsOf(sorted)
}

// boundsOf is Bounds of sorted values, of which there is one at least.
func boundsOf(sorted []float64) (low, high float64) {
	const tail = 3 / 1.645
	m := quantile(sorted, .5)
	low, high = m-tail*(m-quantile(sorted, .05)), m+tail*(quantile(sorted, .95)-m)
	if low == m || len(sorted) < 20 {
		low = sorted[0]
	}
	if high == m || len(sorted) < 20 {
		high = sorted[len(sorted)-1]
	}
	return low, high
}
