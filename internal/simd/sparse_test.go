package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Every level gives the bits of plain Go, for any number of centres and values.
func TestProductsHaveTheSameBitsOnEveryLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{1, 2, 7, 8, 9, 16, 20, 24, 31, 32, 33, 40, 64, 100} {
		for _, d := range []int{1, 3, 50} {
			c := make([]float64, k*d)
			for i := range c {
				c[i] = r.NormFloat64() * math.Exp(10*r.NormFloat64())
			}
			for values := range min(d, 6) + 1 {
				var idx []int32
				var val []float64
				for _, f := range r.Perm(d)[:values] {
					idx, val = append(idx, int32(f)), append(val, r.NormFloat64())
				}
				want := make([]float64, k)
				for h := range k {
					for p, f := range idx {
						want[h] += val[p] * c[h*d+int(f)]
					}
				}
				for l := Plain; l <= Highest(); l++ {
					before := Force(l)
					b := PackByFeature(k, d, c)
					got := make([]float64, b.Room())
					b.Products(idx, val, got)
					Force(before)
					for h := range k {
						if math.Float64bits(got[h]) != math.Float64bits(want[h]) {
							t.Fatalf("%v, k=%d d=%d, %d values: product %d is %v, want %v", l, k, d, values, h, got[h], want[h])
						}
					}
				}
			}
		}
	}
}

func TestProductsRefuseFeaturesThatAreNotThere(t *testing.T) {
	for _, f := range []int32{-1, 5, math.MaxInt32, math.MinInt32} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("feature %d of 5 was taken", f)
				}
			}()
			b := PackByFeature(2, 5, make([]float64, 10))
			b.Products([]int32{0, f}, []float64{1, 1}, make([]float64, b.Room()))
		}()
	}
}

func BenchmarkProducts(b *testing.B) {
	const d, values = 22207, 100
	for _, k := range []int{20, 100} {
		r := rand.New(rand.NewPCG(1, 2))
		c := make([]float64, k*d)
		for i := range c {
			c[i] = r.Float64()
		}
		idx, val := make([]int32, 1000*values), make([]float64, 1000*values)
		for p := range idx {
			idx[p], val[p] = r.Int32N(d), r.Float64()
		}
		for l := Plain; l <= Highest(); l++ {
			b.Run(fmt.Sprintf("d=%d/k=%d/values=%d/level=%v", d, k, values, l), func(b *testing.B) {
				defer Force(Force(l))
				m := PackByFeature(k, d, c)
				out := make([]float64, m.Room())
				for i := 0; b.Loop(); i++ {
					at := i % 1000 * values
					m.Products(idx[at:at+values], val[at:at+values], out)
				}
			})
		}
	}
}
