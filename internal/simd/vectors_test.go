package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/simd"
)

// Every function of linear algebra gives the same bits at every level, and
// within rounding what the formula says.
func TestVectorsHaveTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 70).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		draw := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			return x
		}
		x, y, u, v, w := draw(n), draw(n), draw(n), draw(n), draw(n)
		rows, f := draw(9*n), [4]float64{1.5, -0.3, 2, 0.7}
		to, weight := make([]int32, rng.IntN(6)), draw(6)
		for q := range to {
			to[q] = int32(rng.IntN(9))
		}
		all := func(l simd.Level) (out []float64) {
			defer simd.Force(simd.Force(l))
			out = append(out, simd.Inner(x, y))
			for _, do := range []func(a, b []float64){
				func(a, _ []float64) { simd.AddTo(a, 0.3, u) },
				func(a, _ []float64) { simd.AddTo4(a, &f, y, u, v, w) },
				func(a, _ []float64) { simd.TakeOff(a, 0.3, u, -1.7, v) },
				func(a, b []float64) { b[0] = simd.InnerAdd(u, v, a, 0.9) },
				func(a, b []float64) { simd.Rotate(a, b[:n], 0.8, 0.6) },
				func(a, _ []float64) { simd.Gather(a, to, weight, rows) },
				func(a, _ []float64) { simd.GatherFirst(a[:(n+1)/2], to, weight, rows, n) },
			} {
				a, b := slices.Clone(x), append(slices.Clone(y), 0)
				do(a, b)
				out = append(append(out, a...), b...)
			}
			return out
		}
		plain, fast := all(simd.Plain), all(simd.Highest())
		for i := range plain {
			if math.Float64bits(plain[i]) != math.Float64bits(fast[i]) {
				t.Fatalf("number %d of %d is %v and %v", i, len(plain), plain[i], fast[i])
			}
		}
		s := 0.0
		for i := range x {
			s += x[i] * y[i]
		}
		if math.Abs(s-plain[0]) > 1e-12 {
			t.Fatalf("product %v, wanted %v", plain[0], s)
		}
		for _, columns := range []int{n, (n + 1) / 2} {
			a := slices.Clone(x)
			simd.GatherFirst(a[:columns], to, weight, rows, n)
			if columns == n {
				a = slices.Clone(x)
				simd.Gather(a, to, weight, rows)
			}
			for c := range a {
				want := x[c]
				for q, j := range to {
					if c < columns {
						want += weight[q] * rows[int(j)*n+c]
					}
				}
				if math.Abs(a[c]-want) > 1e-12 {
					t.Fatalf("column %d of %d gathers %v, wanted %v", c, columns, a[c], want)
				}
			}
		}
	})
}
