package columns

import (
	"math"
)

// stats describe the numbers of a column.
type stats struct {
	n, distinct int
	low, high   float64
	skew        float64 // third standardised moment
	whole       bool
}

// describe returns the statistics of the values that are there. Different values are
// counted up to fewValues and one more, or all of them.
func describe(values []float64, all bool) stats {
	s := stats{low: math.Inf(1), high: math.Inf(-1), whole: true}
	seen := map[float64]struct{}{}
	mean := 0.0
	for _, y := range values {
		if y != y {
			continue
		}
		s.n++
		mean += (y - mean) / float64(s.n)
		s.low, s.high = min(s.low, y), max(s.high, y)
		s.whole = s.whole && y == math.Trunc(y)
		if all || len(seen) <= fewValues {
			seen[y] = struct{}{}
		}
	}
	s.distinct = len(seen)
	var m2, m3 float64
	for _, y := range values {
		if y == y {
			d := y - mean
			m2 += d * d
			m3 += d * d * d
		}
	}
	if m2 > 0 {
		s.skew = math.Sqrt(float64(s.n)) * m3 / (m2 * math.Sqrt(m2))
	}
	return s
}

// quantities finds how the numbers among texts are written, and how many of the
// cells are such: those in the unit that most have.
func quantities(plain []float64, odd map[string]int) (Spec, int) {
	fractions := false
	for _, y := range plain {
		fractions = fractions || y == y && y != math.Trunc(y)
	}
	best, most := Spec{Role: Number}, 0
	for _, comma := range []bool{false, true} {
		if comma && fractions {
			break
		}
		bare, units := 0, map[string]int{}
		for s, k := range odd {
			if _, unit, ok := parseQuantity(s, comma); ok && unit == "" {
				bare += k
			} else if ok {
				units[unit] += k
			}
		}
		unit, count := "", 0
		for u, k := range units {
			if k > count || k == count && u < unit {
				unit, count = u, k
			}
		}
		if bare+count > most {
			best, most = Spec{Role: Number, Comma: comma, Unit: unit}, bare+count
		}
	}
	return best, most
}
