package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// eachLevel runs f at every level that the machine has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for l := Plain; l <= Highest(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			defer Force(Force(l))
			f(t)
		})
	}
}

// naive is the definition: the first smallest Dist2, and the smallest other.
func naive(x, c []float64, d int) (label []int32, best, second []float64) {
	for i := 0; i < len(x); i += d {
		h, b, s := int32(0), math.Inf(1), math.Inf(1)
		for g := 0; g < len(c); g += d {
			switch y := Dist2(x[i:i+d], c[g:g+d]); {
			case y < b:
				h, b, s = int32(g/d), y, b
			case y < s:
				s = y
			}
		}
		label, best, second = append(label, h), append(best, Dist2(x[i:i+d], c[int(h)*d:int(h+1)*d])), append(second, s)
	}
	return label, best, second
}

func narrow(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// exactly clips x to its length, so that a read past the end is a read of
// memory that is not its own.
func exactly[E any](x []E) []E { return append(make([]E, 0, len(x)), x...)[:len(x):len(x)] }

// same fails unless rows of x, and of x in float32, get the labels of naive, a
// Second that is a lower bound, and the distances of plain Go.
func same(t interface {
	Helper()
	Fatalf(string, ...any)
}, x, c []float64, d int, b *Block) {
	t.Helper()
	k := len(c) / d
	p := Pack(k, d, exactly(c))
	compare := func(kind string, x64 []float64, find func(), measure func(label []int32, dist []float64)) {
		t.Helper()
		want, dist, second := naive(x64, c, d)
		b.Bounds = false
		find()
		for i, h := range want {
			if b.Label[i] != h {
				t.Fatalf("%s: row %d of %d, d %d, k %d: label %d without bounds, want %d", kind, i, len(want), d, k, b.Label[i], h)
			}
		}
		b.Bounds = true
		find()
		for i, h := range want {
			if b.Label[i] != h {
				t.Fatalf("%s: row %d of %d, d %d, k %d: label %d, want %d", kind, i, len(want), d, k, b.Label[i], h)
			}
			if !(b.Least[i] <= dist[i] && dist[i] <= b.Most[i]) {
				t.Fatalf("%s: row %d: bounds %g and %g do not hold the distance %g", kind, i, b.Least[i], b.Most[i], dist[i])
			}
			if !(b.Second[i] <= second[i]) {
				t.Fatalf("%s: row %d: bound %g above the second distance %g", kind, i, b.Second[i], second[i])
			}
		}
		got := make([]float64, len(want))
		measure(want, got)
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(dist[i]) {
				t.Fatalf("%s: row %d: distance %x, want %x", kind, i, got[i], dist[i])
			}
		}
	}
	x = exactly(x)
	compare("float64", x, func() { p.Nearest64(x, b) }, func(label []int32, dist []float64) { p.Measure64(x, label, dist) })
	y := narrow(x)
	for _, v := range y {
		if v-v != 0 {
			return // out of the range of float32
		}
	}
	compare("float32", widen(y), func() { p.Nearest32(y, b) }, func(label []int32, dist []float64) { p.Measure32(y, label, dist) })
}

func normal(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func TestShapes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		b := new(Block) // one for all: reuse must not leak
		for _, n := range []int{1, 2, 5, 6, 7, 13, 14, 15, 29, 300} {
			for _, d := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 64, 100} {
				for _, k := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 49, 65, 100} {
					if n == 300 && (d+k)%3 != 0 || testing.Short() && (n+d+k)%7 != 0 {
						continue
					}
					same(t, normal(r, n*d), normal(r, k*d), d, b)
				}
			}
		}
	})
}

// TestLong has rows so long that features are taken in blocks, in single and,
// because the groups are far apart, in double precision.
func TestLong(t *testing.T) {
	b := new(Block) // for all levels, too
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(19, 20))
		for _, d := range []int{192, 193, 257, 384, 385, 513, 700} {
			for _, k := range []int{2, 9, 17, 33, 50} {
				n := 30
				x, c := normal(r, n*d), normal(r, k*d)
				same(t, x, c, d, b)
				for h := range k {
					c[h*d] += float64(h%2) * 1e5
				}
				for i := range n {
					x[i*d] += float64(i%2) * 1e5
				}
				same(t, x, c, d, b)
				if Force(level) != Plain && b.Exact > n/4 {
					t.Errorf("d %d, k %d: %d of %d rows decided by Dist2", d, k, b.Exact, n)
				}
			}
		}
	})
}

// TestManyOpen checks that float64 scores take over where float32 ones fail.
func TestManyOpen(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		if Force(level) == Plain {
			t.Skip("no scores at this level")
		}
		r := rand.New(rand.NewPCG(11, 12))
		n, d, k := 500, 8, 40
		c, x := normal(r, k*d), normal(r, n*d)
		for h := range k { // two groups, far apart against their width
			c[h*d] += float64(h%2) * 1e5
		}
		for i := range n {
			x[i*d] += float64(i%2) * 1e5
		}
		b := &Block{}
		same(t, x, c, d, b)
		Pack(k, d, c).Nearest64(x, b)
		if b.Doubled < n/2 || b.Exact > n/20 {
			t.Errorf("of %d rows %d decided by float64 scores, %d by Dist2", n, b.Doubled, b.Exact)
		}
	})
}

// TestOpen says how few rows of ordinary data float32 leaves open.
func TestOpen(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		if Force(level) == Plain {
			t.Skip("no scores at this level")
		}
		for _, s := range []struct{ n, d, k int }{{2000, 32, 100}, {2000, 128, 64}} {
			r := rand.New(rand.NewPCG(13, 14))
			b := &Block{}
			Pack(s.k, s.d, normal(r, s.k*s.d)).Nearest64(normal(r, s.n*s.d), b)
			if open := b.Doubled + b.Exact; open > s.n/100 {
				t.Errorf("%v: %d rows open", s, open)
			}
			if b.Singled > s.n/20 {
				t.Errorf("%v: %d rows left open by integers", s, b.Singled)
			}
		}
	})
}

func TestBadShapes(t *testing.T) {
	p := Pack(2, 3, make([]float64, 6))
	for name, f := range map[string]func(){
		"centres": func() { Pack(2, 3, make([]float64, 5)) },
		"none":    func() { Pack(0, 3, nil) },
		"rows":    func() { p.Nearest64(make([]float64, 4), new(Block)) },
		"label":   func() { p.Measure64(make([]float64, 3), []int32{2}, make([]float64, 1)) },
		"minus":   func() { p.Measure32(make([]float32, 3), []int32{-1}, make([]float64, 1)) },
		"dist":    func() { p.Measure64(make([]float64, 6), []int32{0, 1}, make([]float64, 1)) },
		"values":  func() { p.Measure64(make([]float64, 5), []int32{0, 1}, make([]float64, 2)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestForce(t *testing.T) {
	before := Force(VNNI + 1)
	if level != Highest() {
		t.Errorf("level %v above the highest", level)
	}
	Force(Plain)
	if got := Force(before); got != Plain {
		t.Errorf("Force returned %v, want plain", got)
	}
	if s := fmt.Sprint(Plain, AVX2, AVX512, VNNI, Level(9)); s != "plain avx2 avx512 vnni simd.Level(9)" {
		t.Error(s)
	}
}
