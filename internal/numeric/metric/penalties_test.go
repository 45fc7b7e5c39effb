package metric

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

func TestPenaltiesByHand(t *testing.T) {
	// d² = 2·1² + 3·2² = 14, φ = 2·4² + 3·0² = 32.
	m, err := New(Form{Shape: Diagonal}, 2, []float64{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	x, y := dense(1, 2), dense(0, 0)
	for _, c := range []struct {
		penalty      Penalty
		gap          data.Vec
		least        float64
		must, cannot float64
	}{
		{HMRF, dense(4, 0), 0, 14, 18},
		{HMRF, dense(1, 0), 0, 14, 0}, // φ = 2 is below d²
		{MPC2003, dense(4, 0), 0, 18, 14},
		{MPC2003, dense(4, 0), 5, 18, 19},
		{MPC2003, dense(1, 0), 0, 0, 2}, // clamped at α_min and at α_max
		{MPC2003, dense(1, 0), 1, 1, 2},
		{Constant, data.Vec{}, 0, 1, 1},
	} {
		gaps := []data.Vec{c.gap}
		if c.penalty == Constant {
			gaps = nil
		}
		p, err := NewPenalties(m, c.penalty, gaps)
		if err != nil {
			t.Fatal(err)
		}
		p.AlphaMin = c.least
		if got := p.MustPairCost(0, 1, x, y); got != c.must {
			t.Errorf("%s: a must-link costs %v, wanted %v", c.penalty, got, c.must)
		}
		if got := p.CannotPairCost(1, x, y); got != c.cannot {
			t.Errorf("%s: a cannot-link costs %v, wanted %v", c.penalty, got, c.cannot)
		}
	}
	each, err := New(Form{Shape: Diagonal, PerCluster: true}, 2, []float64{2, 3, 4, 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPenalties(each, HMRF, []data.Vec{dense(4, 0), dense(4, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.MustPairCost(0, 1, x, y); got != 14./2+8./2 {
		t.Errorf("a must-link across two metrics costs %v, wanted half of 14 and half of 8", got)
	}
	if got := p.CannotPairCost(1, x, y); got != 64-8 {
		t.Errorf("a cannot-link in cluster 1 costs %v, wanted 4·16 − 8", got)
	}
}

func TestPenaltiesRefuse(t *testing.T) {
	m := Identity(Form{}, 1, 2)
	if _, err := NewPenalties(m, "soft", nil); err == nil {
		t.Error("a penalty that does not exist is taken")
	}
	if _, err := NewPenalties(m, HMRF, nil); err == nil {
		t.Error("HMRF without a gap is taken")
	}
}

// link is a violated constraint: between clusters g and h, or within h.
type link struct {
	must bool
	g, h int
	x, y data.Vec
	w    float64
}

func total(p *Penalties, links []link) (s float64) {
	for _, l := range links {
		if l.must {
			s += l.w * p.MustPairCost(l.g, l.h, l.x, l.y)
		} else {
			s += l.w * p.CannotPairCost(l.h, l.x, l.y)
		}
	}
	return s
}

// The scatter that violated constraints add is the derivative of their price by
// A, by finite differences, away from the clamps; half of them are added by
// another gradient.
func TestGradientsAreThoseOfThePenalties(t *testing.T) {
	r := rng(8)
	for _, name := range []string{"diagonal", "full", "per-cluster-diagonal", "per-cluster-full"} {
		for _, penalty := range []Penalty{HMRF, MPC2003, Constant} {
			f, _ := FormName(name).Form()
			d, k := 3, 2
			m := randomMetric(t, f, k, d, r)
			var gaps []data.Vec
			for range m.Metrics() {
				gaps = append(gaps, dense(randomPoint(d, r)...))
			}
			p, err := NewPenalties(m, penalty, gaps)
			if err != nil {
				t.Fatal(err)
			}
			var links []link
			for i := range 30 {
				links = append(links, link{i%2 == 0, 0, 1, dense(randomPoint(d, r)...), sparseOf(randomPoint(d, r)), 1 + r.Float64()})
			}
			s := NewScatter(f, k, d)
			g, part := p.NewGradient(s), p.NewGradient(NewScatter(f, k, d))
			for q, l := range links {
				to := g
				if q >= len(links)/2 {
					to = part
				}
				if l.must {
					to.AddMust(l.g, l.h, l.x, l.y, l.w)
				} else {
					to.AddCannot(l.h, l.x, l.y, l.w)
				}
			}
			g.Merge(part)
			g.Finish()
			for h := range m.k {
				for i := range d {
					for j := i; j < d && (f.Shape == Full || j == i); j++ {
						slope := func(e float64) float64 {
							a := slices.Clone(m.a)
							b := a[h*f.block(d):]
							if f.Shape == Diagonal {
								b[i] += e
							} else if b[i*d+j] += e; i != j {
								b[j*d+i] += e
							}
							moved, err := New(f, d, a)
							if err != nil {
								t.Fatal(err)
							}
							return total(p.Under(moved), links)
						}
						e := 1e-6 * m.Weights(h)[i]
						want := (slope(e) - slope(-e)) / (2 * e)
						at := s.Block(h)[s.slot(i)]
						if i != j {
							at = 2 * s.Block(h)[i*d+j]
						}
						close(t, name+" "+string(penalty), at, want, 1e-5)
					}
				}
			}
		}
	}
}

func TestTheLiteralGradientForgetsTheLargestPenalty(t *testing.T) {
	m, _ := New(Form{Shape: Diagonal}, 1, []float64{1})
	p, _ := NewPenalties(m, MPC2003, []data.Vec{dense(5)})
	p.Literal = true
	s := NewScatter(m.Form(), 1, 1)
	g := p.NewGradient(s)
	g.AddMust(0, 0, dense(1), dense(0), 3) // −3·1
	g.AddCannot(0, dense(2), dense(0), 1)  // +4
	g.AddCannot(0, dense(9), dense(0), 1)  // at α_max: nothing
	g.AddMust(0, 0, dense(9), dense(0), 1) // at α_min: nothing
	g.Finish()
	if s.S[0] != 1 {
		t.Errorf("the scatter is %v, wanted 4 − 3", s.S[0])
	}
}

func TestPenaltiesAreNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d2, most := rapid.Float64Range(0, 1e9).Draw(t, "d2"), rapid.Float64Range(0, 1e4).Draw(t, "f")
		p, err := NewPenalties(Identity(Form{}, 1, 1), rapid.SampledFrom([]Penalty{HMRF, MPC2003, Constant}).Draw(t, "penalty"), []data.Vec{dense(most)})
		if err != nil {
			t.Fatal(err)
		}
		if p.MustCost(0, d2) < 0 || p.CannotCost(0, d2) < 0 {
			t.Fatalf("prices %v and %v", p.MustCost(0, d2), p.CannotCost(0, d2))
		}
	})
}

func farthestOfAll(m *Learned, h int, x data.Rows) (most float64) {
	for i := range x.Len() {
		for j := range i {
			most = max(most, m.PairDist2(h, data.Vec{Val: data.Copy(x, i)}, x.Row(j, make([]float64, x.Dim()))))
		}
	}
	return most
}

func TestGapsAreNearlyTheLongest(t *testing.T) {
	r := rng(10)
	for _, name := range FormName("").Values() {
		f, _ := FormName(name).Form()
		worst := 1.0
		for seed := range uint64(8) {
			x, _, _, _ := randomRows(120, 4, 1, seed)
			m := randomMetric(t, f, 2, 4, r)
			single := &data.Dense32{Cols: 4}
			for i, y := range x.V {
				x.V[i] = float64(float32(y))
				single.V = append(single.V, float32(y))
			}
			for _, rows := range []data.Rows{x, single, sparseRows(x)} {
				e, err := FindExtremes(context.Background(), 2, nil, rows)
				if err != nil {
					t.Fatal(err)
				}
				longest, err := e.Gaps(context.Background(), 2, m, nil)
				if err != nil || !e.Exact {
					t.Fatalf("exact %v: %v", e.Exact, err)
				}
				e.Exact = false // as if there were many rows
				gaps, err := e.Gaps(context.Background(), 2, m, []int{3, 5})
				if err != nil {
					t.Fatal(err)
				}
				for h, g := range gaps {
					found, most := m.PairDist2(h, g, data.Vec{Idx: []int32{}}), farthestOfAll(m, h, rows)
					if exact := m.PairDist2(h, longest[h], data.Vec{Idx: []int32{}}); math.Abs(exact-most) > 1e-9*most {
						t.Fatalf("%s: the longest gap is %v, found %v", name, most, exact)
					}
					if found > most*(1+1e-9) {
						t.Fatalf("%s: a gap of %v, the longest is %v", name, found, most)
					}
					worst = min(worst, found/most)
				}
			}
		}
		t.Logf("%s: the shortest gap is %.3f of the longest, squared", name, worst)
		if worst < 0.5 {
			t.Errorf("%s: a gap is only %v of the longest, squared", name, worst)
		}
	}
}

func TestExtremesOfSparseRowsKnowTheZeros(t *testing.T) {
	x := &data.Sparse{Cols: 2, Start: []int{0, 1, 1, 2, 4}, Idx: []int32{0, 0, 0, 1}, Val: []float64{3, 5, 4, -1}}
	r, err := findRange(context.Background(), x, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.low[0] != 0 || r.lowAt[0] != 1 || r.high[0] != 5 || r.highAt[0] != 2 {
		t.Errorf("feature 0 goes from %v (row %d) to %v (row %d)", r.low[0], r.lowAt[0], r.high[0], r.highAt[0])
	}
	if r.high[1] != 0 || r.highAt[1] != 0 || r.low[1] != -1 || r.lowAt[1] != 3 {
		t.Errorf("feature 1 goes from %v (row %d) to %v (row %d)", r.low[1], r.lowAt[1], r.high[1], r.highAt[1])
	}
}

func TestFarthestPairOfAList(t *testing.T) {
	m, _ := New(Form{Shape: Diagonal, PerCluster: true}, 2, []float64{1, 1, 1, 100})
	pairs := [][2]data.Vec{{dense(3, 0), dense(0, 0)}, {dense(0, 1), sparseOf([]float64{0, 2})}, {dense(1, 0), dense(1, 0)}}
	next := func() (x, y data.Vec, ok bool) {
		if len(pairs) == 0 {
			return x, y, false
		}
		x, y = pairs[0][0], pairs[0][1]
		pairs = pairs[1:]
		return x, y, true
	}
	gaps := FarthestPair(nil, m, next)
	if a, b := m.PairDist2(0, gaps[0], dense(0, 0)), m.PairDist2(1, gaps[1], dense(0, 0)); a != 9 || b != 100 {
		t.Errorf("the longest gaps are %v and %v, wanted 9 and 100", a, b)
	}
	for h, g := range FarthestPair(nil, m, next) {
		if s := m.PairDist2(h, g, dense(0, 0)); s != 0 || math.Signbit(s) {
			t.Errorf("of no pairs the gap is %v", s)
		}
	}
}
