package metric

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

func dense(v ...float64) data.Vec { return data.Vec{Val: v} }

func close(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s is %v, wanted %v", what, got, want)
	}
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// sparseOf returns v without its zeros.
func sparseOf(v []float64) data.Vec {
	s := data.Vec{Idx: []int32{}}
	for f, y := range v {
		if y != 0 {
			s.Idx, s.Val = append(s.Idx, int32(f)), append(s.Val, y)
		}
	}
	return s
}

// randomMetric returns well-conditioned matrices of form f.
func randomMetric(t testing.TB, f Form, k, d int, r *rand.Rand) *Learned {
	t.Helper()
	s := NewScatter(f, k, d)
	for h := range s.Metrics() {
		for range 5 * d {
			g := make([]float64, d)
			for i := range g {
				g[i] = r.NormFloat64() * float64(1+i)
			}
			s.AddGap(h, data.Vec{Val: g}, 1)
		}
		s.Mass[h] = float64(5 * d)
	}
	m, _, err := Estimate(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomPoint has zeros in it, so that its sparse form differs.
func randomPoint(d int, r *rand.Rand) []float64 {
	x := make([]float64, d)
	for f := range x {
		if r.IntN(3) > 0 {
			x[f] = 3 * r.NormFloat64()
		}
	}
	return x
}

func TestFormsHaveNames(t *testing.T) {
	for _, name := range FormName("").Values() {
		f, err := FormName(name).Form()
		if err != nil || f.String() != name {
			t.Errorf("%s is read as %s, %v", name, f, err)
		}
	}
	if _, err := FormName("round").Form(); err == nil {
		t.Error("a form that does not exist is read")
	}
	if (Form{PerCluster: true}).String() != "none" {
		t.Error("identities for each cluster are not called none")
	}
}

func TestDistancesAreTheQuadraticForm(t *testing.T) {
	r := rng(1)
	for _, name := range FormName("").Values() {
		f, _ := FormName(name).Form()
		for _, d := range []int{1, 2, 5, 9} {
			m := randomMetric(t, f, 3, d, r)
			for h := range 3 {
				x, y := randomPoint(d, r), randomPoint(d, r)
				a, want := m.Matrix(h), 0.0
				for i := range d {
					for j := range d {
						want += (x[i] - y[i]) * a[i*d+j] * (x[j] - y[j])
					}
				}
				c2 := m.Norm2(h, y)
				close(t, name+" dense", m.Dist2(h, dense(x...), y, c2), want, 1e-12)
				close(t, name+" sparse", m.Dist2(h, sparseOf(x), y, c2), want, 1e-12)
				close(t, name+" pair", m.PairDist2(h, dense(x...), dense(y...)), want, 1e-12)
				close(t, name+" sparse pair", m.PairDist2(h, sparseOf(x), sparseOf(y)), want, 1e-12)
				close(t, name+" mixed pair", m.PairDist2(h, dense(x...), sparseOf(y)), want, 1e-12)
				p, q := make([]float64, d), make([]float64, d)
				m.Transform(h, dense(x...), p)
				m.Transform(h, sparseOf(y), q)
				close(t, name+" transformed", data.Dist2(data.Vec{Val: p}, q, 0), want, 1e-12)
				s := NewScatter(f, 3, d)
				s.AddPair(h, sparseOf(x), dense(y...), 1)
				close(t, name+" trace", m.Trace(h, s.Block(h)), want, 1e-12)
			}
		}
	}
}

func TestNewRefusesWhatIsNoMetric(t *testing.T) {
	diagonal, full := Form{Shape: Diagonal}, Form{Shape: Full}
	for what, c := range map[string]struct {
		f Form
		d int
		a []float64
	}{
		"a negative weight":   {diagonal, 2, []float64{1, -1}},
		"a zero weight":       {diagonal, 2, []float64{1, 0}},
		"an infinite weight":  {diagonal, 1, []float64{math.Inf(1)}},
		"no number":           {diagonal, 1, []float64{math.NaN()}},
		"too few":             {diagonal, 2, []float64{1}},
		"none at all":         {full, 2, nil},
		"two where one is":    {diagonal, 1, []float64{1, 2}},
		"no features":         {diagonal, 0, nil},
		"an indefinite one":   {full, 2, []float64{1, 2, 2, 1}},
		"a one-sided one":     {full, 2, []float64{2, 1, 0, 2}},
		"a singular one":      {full, 2, []float64{1, 1, 1, 1}},
		"one that overflows":  {full, 1, []float64{math.Inf(1)}},
		"weights of identity": {Form{}, 2, []float64{1, 1}},
	} {
		if m, err := New(c.f, c.d, c.a); err == nil {
			t.Errorf("%s makes a metric: %v", what, m)
		}
	}
}

// A sparse row is as far from a centre as the dense one, also where both are so
// far from the origin that their squared lengths say nothing of it.
func TestSparseRowsFarFromTheOrigin(t *testing.T) {
	a, err := New(Form{Shape: Diagonal}, 4, []float64{2, 0.5, 1, 3})
	if err != nil {
		t.Fatal(err)
	}
	v, c := []float64{1e9 + 3, 0, -1e9, 0}, []float64{1e9, 2, -1e9 + 1, 0}
	thin := data.Vec{Idx: []int32{0, 2}, Val: []float64{v[0], v[2]}}
	// 2·3² + 0.5·2² + 1·1²
	for _, got := range []float64{a.Dist2(0, data.Vec{Val: v}, c, 0), a.Dist2(0, thin, c, a.Norm2(0, c))} {
		close(t, "distance", got, 21, 1e-9)
	}
}
