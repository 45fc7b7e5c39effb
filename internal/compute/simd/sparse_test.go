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
		if round%7 == 0 {
			k += 60 // more centres than one walk serves
		}
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
		switch h := r.IntN(k); round % 11 {
		case 1: // one centre far longer than the rest, or far shorter
			by := math.Ldexp(1, r.IntN(60)-30)
			for f := range d {
				c[h*d+f] *= by
			}
		case 2:
			clear(c[h*d : (h+1)*d])
		}
		var idx []int32
		var val []float64
		for f := range d {
			if r.IntN(2) == 0 {
				y := scale * r.NormFloat64()
				if k > 2 && round%2 == 0 { // between two centres
					y = (c[f]+c[2*d+f])/2 + y*math.Ldexp(1, -r.IntN(50))
				}
				if round%13 == 0 { // one value is all of the row's length
					y *= math.Ldexp(1, -r.IntN(2)*40)
				}
				idx, val = append(idx, int32(f)), append(val, y)
			}
		}
		idx, val = exactly(idx), exactly(val)
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
			var room SparseScratch
			b := NewByFeature(k, d, c, norm, old)
			b.Transpose(0, d/2)
			b.Transpose(d/2, d)
			var q IntRow
			if RoundsSparse() {
				q = RoundSparse(val, v2, make([]int16, len(val)))
			}
			got := b.Nearest(idx, val, v2, q, &room)
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

// No score in integers is off by more than the bound, and some come near it:
// a bound that is too small would not show otherwise.
func TestSparseScoresInWholeNumbers(t *testing.T) {
	if Highest() < VNNI {
		t.Skip("no scores in integers on this machine")
	}
	r := rand.New(rand.NewPCG(33, 34))
	most := 0.0
	for round := range 20000 {
		m := 1 + r.IntN(3)
		if round%10 == 0 {
			m = 1 + r.IntN(200)
		}
		scale := math.Ldexp(1, r.IntN(60)-30)
		idx, val, c := make([]int32, m), make([]float64, m), make([]float64, 32*m)
		for p := range idx {
			idx[p], val[p] = int32(p), scale*r.NormFloat64()
		}
		for i := range c {
			c[i] = r.NormFloat64() * math.Ldexp(1, i/m-16)
		}
		v2 := norms(1, m, val)[0]
		b := NewByFeature(32, m, c, norms(32, m, c), nil)
		b.Transpose(0, m)
		q := RoundSparse(val, v2, make([]int16, m))
		by, past := b.wrong(m, v2, q)
		var room SparseScratch
		b.sketchedInt(idx, v2, q, &room)
		for h, low := range room.near {
			want := b.norm[h] / 2
			for p, y := range val {
				want -= y * c[h*m+p]
			}
			e := float64(by)*math.Sqrt(b.norm[h]) + float64(past)
			off := math.Abs(float64(low)+e-want) / e
			if most = max(most, off); off > 1 {
				t.Fatalf("round %d, m %d: score off by %g times what it may", round, m, off)
			}
		}
	}
	t.Logf("the worst score is off by %.3f of what it may", most)
	if most < 0.5 {
		t.Error("the bound is far too wide")
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
				m.Transpose(0, d)
				var room SparseScratch
				rows := make([]IntRow, 1000)
				for i := range rows {
					if RoundsSparse() {
						v := val[i*values : (i+1)*values]
						rows[i] = RoundSparse(v, norms(1, values, v)[0], make([]int16, values))
					}
				}
				for i := 0; b.Loop(); i++ {
					at := i % 1000 * values
					m.Nearest(idx[at:at+values], val[at:at+values], values/3, rows[i%1000], &room)
				}
			})
		}
	}
}
