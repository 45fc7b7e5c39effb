package metric

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

func divergence(t testing.TB, name string) Divergence {
	t.Helper()
	v, err := ParseDivergence(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDivergencesByHand(t *testing.T) {
	ln2 := math.Ln2
	for _, c := range []struct {
		name    string
		x, mu   []float64
		a       []float64
		between float64
	}{
		{IDivergence, []float64{2, 0}, []float64{1, 3}, nil, 2*ln2 - 1 + 3},
		{IDivergence, []float64{2, 0}, []float64{1, 3}, []float64{10, 0.5}, 10*(2*ln2-1) + 1.5},
		{KL, []float64{2, 2}, []float64{0.25, 0.75}, nil, 0.5*math.Log(2) + 0.5*math.Log(2./3)},
		{ItakuraSaito, []float64{2, 1}, []float64{1, 2}, nil, (2 - ln2 - 1) + (0.5 + ln2 - 1)},
		{Cosine, []float64{3, 4}, []float64{1, 0}, nil, 1 - 0.6},
		{Cosine, []float64{1, 1}, []float64{1, 0}, []float64{3, 1}, 1 - math.Sqrt(3)/2},
		{Cosine, []float64{0, 0}, []float64{1, 0}, nil, 1},
	} {
		v := divergence(t, c.name)
		rest := v.CentreTerm(c.mu, c.a)
		buf := make([]float64, 2)
		close(t, c.name, v.FromCentre(v.Prepare(dense(c.x...), buf), c.mu, c.a, rest), c.between, 1e-12)
		if c.name != ItakuraSaito {
			close(t, c.name+" sparse", v.FromCentre(v.Prepare(sparseOf(c.x), buf), c.mu, c.a, rest), c.between, 1e-12)
		}
	}
}

func length2(g data.Vec) float64 { return data.Norm2(g.Val) }

func TestGapsOfDivergencesByHand(t *testing.T) {
	// I: middle (2, 2): 1·log(1/2)+1 + 3·log(3/2)−1, and 4·log(4/2)−4+2 + 2.
	x, y := []float64{1, 4}, []float64{3, 0}
	close(t, "I", length2(divergence(t, IDivergence).Gap(dense(x...), dense(y...))), math.Log(0.5)+3*math.Log(1.5)+4*math.Ln2, 1e-12)
	close(t, "I, sparse", length2(divergence(t, IDivergence).Gap(sparseOf(x), sparseOf(y))), math.Log(0.5)+3*math.Log(1.5)+4*math.Ln2, 1e-12)
	// Itakura-Saito of 1 and 3 about 2: (½ + ln 2 − 1) + (3/2 − ln 3/2 − 1).
	close(t, "IS", length2(divergence(t, ItakuraSaito).Gap(dense(1), dense(3))), math.Ln2-math.Log(1.5), 1e-12)
	z := divergence(t, Cosine)
	close(t, "cosine", length2(z.Gap(dense(2, 0), dense(3, 3))), 1-math.Sqrt2/2, 1e-12)
	close(t, "cosine, opposite", length2(z.Gap(dense(2, 0), sparseOf([]float64{-1, 0}))), 2, 1e-12)
	close(t, "cosine, nothing and something", length2(z.Gap(dense(0, 0), dense(3, 3))), 1, 1e-12)
	close(t, "cosine, nothing twice", length2(z.Gap(dense(0, 0), sparseOf([]float64{0, 0}))), 0, 1e-12)
}

func TestDomainsAreKept(t *testing.T) {
	for _, c := range []struct {
		name     string
		x        data.Rows
		row, col int // row -1: allowed
	}{
		{IDivergence, &data.Dense{Cols: 2, V: []float64{1, 0, 0, 0}}, -1, 0},
		{IDivergence, &data.Dense{Cols: 2, V: []float64{1, 0, 3, -1}}, 1, 1},
		{KL, &data.Dense{Cols: 2, V: []float64{1, 0, 0, 0}}, 1, -1},
		{KL, &data.Sparse{Cols: 3, Start: []int{0, 1, 2}, Idx: []int32{2, 1}, Val: []float64{1, -2}}, 1, 1},
		{ItakuraSaito, &data.Dense{Cols: 2, V: []float64{1, 2, 3, 0}}, 1, 1},
		{ItakuraSaito, &data.Sparse{Cols: 2, Start: []int{0, 2, 3}, Idx: []int32{0, 1, 1}, Val: []float64{1, 1, 1}}, 1, 0},
		{ItakuraSaito, &data.Sparse{Cols: 2, Start: []int{0, 1}, Idx: []int32{0}, Val: []float64{1}}, 0, 1},
		{ItakuraSaito, &data.Sparse{Cols: 2, Start: []int{0, 2}, Idx: []int32{0, 1}, Val: []float64{1, 5}}, -1, 0},
		{Cosine, &data.Dense{Cols: 2, V: []float64{-1, 0, 0, 0}}, -1, 0},
	} {
		err := divergence(t, c.name).Check(c.x)
		var out *DomainError
		switch {
		case c.row < 0 && err != nil:
			t.Errorf("%s refuses %v: %v", c.name, c.x, err)
		case c.row >= 0 && (!errors.As(err, &out) || out.Row != c.row || out.Col != c.col):
			t.Errorf("%s on %v says %v, wanted row %d, column %d", c.name, c.x, err, c.row, c.col)
		}
	}
	if _, err := ParseDivergence("hinge", 0); err == nil {
		t.Error("a divergence that does not exist is found")
	}
	if _, err := ParseDivergence(KL, -1); err == nil {
		t.Error("a negative floor is taken")
	}
}

// positive draws d numbers above 0, over many orders of magnitude.
func positive(t *rapid.T, d int, what string) []float64 {
	x := make([]float64, d)
	for f := range x {
		x[f] = math.Exp(rapid.Float64Range(-12, 12).Draw(t, what))
	}
	return x
}

func TestTheCentreIsTheBestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.IntRange(1, 4).Draw(t, "d"), rapid.IntRange(1, 6).Draw(t, "n")
		v, err := ParseDivergence(rapid.SampledFrom(Divergences()).Draw(t, "name"), 0)
		if err != nil {
			t.Fatal(err)
		}
		var rows []data.Vec
		sum := make([]float64, d)
		for range n {
			x := v.Prepare(data.Vec{Val: positive(t, d, "x")}, make([]float64, d))
			rows = append(rows, x)
			data.Add(sum, x, 1)
		}
		v.Centre(sum, float64(n))
		cost := func(c []float64) (s float64) {
			for _, x := range rows {
				y := v.FromCentre(x, c, nil, v.CentreTerm(c, nil))
				if !(y >= 0) || math.IsInf(y, 0) {
					t.Fatalf("%s of %v from %v is %v", v.Name(), x, c, y)
				}
				s += y
			}
			return s
		}
		least := cost(sum)
		for range 10 {
			c := slices.Clone(sum)
			for f := range c {
				c[f] *= math.Exp(rapid.Float64Range(-1, 1).Draw(t, "move"))
			}
			if y := cost(c); y < least-1e-9*(1+least) {
				t.Fatalf("%s: %v costs %v, the centre %v %v", v.Name(), c, y, sum, least)
			}
		}
	})
}

