package simd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

func TestColumnsHaveTheSameBitsAtEveryLevel(t *testing.T) {
	defer simd.Force(simd.Force(simd.Plain))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 15, 16, 17, 100} {
		for _, d := range []int{1, 2, 3, 4, 5, 7, 8, 16, 31} {
			c, rows := simd.NewColumns(n, d), make([][]float64, n)
			for i := range rows {
				rows[i] = make([]float64, d)
				for f := range rows[i] {
					rows[i][f] = rng.NormFloat64() * math.Exp(5*rng.NormFloat64())
				}
				c.Set(i, rows[i])
				back := make([]float64, d)
				if c.Row(i, back); back[d-1] != rows[i][d-1] || back[0] != rows[i][0] {
					t.Fatalf("row %d comes back as %v", i, back)
				}
			}
			for level := simd.Plain; level <= simd.Highest(); level++ {
				simd.Force(level)
				checkColumns(t, c, rows, rows[rng.IntN(n)])
			}
		}
	}
}

// checkColumns compares all that c computes of x with a plain loop.
func checkColumns(t *testing.T, c *simd.Columns, rows [][]float64, x []float64) {
	t.Helper()
	p := c.Panels()
	room := func() []float64 { // one too many, to see whether it is written to
		v := make([]float64, p*simd.PanelRows+1)
		v[len(v)-1] = 42
		return v
	}
	dist, near, dot, mask := room(), room(), room(), make([]uint16, p+1)
	mask[p] = 42
	limit := 0.0
	for f, y := range x {
		limit += float64((y - rows[len(rows)/2][f]) * (y - rows[len(rows)/2][f]))
	}
	c.Dist2(x, 0, p, dist)
	c.Near(x, 0, p, limit, near, mask)
	c.Dot(x, 0, p, dot)
	for i, row := range rows {
		s, m := 0.0, 0.0
		for f, y := range x {
			s += float64((y - row[f]) * (y - row[f]))
			m += float64(y * row[f])
		}
		in := mask[i/simd.PanelRows]>>(i%simd.PanelRows)&1 == 1
		if dist[i] != s || near[i] != s || dot[i] != m || in != (s <= limit) {
			t.Fatalf("row %d of %d, d = %d: distances %v and %v, product %v, within %v: %v; want %v, %v", i, len(rows), len(x), dist[i], near[i], dot[i], limit, in, s, m)
		}
	}
	for i := len(rows); i < p*simd.PanelRows; i++ {
		if !math.IsNaN(dist[i]) || !math.IsNaN(dot[i]) || mask[p-1]>>(i%simd.PanelRows)&1 == 1 {
			t.Fatalf("padding row %d has distance %v, product %v, mask %b", i, dist[i], dot[i], mask[p-1])
		}
	}
	if dist[len(dist)-1] != 42 || near[len(near)-1] != 42 || dot[len(dot)-1] != 42 || mask[p] != 42 {
		t.Fatal("written beyond the panels")
	}
}

func TestBoxesAreBelowTheirRows(t *testing.T) {
	defer simd.Force(simd.Force(simd.Plain))
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range []int{1, 2, 5, 16} {
		low, high := simd.NewColumns(16, d), simd.NewColumns(16, d)
		inside := simd.NewColumns(16, d)
		a, b, c := make([]float64, d), make([]float64, d), make([]float64, d)
		for j := range 16 {
			for f := range d {
				a[f] = 3 * rng.NormFloat64()
				b[f] = a[f] + rng.Float64()
				c[f] = []float64{a[f], b[f], a[f] + rng.Float64()*(b[f]-a[f])}[rng.IntN(3)]
				c[f] = min(c[f], b[f])
			}
			low.Set(j, a)
			high.Set(j, b)
			inside.Set(j, c)
		}
		x, dist := make([]float64, d), make([]float64, 16)
		for range 100 {
			for f := range x {
				x[f] = 3 * rng.NormFloat64()
			}
			inside.Dist2(x, 0, 1, dist)
			var first [16]float64
			for level := simd.Plain; level <= simd.Highest(); level++ {
				simd.Force(level)
				var gap [16]float64
				mask := simd.NearBoxes(x, low, high, 0, dist[3], &gap)
				if level == simd.Plain {
					first = gap
				}
				for j, y := range gap {
					if y > dist[j] || y != first[j] || mask>>j&1 == 1 != (y <= dist[3]) {
						t.Fatalf("%v, box %d: bound %v (plain %v), a row at %v, limit %v, mask %b", level, j, y, first[j], dist[j], dist[3], mask)
					}
				}
			}
		}
	}
}

func TestColumnsRefuseWrongLengths(t *testing.T) {
	c := simd.NewColumns(20, 3)
	for name, do := range map[string]func(){
		"a short row":        func() { c.Set(0, []float64{1}) },
		"a row beyond":       func() { c.Set(20, []float64{1, 2, 3}) },
		"too little room":    func() { c.Dist2(make([]float64, 3), 0, 2, make([]float64, 31)) },
		"too few features":   func() { c.Dot(make([]float64, 2), 0, 2, make([]float64, 32)) },
		"too little masks":   func() { c.Near(make([]float64, 3), 0, 2, 1, make([]float64, 32), make([]uint16, 1)) },
		"a panel beyond":     func() { c.Dist2(make([]float64, 3), 0, 3, make([]float64, 48)) },
		"columns of nothing": func() { simd.NewColumns(1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			do()
		}()
	}
}

func BenchmarkColumns(b *testing.B) {
	for _, d := range []int{2, 16, 64} {
		c, x := simd.NewColumns(256, d), make([]float64, d)
		for i := range 256 {
			c.Set(i, x)
		}
		dst, mask := make([]float64, 256), make([]uint16, 16)
		for level := simd.Plain; level <= simd.Highest(); level++ {
			b.Run(fmt.Sprintf("Near/d=%d/%v", d, level), func(b *testing.B) {
				defer simd.Force(simd.Force(level))
				for b.Loop() {
					c.Near(x, 0, 16, -1, dst, mask)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/pair")
			})
		}
	}
}
