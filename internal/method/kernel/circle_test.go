package kernel_test

import "math"

// circle returns the i-th of n points on the unit circle.
func circle(i, n int) (x, y float64) {
	y, x = math.Sincos(2 * math.Pi * float64(i) / float64(n))
	return x, y
}
