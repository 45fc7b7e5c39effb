package simd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// sameBits fails where two lists differ in a bit.
func sameBits[T float32 | float64](t rapid.TB, got, want []T) {
	t.Helper()
	for i := range want {
		if math.Float64bits(float64(got[i])) != math.Float64bits(float64(want[i])) {
			t.Fatalf("number %d is %v and %v", i, got[i], want[i])
		}
	}
}

// Springs and recurrences give the same bits at every level, and within rounding what their formulas say.
func TestSparseStepsHaveTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		lo := rng.IntN(n + 1)
		hi := lo + rng.IntN(n+1-lo)
		springs, first := []int32{0}, []int{0}
		var to []int32
		var w []float32
		for range n {
			for range simd.FourSprings * rng.IntN(4) {
				to, w = append(to, int32(rng.IntN(n))), append(w, float32(rng.Float64()))
			}
			springs, first = append(springs, int32(len(to))), append(first, len(to))
		}
		draw := func(n int) (out []float64, less []float32) {
			for range n {
				v := rng.NormFloat64()
				out, less = append(out, v), append(less, float32(v))
			}
			return out, less
		}
		place, _ := draw(2 * n)
		pull := func(l simd.Level) []float64 {
			defer simd.Force(simd.Force(l))
			out := make([]float64, 2*n)
			simd.NewSprings(springs, to, w).Pull(out, place, 0.9, 0.1, lo, hi)
			return out
		}
		pulls := pull(simd.Plain)
		sameBits(t, pull(simd.Highest()), pulls)
		for i := range n {
			x, y := 0.0, 0.0
			for q := springs[i]; lo <= i && i < hi && q < springs[i+1]; q++ {
				dx, dy := place[2*i]-place[2*to[q]], place[2*i+1]-place[2*to[q]+1]
				u := 1 + dx*dx + dy*dy
				k := float64(w[q]) * (0.9/u + 0.1/math.Sqrt(u))
				x, y = x+k*dx, y+k*dy
			}
			if math.Abs(pulls[2*i]-x)+math.Abs(pulls[2*i+1]-y) > 1e-12 {
				t.Fatalf("point %d of %d to %d is drawn by %v, wanted %v, %v", i, lo, hi, pulls[2*i:2*i+2], x, y)
			}
		}
		for _, p := range []int{simd.Narrow, simd.Wide} {
			_, x := draw(n * p)
			_, b := draw(n * p)
			_, before := draw(n * p)
			step := func(l simd.Level) []float32 {
				defer simd.Force(simd.Force(l))
				next := append([]float32(nil), before...)
				simd.NewRecurrence(first, to, w).Step(next, b, x, p, 1.7, lo, hi)
				return next
			}
			next := step(simd.Plain)
			sameBits(t, step(simd.Highest()), next)
			for i := range n {
				for c := range p {
					want := float64(before[i*p+c])
					if lo <= i && i < hi {
						want = float64(b[i*p+c])
						for q := first[i]; q < first[i+1]; q++ {
							want += float64(w[q]) * float64(x[int(to[q])*p+c])
						}
						want = 1.7*want - 0.7*float64(before[i*p+c])
					}
					if math.Abs(float64(next[i*p+c])-want) > 1e-4 {
						t.Fatalf("row %d of %d to %d, column %d of %d is %v, wanted %v", i, lo, hi, c, p, next[i*p+c], want)
					}
				}
			}
		}
	})
}

// What the kernels would read beyond their lists is refused.
func TestSparseStepsRefuseOddLists(t *testing.T) {
	for name, do := range map[string]func(){
		"three springs":      func() { simd.NewSprings([]int32{0, 3}, []int32{0, 0, 0}, make([]float32, 3)) },
		"a spring to nobody": func() { simd.NewSprings([]int32{0, 4}, []int32{0, 0, 1, 0}, make([]float32, 4)) },
		"springs left over":  func() { simd.NewSprings([]int32{0, 4}, make([]int32, 8), make([]float32, 8)) },
		"a column too many":  func() { simd.NewRecurrence([]int{0, 1}, []int32{1}, make([]float32, 1)) },
		"entries left over":  func() { simd.NewRecurrence([]int{0, 1}, []int32{0, 0}, make([]float32, 2)) },
		"a row that ends before it begins": func() {
			simd.NewRecurrence([]int{0, 2, 1}, []int32{0}, make([]float32, 1))
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s are taken", name)
				}
			}()
			do()
		}()
	}
}
