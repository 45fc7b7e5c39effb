package report

import "math"

// A scale maps values from lo to hi onto pixels from first to last.
type scale struct{ lo, hi, first, last float64 }

func (s scale) pixel(x float64) float64 {
	if s.hi == s.lo {
		return (s.first + s.last) / 2
	}
	return s.first + (x-s.lo)/(s.hi-s.lo)*(s.last-s.first)
}

// ticks returns about count round numbers from lo to hi.
func ticks(lo, hi float64, count int) (out []float64) {
	if !(hi > lo) {
		return []float64{lo}
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(count))))
	for _, f := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(step*f) <= float64(count) {
			step *= f
			break
		}
	}
	for i := math.Ceil(lo / step); i*step <= hi+step*1e-9; i++ {
		out = append(out, i*step+0) // never −0
	}
	return out
}

// logTicks returns 1, 2 and 5 times powers of ten from lo to hi, or the powers
// alone where those are many.
func logTicks(lo, hi float64) (out []float64) {
	steps := []float64{1, 2, 5}
	if hi/lo > 1000 {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= lo && v <= hi {
				out = append(out, v)
			}
		}
	}
	return out
}

// span returns the least and the greatest number of x, NaN left out.
func span(x []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}
