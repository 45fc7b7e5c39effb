package simd

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestHard takes numbers that float32 cannot tell apart, or cannot hold.
func TestHard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n, d, k := 61, 11, 37
	for _, c := range []struct {
		name           string
		offset, spread float64
		between        float64 // share of rows put halfway between two centres
	}{
		{"plain", 0, 1, 0},
		{"ties", 0, 1, 1},
		{"far", 1e9, 1e-3, 0},
		{"far ties", 1e12, 1, 1},
		{"farther than float64 sees", 1e17, 1, 0.5},
		{"tiny", 0, 1e-30, 0.5},
		{"subnormal in float32", 0, 1e-42, 0.5},
		{"subnormal squares", 0, 1e-160, 0.5},
		{"subnormal", 0, 5e-320, 0.5},
		{"huge", 0, 1e30, 0.5},
		{"beyond float32", 0, 1e60, 0.5},
		{"squares overflow", 0, 1e200, 0.5},
		{"all overflow", 0, 1e307, 0.5},
		{"far in float32 only", 3e38, 1e36, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, m := normal(r, n*d), normal(r, k*d)
			for i := range m {
				m[i] = c.offset + c.spread*m[i]
			}
			for i := range n {
				g, h, halfway := r.IntN(k), r.IntN(k), r.Float64() < c.between
				for f := range d {
					x[i*d+f] = c.offset + c.spread*x[i*d+f]
					if halfway {
						x[i*d+f] = m[g*d+f]/2 + m[h*d+f]/2
					}
				}
			}
			eachLevel(t, func(t *testing.T) { same(t, x, m, d, new(Block)) })
		})
	}
}

// TestOutliers puts some rows where float32 overflows among ordinary ones.
func TestOutliers(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		n, d, k := 100, 9, 40
		for _, far := range []float64{1e10, 1e18, 1e20, 1e39, 1e100, 1e160, 1e308} {
			x := normal(r, n*d)
			for i := 0; i < n; i += 7 {
				x[i*d+i%d] = far
				x[i*d+(i+1)%d] = -far
			}
			same(t, x, normal(r, k*d), d, new(Block))
		}
	})
}

// TestTwins repeats centres: the lowest of equals wins, and few rows need Dist2.
func TestTwins(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		n, d, k := 200, 6, 50
		c := normal(r, k*d)
		copy(c[20*d:40*d], c[:20*d])
		c[3], c[20*d+3] = 0, math.Copysign(0, -1) // equal, though not in bits
		b := new(Block)
		same(t, normal(r, n*d), c, d, b)
		if Force(level) != Plain && b.Exact > n/10 {
			t.Errorf("%d of %d rows decided by Dist2", b.Exact, n)
		}
		for i := range c {
			c[i] = c[i%d]
		}
		same(t, normal(r, n*d), c, d, b)
	})
}

// TestGrid takes integers, where ties are many and exact.
func TestGrid(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			d, k, n := rapid.IntRange(1, 20).Draw(t, "d"), rapid.IntRange(1, 70).Draw(t, "k"), rapid.IntRange(1, 60).Draw(t, "n")
			step := math.Ldexp(1, rapid.IntRange(-140, 110).Draw(t, "scale"))
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			size := rapid.IntRange(1, 1000).Draw(t, "size")
			make := func(n int) []float64 {
				x := make([]float64, n)
				for i := range x {
					x[i] = step * float64(r.IntN(2*size+1)-size)
				}
				return x
			}
			same(t, make(n*d), make(k*d), d, new(Block))
		})
	})
}

// TestAny draws every number on its own, over the whole range.
func TestAny(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			d, k, n := rapid.IntRange(1, 6).Draw(t, "d"), rapid.IntRange(1, 9).Draw(t, "k"), rapid.IntRange(1, 9).Draw(t, "n")
			y := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
			if rapid.Bool().Draw(t, "single") {
				y = rapid.Map(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32), func(v float32) float64 { return float64(v) })
			}
			same(t, rapid.SliceOfN(y, n*d, n*d).Draw(t, "x"), rapid.SliceOfN(y, k*d, k*d).Draw(t, "c"), d, new(Block))
		})
	})
}

// TestNearTies moves a row off the middle of two centres by every power of two:
// the answers stay right on both sides of what each precision sees.
func TestNearTies(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, d := range []int{2, 16, 50} {
			k := 35
			c := normal(r, k*d)
			var x []float64
			for p := range 60 {
				g, h := r.IntN(k), r.IntN(k)
				by := math.Ldexp(1, -p)
				for f := range d {
					a, b := c[g*d+f], c[h*d+f]
					x = append(x, (a+b)/2+by*(b-a))
				}
			}
			b := new(Block)
			same(t, x, c, d, b)
		}
	})
}

// TestLongAmongShort has one row far longer than the others in every few, from
// which all take their unit in integers, rows that are zero, and rows at
// the border of what a unit allows.
func TestLongAmongShort(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(25, 26))
		for _, d := range []int{1, 2, 5, 32, 33, 130} {
			n, k := 300, 20
			for _, far := range []float64{3, 30, 63.9, 64, 64.1, 100, 1e4, 1e15, 1e19, 1e30} {
				x, c := normal(r, n*d), normal(r, k*d)
				top := 0.0
				for h := range k {
					top = max(top, Dist2(c[h*d:(h+1)*d], make([]float64, d)))
				}
				for i := 0; i < n; i += 50 {
					row := x[i*d : (i+1)*d]
					by := far * math.Sqrt(top/Dist2(row, make([]float64, d)))
					for f := range row {
						row[f] *= by
					}
					clear(x[(i+1)*d : (i+2)*d])
				}
				same(t, x, c, d, new(Block))
			}
		}
	})
}

// TestOneFeature puts all of a row's or a centre's length into one number, the
// largest that is ever rounded to int16, of either sign.
func TestOneFeature(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(27, 28))
		for _, d := range []int{1, 2, 7, 16, 31} {
			n, k := 60, 2*d+1
			x, c := make([]float64, n*d), make([]float64, k*d)
			for h := range 2 * d {
				c[h*d+h/2] = float64(1 - h%2*2)
			}
			for i := range n {
				x[i*d+r.IntN(d)] = math.Copysign(math.Ldexp(1, r.IntN(8)), r.Float64()-0.5)
			}
			same(t, x, c, d, new(Block))
		}
	})
}

// TestGivesUp checks that integers are left alone where they prove little.
func TestGivesUp(t *testing.T) {
	if Highest() < VNNI {
		t.Skip("no scores in integers on this machine")
	}
	r := rand.New(rand.NewPCG(29, 30))
	n, d, k := 2000, 8, 40
	c, x := normal(r, k*d), normal(r, n*d)
	for i := range c {
		c[i] *= 1e-3
	}
	for h := range k {
		c[h*d] += float64(h%2) * 1e2
	}
	for i := range n {
		x[i*d] += float64(i%2) * 1e2
	}
	b := new(Block)
	same(t, x, c, d, b)
	p := Pack(k, d, c)
	if p.Nearest64(x, b); b.Singled == 0 || b.Singled > n/4 {
		t.Errorf("integers left %d of %d rows open, want some and then no further try", b.Singled, n)
	}
	p = Pack(k, d, normal(r, k*d))
	if p.Nearest64(normal(r, n*d), b); b.Singled > n/100 {
		t.Errorf("integers left %d of %d ordinary rows open", b.Singled, n)
	}
}