func TestAFeatureThatTheCentreLacksIsNotInfinitelyFar(t *testing.T) {
	for _, name := range []string{KL, IDivergence} {
		v := divergence(t, name)
		sum := []float64{1, 0}
		v.Centre(sum, 1)
		if sum[1] != DefaultFloor {
			t.Errorf("%s: the centre holds %v, wanted the floor", name, sum[1])
		}
		if y := v.FromCentre(dense(0, 1), sum, nil, v.CentreTerm(sum, nil)); math.IsInf(y, 0) || y < 10 {
			t.Errorf("%s: the divergence is %v, wanted something large", name, y)
		}
	}
}

// The weights a_f = N/ΣD_f are the minimum of Σ a_f D_f − N Σ log a_f.
func TestWeightsOfDivergencesAreTheDiagonalEstimate(t *testing.T) {
	for _, name := range []string{KL, IDivergence, ItakuraSaito} {
		v := divergence(t, name)
		x := &data.Dense{Cols: 3, V: []float64{1, 2, 3, 2, 2, 9, 4, 1, 1, 8, 5, 2}}
		x = PrepareRows(v, x).(*data.Dense)
		labels, centres := []int32{0, 0, 1, 1}, make([]float64, 6)
		for i, h := range labels {
			data.Add(centres[h*3:h*3+3], x.Row(i, nil), 1)
		}
		v.Centre(centres[:3], 2)
		v.Centre(centres[3:], 2)
		want := []float64{4, 4, 4}
		for f := range want {
			sum := 0.0
			for i, h := range labels {
				c := centres[int(h)*3+f]
				sum += v.FromCentre(dense(x.V[i*3+f]), []float64{c}, nil, 0)
			}
			want[f] /= sum
		}
		rows := []data.Rows{x}
		if name != ItakuraSaito {
			rows = append(rows, sparseRows(x))
		}
		for _, r := range rows {
			s := NewScatter(Form{Shape: Diagonal}, 2, 3)
			if err := s.AddDivergences(context.Background(), 2, v, r, labels, nil, centres); err != nil {
				t.Fatal(err)
			}
			m, _, err := Estimate(context.Background(), s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for f, w := range m.Weights(0) {
				close(t, name+" weight", w, want[f], 1e-12)
			}
		}
	}
	s := NewScatter(Form{Shape: Diagonal}, 1, 1)
	if err := s.AddDivergences(context.Background(), 1, divergence(t, Cosine), &data.Dense{Cols: 1}, nil, nil, nil); err == nil {
		t.Error("weights are learned for the cosine")
	}
}

// Sparse rows that hold all values or few scatter as dense ones.
func TestSparseDivergencesScatterAsDense(t *testing.T) {
	x, labels, w, centres := randomRows(40, 5, 3, 11)
	for i := range x.V {
		x.V[i] = math.Abs(x.V[i])
	}
	for i := range centres {
		centres[i] = math.Abs(centres[i])
	}
	f := Form{Shape: Diagonal, PerCluster: true}
	v := divergence(t, IDivergence)
	one, two := NewScatter(f, 3, 5), NewScatter(f, 3, 5)
	if err := errors.Join(one.AddDivergences(context.Background(), 1, v, x, labels, w, centres),
		two.AddDivergences(context.Background(), 1, v, sparseRows(x), labels, w, centres)); err != nil {
		t.Fatal(err)
	}
	for p := range one.S {
		close(t, "scatter", two.S[p], one.S[p], 1e-12)
	}
	for i := range x.Len() {
		c := centres[:5]
		r := v.CentreTerm(c, nil)
		close(t, "between", v.FromCentre(sparseOf(x.Row(i, nil).Val), c, nil, r), v.FromCentre(x.Row(i, nil), c, nil, r), 1e-12)
	}
}

// The gradient of prices by a divergence is that of its gaps.
func TestDivergencePenaltiesAndGradientsAgree(t *testing.T) {
	r := rng(12)
	f := Form{Shape: Diagonal}
	v := divergence(t, IDivergence)
	m := randomMetric(t, f, 1, 3, r)
	draw := func() data.Vec {
		x := randomPoint(3, r)
		for i := range x {
			x[i] = math.Abs(x[i])
		}
		return dense(x...)
	}
	x, y := draw(), draw()
	x.Val[0] += 50
	rows := &data.Dense{Cols: 3, V: slices.Concat(x.Val, y.Val, draw().Val, draw().Val)}
	e, err := FindExtremes(context.Background(), 1, v, rows)
	if err != nil {
		t.Fatal(err)
	}
	gaps, err := e.Gaps(context.Background(), 1, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPenalties(m, HMRF, gaps)
	if err != nil {
		t.Fatal(err)
	}
	p.Divergence = v
	s := NewScatter(f, 1, 3)
	g := p.NewGradient(s)
	g.AddMust(0, 0, x, y, 2)
	g.AddCannot(0, y, rows.Row(2, nil), 3)
	g.Finish()
	price := 2*p.MustPairCost(0, 0, x, y) + 3*p.CannotPairCost(0, y, rows.Row(2, nil))
	close(t, "tr(AS)", m.Trace(0, s.Block(0)), price, 1e-12) // every price is linear in A
}
