package simd_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Every function of linear algebra gives the same bits at every level, and
// within rounding what the formula says.
func TestVectorsHaveTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 110).Draw(t, "n")
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
		many := rng.IntN(600)
		turn := make([]complex128, rng.IntN(9)*rng.IntN(2)+1)
		for j := range turn {
			turn[j] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		wave := make([]complex128, 2*len(turn)*rng.IntN(4))
		for i := range wave {
			wave[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		long, longWeight := draw(many*n), draw(many)
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
				func(a, _ []float64) { simd.Combine(a[:(n+1)/2], longWeight, long, n) },
			} {
				a, b := slices.Clone(x), append(slices.Clone(y), 0)
				do(a, b)
				out = append(append(out, a...), b...)
			}
			turned := slices.Clone(wave)
			simd.Butterflies(turned, turn)
			for _, z := range turned {
				out = append(out, real(z), imag(z))
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
		turned, half := slices.Clone(wave), len(turn)
		simd.Butterflies(turned, turn)
		for i, got := range turned {
			want := wave[i]
			if j := i % half; i/half%2 == 0 {
				want += turn[j] * wave[i+half]
			} else {
				want = wave[i-half] - turn[j]*want
			}
			if cmplx.Abs(got-want) > 1e-12 {
				t.Fatalf("number %d of %d with %d turns is %v, wanted %v", i, len(wave), half, got, want)
			}
		}
		gathered := slices.Clone(x)
		simd.Gather(gathered, to, weight, rows)
		for c, got := range gathered {
			want := x[c]
			for q, j := range to {
				want += weight[q] * rows[int(j)*n+c]
			}
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("column %d gathers %v, wanted %v", c, got, want)
			}
		}
		columns := (n + 1) / 2
		combined := slices.Clone(x)
		simd.Combine(combined[:columns], longWeight, long, n)
		for c, got := range combined {
			want := x[c]
			for q, w := range longWeight {
				if c < columns {
					want += w * long[q*n+c]
				}
			}
			if math.Abs(got-want) > 1e-10 {
				t.Fatalf("column %d of %d combines %v, wanted %v", c, columns, got, want)
			}
		}
	})
}
