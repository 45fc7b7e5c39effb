package simd

import "math"

func plainDist[T number](x []T, once bool, d int, label []int32, c, out []float64) {
	at := 0
	for i, h := range label {
		out[i] = dist2(x[at:at+d], c[int(h)*d:int(h+1)*d])
		if !once {
			at += d
		}
	}
}

// plainNearest returns the nearest centre of x, the lowest on ties, its Dist2 and
// with both the second smallest.
func plainNearest(x, c []float64, both bool) (label int32, best, second float64) {
	best, second = math.Inf(1), math.Inf(1)
	d := len(x)
	for h := range len(c) / d {
		limit := best
		if both {
			limit = second
		}
		switch y := dist2Below(x, c[h*d:(h+1)*d], limit); {
		case y < best:
			label, best, second = int32(h), y, best
		case y < second:
			second = y
		}
	}
	return label, best, second
}
