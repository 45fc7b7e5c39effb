package simd

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// listed draws rows in their order, each once or twice, with labels and weights.
func listed(r *rand.Rand, n, k, share int) (row, label []int32, w []float64) {
	for i := range int32(n) {
		if r.IntN(share) == 0 {
			row, label, w = append(row, i, i), append(label, int32(r.IntN(k)), int32(r.IntN(k))), append(w, -1, r.NormFloat64())
		}
	}
	return row, label, w
}

// Every level gives the bits of TwoSum, row by row, for any part of the features.
func TestAddKept(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	eachLevel(t, func(t *testing.T) {
		for _, s := range []struct{ n, d, k, lo, hi int }{{700, 32, 5, 0, 32}, {300, 7, 3, 0, 7}, {10, 40, 2, 8, 27}, {600, 16, 9, 3, 16}, {5, 1, 1, 0, 1}, {9, 24, 4, 10, 10}} {
			x := exactly(narrow(normal(r, s.n*s.d)))
			row, label, w := listed(r, s.n, s.k, 1+r.IntN(3))
			start := normal(r, 2*s.k*s.d)
			sum, rest := exactly(start[:s.k*s.d]), exactly(start[s.k*s.d:])
			wantSum, wantRest := exactly(sum), exactly(rest)
			for j, i := range row {
				for f := s.lo; f < s.hi; f++ {
					at := int(label[j])*s.d + f
					wantSum[at], wantRest[at] = TwoSum(wantSum[at], wantRest[at], float64(w[j]*float64(x[int(i)*s.d+f])))
				}
			}
			sum64, rest64 := exactly(sum), exactly(rest)
			AddCompensated32(sum, rest, s.d, s.lo, s.hi, x, row, label, w)
			AddCompensated64(sum64, rest64, s.d, s.lo, s.hi, exactly(widen(x)), row, label, w)
			for i, y := range wantSum {
				if sum[i] != y || sum64[i] != y || rest[i] != wantRest[i] || rest64[i] != wantRest[i] {
					t.Fatalf("%v: number %d is %v and %v, the rest %v and %v, want %v and %v", s, i, sum[i], sum64[i], rest[i], rest64[i], y, wantRest[i])
				}
			}
		}
	})
}

// What is added and taken away again, in any order, leaves the sum of what is
// left, far beyond the last digit of one number, and what it rounds to or, in the
// middle between two numbers, the one beside it.
func TestTwoSumKeepsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 40).Draw(t, "y")
		stay := rapid.SliceOfN(rapid.Bool(), len(y), len(y)).Draw(t, "stay")
		sum, rest := 0.0, 0.0
		for _, v := range y {
			sum, rest = TwoSum(sum, rest, v)
		}
		exact := new(big.Float).SetPrec(2000)
		for i, v := range y {
			if stay[i] {
				exact.Add(exact, big.NewFloat(v))
			} else {
				sum, rest = TwoSum(sum, rest, -v)
			}
		}
		want, _ := exact.Float64()
		const lost = 1e-21 // beyond the digits of two numbers
		if off := math.Abs(sum - want); off > lost+math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want) {
			t.Fatalf("%v is left, want %v", sum, want)
		}
		exact.Sub(exact, big.NewFloat(sum))
		if left, _ := exact.Float64(); math.Abs(left-rest) > lost {
			t.Fatalf("the rest is %v, want %v", rest, left)
		}
	})
}

func TestAddKeptRefuses(t *testing.T) {
	x, sum := make([]float64, 6), make([]float64, 4)
	for name, bad := range map[string]func(){
		"a row that is not there":     func() { AddCompensated64(sum, sum, 2, 0, 2, x, []int32{3}, []int32{0}, []float64{1}) },
		"a negative row":              func() { AddCompensated64(sum, sum, 2, 0, 2, x, []int32{-1}, []int32{0}, []float64{1}) },
		"a label that is not there":   func() { AddCompensated64(sum, sum, 2, 0, 2, x, []int32{0}, []int32{2}, []float64{1}) },
		"a feature that is not there": func() { AddCompensated64(sum, sum, 2, 0, 3, x, []int32{0}, []int32{0}, []float64{1}) },
		"no weight":                   func() { AddCompensated64(sum, sum, 2, 0, 2, x, []int32{0}, []int32{0}, nil) },
		"sums of other length":        func() { AddCompensated64(sum, sum[:2], 2, 0, 2, x, []int32{0}, []int32{0}, []float64{1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			bad()
		}()
	}
}

func BenchmarkAddKept(b *testing.B) {
	const n, k = 200_000, 100
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{32, 128} {
		x := narrow(normal(r, n*d))
		for _, share := range []int{1, 20} {
			row, label, w := listed(r, n, k, share)
			sum, rest := make([]float64, k*d), make([]float64, k*d)
			b.Run(fmt.Sprintf("d=%d/share=1:%d", d, share), func(b *testing.B) {
				for b.Loop() {
					for f := 0; f < d; f += 16 {
						AddCompensated32(sum, rest, d, f, f+16, x, row, label, w)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(row)), "ns/row")
			})
		}
	}
}
