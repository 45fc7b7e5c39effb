package simd

import (
	"math"
	"testing"
)

func TestFiniteFindsEveryNaNAndInfinity(t *testing.T) {
	for _, l := range []Level{Plain, Highest()} {
		t.Run(l.String(), func(t *testing.T) {
			defer Force(Force(l))
			checkFinite[float32](t, math.MaxFloat32, math.SmallestNonzeroFloat32)
			checkFinite[float64](t, math.MaxFloat64, math.SmallestNonzeroFloat64)
		})
	}
}

// checkFinite puts each number that is not finite at each place of slices of many lengths and
// beginnings.
func checkFinite[T number](t *testing.T, most, least T) {
	t.Helper()
	inf := T(math.Inf(1))
	for n := range 100 {
		for from := range min(n, 3) + 1 {
			x := make([]T, n)
			for i := range x {
				x[i] = []T{1, -1, 0, most, -most, least, -0.5}[i%7]
			}
			x = x[from:]
			if !Finite(x) {
				t.Fatalf("%T: %d finite numbers are refused", x, len(x))
			}
			for i, was := range x {
				for _, bad := range []T{inf, -inf, inf - inf} {
					if x[i] = bad; Finite(x) {
						t.Fatalf("%T: %v at %d of %d is not found", x, bad, i, len(x))
					}
				}
				x[i] = was
			}
		}
	}
}

func BenchmarkFinite(b *testing.B) {
	x := make([]float32, 1<<16)
	b.SetBytes(4 << 16)
	for b.Loop() {
		if !Finite(x) {
			b.Fatal("zeros are refused")
		}
	}
}
