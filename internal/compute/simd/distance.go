package simd

import "math"

// Dist2 returns Σ_f (x_f − c_f)² for rows of equal length. Feature f is added
// to partial sum f mod 8, nothing is fused, and the partial sums are added four
// apart, two apart, one apart: every kernel of this package does the same, so
// the result has the same bits everywhere.
func Dist2(x, c []float64) float64 { return dist2(x, c) }

func dist2[T number](x []T, c []float64) float64 {
	return dist2Below(x, c, math.Inf(1))
}

// dist2Below is dist2 where that is below limit, and otherwise anything from
// limit up: partial sums only rise, rounded or not, so once they reach the
// limit the rest need not be added.
func dist2Below[T number](x []T, c []float64, limit float64) float64 {
	c = c[:len(x)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	f := 0
	for ; f+8 <= len(x); f += 8 {
		if f&31 == 0 && f > 0 {
			if s := ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)); s >= limit {
				return s
			}
		}
		y, m := x[f:f+8:f+8], c[f:f+8:f+8]
		s0 += square(float64(y[0]) - m[0])
		s1 += square(float64(y[1]) - m[1])
		s2 += square(float64(y[2]) - m[2])
		s3 += square(float64(y[3]) - m[3])
		s4 += square(float64(y[4]) - m[4])
		s5 += square(float64(y[5]) - m[5])
		s6 += square(float64(y[6]) - m[6])
		s7 += square(float64(y[7]) - m[7])
	}
	y, m := x[f:], c[f:len(x)]
	switch len(y) {
	case 7:
		s6 += square(float64(y[6]) - m[6])
		fallthrough
	case 6:
		s5 += square(float64(y[5]) - m[5])
		fallthrough
	case 5:
		s4 += square(float64(y[4]) - m[4])
		fallthrough
	case 4:
		s3 += square(float64(y[3]) - m[3])
		fallthrough
	case 3:
		s2 += square(float64(y[2]) - m[2])
		fallthrough
	case 2:
		s1 += square(float64(y[1]) - m[1])
		fallthrough
	case 1:
		s0 += square(float64(y[0]) - m[0])
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// square is rounded by the conversion, so that no compiler fuses it with the
// addition that follows.
func square(y float64) float64 { return float64(y * y) }
