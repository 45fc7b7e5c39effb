package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// Bounds are carried from metric to metric, of rows of every kind: the nearest
// centres are always those by price, nothing else costs less than the bound, and
// what centres that move make of the total is what prices say.
func TestGroundUnderAChangingMetric(t *testing.T) {
	const n, d, k = 3000, 6, 12
	for _, shape := range []string{"diagonal", "full"} {
		r := rand.New(rand.NewPCG(5, 6))
		wide := mixed(r, n, d, k, false)
		for _, x := range []data.Rows{wide, denseOf(wide, true), sparseOf(wide)} {
			form, err := metric.FormName(shape).Form()
			if err != nil {
				t.Fatal(err)
			}
			p := &cluster.Problem{X: x, K: k}
			s := newSharedDistortion(lloyd.Space{Problem: p}, &cluster.Env{Workers: 2})
			c := lloyd.NewCentres(k, d, append([]float64(nil), wide.V[:k*d]...))
			bounded := 0
			for iter := range 12 {
				m := newModel(c, Euclidean, stretched(t, r, form, d, iter), true)
				if err := s.setModel(context.Background(), m); err != nil {
					t.Fatal(err)
				}
				near, err := s.nearestClusters(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if s.search.HasBounds() {
					bounded++
				}
				checkGround(t, s, m, near)
				checkGain(t, s, p, near, r)
				c = wander(r, c, iter, 0.01)
			}
			if _, sparse := x.(*data.Sparse); !sparse && bounded < 3 {
				t.Errorf("%s, %T: bounds in %d passes only", shape, x, bounded)
			}
		}
	}
}

// stretched returns a metric: the identity at first, a round one next, then others
// that differ ever less.
func stretched(t *testing.T, r *rand.Rand, f metric.Form, d, iter int) *metric.Learned {
	t.Helper()
	if iter == 0 {
		return metric.Identity(f, 1, d)
	}
	var a []float64
	for p := range d {
		for q := range d {
			switch {
			case p != q && f.Shape == metric.Full:
				a = append(a, 0)
			case p == q && iter == 1:
				a = append(a, 2.5)
			case p == q:
				a = append(a, 1+float64(p)+r.Float64()/float64(iter*iter*iter))
			}
		}
	}
	if f.Shape == metric.Full && iter > 1 {
		a[1], a[d] = 0.3, 0.3
	}
	m, err := metric.New(f, d, a)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func checkGround(t *testing.T, s *sharedDistortion, m *Model, near []int32) {
	t.Helper()
	g := s.pointCost()
	for i, h := range near {
		least, others := g(i, int(h)), math.Inf(1)
		for q := range m.K {
			if q != int(h) {
				others = min(others, g(i, q))
			}
		}
		if others < least {
			t.Fatalf("row %d costs %v in %d and %v elsewhere", i, least, h, others)
		}
		if b := s.boundElsewhere(i); b > others*(1+1e-12) {
			t.Fatalf("row %d costs at least %v elsewhere, but %v", i, b, others)
		}
		if want := m.PointCost(s.p.X.Row(i, make([]float64, m.D)), int(h)); math.Abs(want-least) > 1e-9*(1+want) {
			t.Fatalf("row %d costs %v, want %v", i, least, want)
		}
	}
}

func checkGain(t *testing.T, s *sharedDistortion, p *cluster.Problem, near []int32, r *rand.Rand) {
	t.Helper()
	sum := lloyd.NewKeptSums(p.K, s.model.D)
	if _, err := sum.Update(context.Background(), s.e, p, nil, near, nil); err != nil {
		t.Fatal(err)
	}
	h := int(near[r.IntN(len(near))])
	to := append([]float64(nil), s.model.At(h)...)
	to[0]++
	moved := newModel(lloyd.NewCentres(1, s.model.D, to), Euclidean, s.model.Metric, true)
	want, of, buf := 0.0, 0.0, make([]float64, s.model.D)
	for i, q := range near {
		if int(q) == h {
			v := p.X.Row(i, buf)
			want += moved.PointCost(v, 0) - s.model.PointCost(v, h)
			of += s.model.PointCost(v, h)
		}
	}
	if got := s.changeByCentre(sum, h, to); math.Abs(got-want) > 1e-9*(of+math.Abs(want)) {
		t.Fatalf("centre %d gains %v by going, want %v", h, got, want)
	}
	labels, before := append([]int32(nil), near...), sum.Clone()
	moves, g, price := []lloyd.Move{}, s.pointCost(), 0.0
	for i := 0; i < len(labels); i += 1 + r.IntN(5) {
		labels[i] = int32(r.IntN(p.K))
		moves = append(moves, lloyd.Move{Row: int32(i), From: near[i]})
		price += g(i, int(labels[i])) - g(i, int(near[i]))
	}
	if _, err := sum.Update(context.Background(), s.e, p, nil, labels, moves); err != nil {
		t.Fatal(err)
	}
	got := s.changeByMoves(before, sum)
	if full := s.model.needsTransform() && s.model.Metric.Form().Shape == metric.Full; full != math.IsNaN(got.Delta) {
		t.Fatalf("moves cost %v under a full metric: %v", got.Delta, full)
	}
	if off := math.Abs(got.Delta - price); off > 1e-12*price+4*got.Error {
		t.Fatalf("moves cost %v with a doubt of %v, want %v", got.Delta, got.Error, price)
	}
}

// sparseOf returns dense rows as sparse ones.
func sparseOf(x *data.Dense) *data.Sparse {
	s := &data.Sparse{Cols: x.Cols, Start: []int{0}, Val: x.V}
	for i := range x.V {
		s.Idx = append(s.Idx, int32(i%x.Cols))
		if i%x.Cols == x.Cols-1 {
			s.Start = append(s.Start, i+1)
		}
	}
	return s
}

// mixed makes n rows around k places that overlap. On a grid many rows are as
// near to one centre as to another.
func mixed(r *rand.Rand, n, d, k int, grid bool) *data.Dense {
	at := make([]float64, k*d)
	for i := range at {
		at[i] = r.NormFloat64()
	}
	x := &data.Dense{Cols: d}
	for range n {
		h := r.IntN(k)
		for f := range d {
			y := 10 + at[h*d+f] + r.NormFloat64()
			if grid {
				y = math.Round(2*y) / 2
			}
			x.V = append(x.V, y)
		}
	}
	return x
}

// wander moves some centres far and the others little or not at all, as centres
// do when k-means goes on.
func wander(r *rand.Rand, c *lloyd.Centres, far int, little float64) *lloyd.Centres {
	next := append([]float64(nil), c.C...)
	for h := range c.K {
		by := little
		if h%7 == far%7 {
			by = 0.5
		}
		for f := h * c.D; f < (h+1)*c.D; f++ {
			next[f] += by * r.NormFloat64()
		}
	}
	return lloyd.NewCentres(c.K, c.D, next)
}

// denseOf returns the rows of x as dense ones, in float32 if single.
func denseOf(x data.Rows, single bool) data.Rows {
	wide := &data.Dense{Cols: x.Dim()}
	for i := range x.Len() {
		wide.V = append(wide.V, data.Copy(x, i)...)
	}
	if !single {
		return wide
	}
	narrow := &data.Dense32{Cols: x.Dim()}
	for _, y := range wide.V {
		narrow.V = append(narrow.V, float32(y))
	}
	return narrow
}
