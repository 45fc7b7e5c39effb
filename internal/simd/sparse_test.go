package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func norms(k, d int, c []float64) []float64 {
	out := make([]float64, k)
	for h := range out {
		for _, y := range c[h*d : (h+1)*d] {
			out[h] += float64(y * y)
		}
	}
	return out
}

// Nearest is exact on every level: where rows lie near the middle of two
// centres, where centres are twins, and at every scale.
func TestNearestOfSparseRowsIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sketched, asked := 0, 0
	var old *ByFeature
	for round := range 3000 {
		k, d := 1+r.IntN(40), 1+r.IntN(30)
		scale := math.Ldexp(1, r.IntN(40)-20)
		if round%10 == 0 {
			scale = math.Ldexp(1, r.IntN(600)-300) // beyond float32
		}
		c := make([]float64, k*d)
		for i := range c {
			c[i] = scale * r.NormFloat64()
		}
		if k > 2 && round%3 == 0 {
			copy(c[d:2*d], c[:d]) // twins
		}
		var idx []int32
		var val []float64
		for f := range d {
			if r.IntN(2) == 0 {
				y := scale * r.NormFloat64()
				if k > 2 && round%2 == 0 { // between two centres
					y = (c[f]+c[2*d+f])/2 + y*math.Ldexp(1, -r.IntN(50))
				}
				idx, val = append(idx, int32(f)), append(val, y)
			}
		}
		norm, v2 := norms(k, d, c), 0.0
		for _, y := range val {
			v2 += float64(y * y)
		}
		want, least := 0, math.Inf(1)
		for h := range k {
			dot := 0.0
			for p, f := range idx {
				dot += float64(val[p] * c[h*d+int(f)])
			}
			if dist := max(0, (norm[h]+v2)-2*dot); dist < least {
				want, least = h, dist
			}
		}
		for l := Plain; l <= Highest(); l++ {
			before := Force(l)
			var room SparseRoom
			b := NewByFeature(k, d, c, norm, old)
			b.Turn(0, d/2)
			b.Turn(d/2, d)
			got := b.Nearest(idx, val, v2, &room)
			old = b
			Force(before)
			if got != want {
				t.Fatalf("round %d, %v: nearest is %d, want %d", round, l, got, want)
			}
			if l == Highest() {
				asked++
				sketched += 1 - room.Exact
			}
		}
	}
	if Highest() > Plain && sketched*3 < asked {
		t.Errorf("sketches settled only %d of %d rows", sketched, asked)
	}
}

func BenchmarkSparseNearest(b *testing.B) {
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
				m := NewByFeature(k, d, c, norms(k, d, c), nil)
				m.Turn(0, d)
				var room SparseRoom
				for i := 0; b.Loop(); i++ {
					at := i % 1000 * values
					m.Nearest(idx[at:at+values], val[at:at+values], values/3, &room)
				}
			})
		}
	}
}
