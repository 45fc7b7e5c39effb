package metric

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

// four points in two clusters, computed by hand: centres (1,0) and (10,3),
// differences (∓1, ∓2) and (∓1, ±1).
func byHand() (x *data.Dense, labels []int32, centres []float64) {
	return &data.Dense{Cols: 2, V: []float64{0, -2, 2, 2, 9, 4, 11, 2}}, []int32{0, 0, 1, 1}, []float64{1, 0, 10, 3}
}

func scatterOf(t testing.TB, f Form, x data.Rows, labels []int32, w, centres []float64) *Scatter {
	t.Helper()
	s := NewScatter(f, len(centres)/x.Dim(), x.Dim())
	if err := s.AddRows(context.Background(), 1, x, labels, w, centres); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEstimatesByHand(t *testing.T) {
	x, labels, centres := byHand()
	for _, c := range []struct {
		form  string
		scale LogDetScale
		s, a  [][]float64 // scatter (upper triangle) and metric of each cluster
	}{
		{"diagonal", "", [][]float64{{4, 10}}, [][]float64{{1, 0.4}}},
		{"diagonal", ScaleOne, [][]float64{{4, 10}}, [][]float64{{0.25, 0.1}}},
		// S = (4 2; 2 10): det 36, A = 4/36 (10 −2; −2 4)
		{"full", "", [][]float64{{4, 2, 0, 10}}, [][]float64{{10. / 9, -2. / 9, -2. / 9, 4. / 9}}},
		{"per-cluster-diagonal", "", [][]float64{{2, 8}, {2, 2}}, [][]float64{{1, 0.25}, {1, 1}}},
	} {
		f, _ := FormName(c.form).Form()
		s := scatterOf(t, f, x, labels, nil, centres)
		m, r, err := Estimate(context.Background(), s, Options{Scale: c.scale})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[LogDetScale]LogDetScale{"": ScaleN, ScaleOne: ScaleOne}[c.scale]; r.Scale != want || len(r.Clamped) > 0 || r.Constant != nil {
			t.Errorf("%s: the report is %+v", c.form, r)
		}
		for h := range c.s {
			if !slices.Equal(s.Block(h), c.s[h]) {
				t.Errorf("%s: S_%d is %v, wanted %v", c.form, h, s.Block(h), c.s[h])
			}
			for p, want := range c.a[h] {
				close(t, c.form+" A", m.matrix(h)[p], want, 1e-14)
			}
			_, log := det(m.Matrix(h))
			close(t, "log det", m.LogDet(h), log, 1e-12)
		}
	}
}

// det returns the determinant of a 2×2 matrix and its logarithm.
func det(a []float64) (float64, float64) {
	d := a[0]*a[3] - a[1]*a[2]
	return d, math.Log(d)
}

func TestShrinkageByHand(t *testing.T) {
	// N=4, ν=4: of one full metric the target is diagonal, t_f = 1/A_ff at the
	// minimum, where A = 8 (S + 4T)⁻¹.
	x, labels, centres := byHand()
	s := scatterOf(t, Form{Shape: Full}, x, labels, nil, centres)
	m, r, err := Estimate(context.Background(), s, Options{Shrink: 4})
	if err != nil || r.Shrink != 4 {
		t.Fatal(err, r)
	}
	a, tt := m.Matrix(0), m.Prior().T
	close(t, "t_0", tt[0], 1/a[0], 1e-9)
	close(t, "t_1", tt[1], 1/a[3], 1e-9)
	inv := []float64{a[3], -a[1], -a[1], a[0]} // times det
	d, _ := det(a)
	for p, sp := range []float64{4, 2, 2, 10} {
		want := sp / 8
		if p == 0 || p == 3 {
			want += 4 * tt[p/3] / 8
		}
		close(t, "A⁻¹", inv[p]/d, want, 1e-9)
	}
	if plain, _, _ := Estimate(context.Background(), s, Options{}); math.Abs(m.Matrix(0)[1]) >= math.Abs(plain.Matrix(0)[1]) {
		t.Error("shrinkage does not draw the full metric to its diagonal")
	}
}

func TestShrinkageVanishesAndUnites(t *testing.T) {
	x, labels, centres := byHand()
	for _, name := range []string{"per-cluster-diagonal", "per-cluster-full", "full"} {
		f, _ := FormName(name).Form()
		s := scatterOf(t, f, x, labels, []float64{1e9, 1e9, 1e9, 1e9}, centres)
		if f.Shape == Full && f.PerCluster {
			s.AddGap(0, dense(1, 0), 1e9)
			s.AddGap(1, dense(1, 0), 1e9)
		}
		plain, _, err := Estimate(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		drawn, r, err := Estimate(context.Background(), s, Options{Shrink: AutoShrink})
		if err != nil || r.Shrink <= 0 {
			t.Fatal(err, r)
		}
		one, _, err := Estimate(context.Background(), s, Options{Shrink: 1e13})
		if err != nil {
			t.Fatal(err)
		}
		for p := range plain.a {
			close(t, name+" with many points", drawn.a[p], plain.a[p], 1e-6)
		}
		if f.PerCluster {
			for p := range one.matrix(0) {
				close(t, name+" with a strong prior", one.matrix(0)[p], one.matrix(1)[p], 1e-3)
			}
		}
	}
}

// Estimate must be the minimum of Value: no small step may lower it.
func TestEstimateIsAMinimum(t *testing.T) {
	r := rng(3)
	for _, name := range []string{"diagonal", "full", "per-cluster-diagonal", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		for _, nu := range []float64{0, 5} {
			d, k := 3, 2
			s := NewScatter(f, k, d)
			for h := range s.Metrics() {
				s.Mass[h] = 20
				for range 20 {
					g := randomPoint(d, r)
					g[1] += g[0] / 2
					s.AddGap(h, dense(g...), 1)
				}
			}
			o := Options{Shrink: nu}
			m, _, err := Estimate(context.Background(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			least := o.Value(m, s)
			if identity := Identity(f, k, d); o.Value(identity, s) < least {
				t.Errorf("%s, ν=%v: the Euclidean distance is better", name, nu)
			}
			for range 200 {
				a, tt := slices.Clone(m.a), []float64(nil)
				for h := range m.k {
					b := a[h*f.block(d):]
					i, j := r.IntN(d), r.IntN(d)
					e := 1e-3 * (r.Float64() - 0.5)
					if f.Shape == Diagonal {
						b[i] *= 1 + e
					} else {
						b[i*d+j] += e * b[i*d+i]
						if i != j {
							b[j*d+i] += e * b[i*d+i]
						}
					}
				}
				other, err := New(f, d, a)
				if err != nil {
					t.Fatal(err)
				}
				if m.prior != nil {
					tt = slices.Clone(m.prior.T)
					other.prior = &Prior{m.prior.Nu, tt}
					if len(tt) == d {
						tt[r.IntN(d)] *= 1 + 1e-3*(r.Float64()-0.5)
					}
				}
				if v := o.Value(other, s); v < least-1e-9*math.Abs(least) {
					t.Fatalf("%s, ν=%v: %v beside the estimate, %v at it", name, nu, v, least)
				}
			}
		}
	}
}

func TestTooSmallScattersAreRaised(t *testing.T) {
	x, labels, centres := byHand()
	for _, name := range []string{"diagonal", "full", "per-cluster-diagonal", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		base := scatterOf(t, f, x, labels, nil, centres)
		s := base.Clone()
		s.AddGap(0, dense(0, 100), -1) // a violated must-link of 2003, far larger than the scatter
		m, r, err := Estimate(context.Background(), s, Options{Base: base})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Clamped) == 0 || r.Clamped[0].From >= 1e-3 || r.Clamped[0].To != 1e-3 {
			t.Errorf("%s: the report is %+v", name, r)
		}
		if w := m.Weights(0)[1]; name == "diagonal" && math.Abs(w-4/0.01) > 1e-9 {
			t.Errorf("%s: the weight is %v, wanted N / (1e-3 · 10)", name, w)
		}
		sound(t, name, m)
	}
}

func sound(t interface{ Errorf(string, ...any) }, what string, m *Learned) {
	for h := range m.k {
		if !data.Finite(m.LogDet(h)) {
			t.Errorf("%s: log det %v", what, m.LogDet(h))
		}
		for f, w := range m.Weights(h) {
			if !(w > 0) || !data.Finite(w) {
				t.Errorf("%s: weight %d is %v", what, f, w)
			}
		}
	}
}

func TestConstantFeaturesWeighLittle(t *testing.T) {
	// Feature 1 is 0.1 everywhere; its mean, and so its scatter, is so up to
	// rounding only.
	x := &data.Dense{Cols: 2}
	labels, mean := make([]int32, 7), []float64{0, 0}
	for i := range labels {
		x.V = append(x.V, float64(i), 0.1)
		mean[0] += float64(i) / 7
		mean[1] += 0.1 / 7
	}
	for _, name := range []string{"diagonal", "full"} {
		f, _ := FormName(name).Form()
		m, r, err := Estimate(context.Background(), scatterOf(t, f, x, labels, nil, mean), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Constant, []int{1}) || len(r.Clamped) > 0 {
			t.Errorf("%s: the report is %+v, wanted feature 1 to be constant", name, r)
		}
		w := m.Weights(0)
		close(t, name+" weight of the constant feature", w[1], w[0], 1e-9)
	}
	all := &data.Dense{Cols: 2, V: []float64{5, 6, 5, 6}}
	m, _, err := Estimate(context.Background(), scatterOf(t, Form{Shape: Diagonal}, all, []int32{0, 0}, nil, []float64{5, 6}), Options{})
	if err != nil || !slices.Equal(m.Weights(0), []float64{1, 1}) {
		t.Errorf("points that all coincide: weights %v, %v, wanted ones", m.Weights(0), err)
	}
}

func TestEmptyAndSingleClustersTakeThePooledMetric(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{0, 0, 2, 4, 50, 50}}
	centres := []float64{1, 2, 50, 50, 7, 7}
	for _, name := range []string{"per-cluster-diagonal", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		for _, nu := range []float64{0, AutoShrink} {
			m, _, err := Estimate(context.Background(), scatterOf(t, f, x, []int32{0, 0, 1}, nil, centres), Options{Shrink: nu})
			if err != nil {
				t.Fatal(err)
			}
			sound(t, name, m)
			if nu == 0 { // pooled: 2 and 8 over 3 points
				close(t, name+" single", m.Weights(1)[0], 1.5, 1e-12)
				close(t, name+" empty", m.Weights(2)[1], 3./8, 1e-12)
			}
		}
	}
}

func TestEstimateRefuses(t *testing.T) {
	s := NewScatter(Form{Shape: Diagonal}, 1, 1)
	for what, o := range map[string]Options{"a scale": {Scale: "two"}, "a floor": {Floor: -1}, "a shrinkage": {Shrink: math.NaN()}} {
		if _, _, err := Estimate(context.Background(), s, o); err == nil {
			t.Errorf("%s that makes no sense is taken", what)
		}
	}
	s.S[0] = math.Inf(1)
	if _, _, err := Estimate(context.Background(), s, Options{}); err == nil {
		t.Error("an infinite scatter is taken")
	}
}

func TestAnEstimateIsSoundWhateverTheScatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, _ := FormName(rapid.SampledFrom(FormName("").Values()).Draw(t, "form")).Form()
		d, k := rapid.IntRange(1, 5).Draw(t, "d"), rapid.IntRange(1, 3).Draw(t, "k")
		number := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.SampledFrom([]float64{0, 0.1, 1, 1e-9, -3}))
		n := rapid.IntRange(1, 12).Draw(t, "n")
		x := &data.Dense{Cols: d, V: rapid.SliceOfN(number, n*d, n*d).Draw(t, "x")}
		labels := rapid.SliceOfN(rapid.Int32Range(0, int32(k-1)), n, n).Draw(t, "labels")
		mass, centres := make([]float64, k), make([]float64, k*d)
		for i, h := range labels {
			mass[h]++
			data.Add(centres[int(h)*d:(int(h)+1)*d], x.Row(i, nil), 1)
		}
		for i := range centres {
			centres[i] /= max(1, mass[i/d])
		}
		base := NewScatter(f, k, d)
		if err := base.AddRows(context.Background(), 1, x, labels, nil, centres); err != nil {
			t.Fatal(err)
		}
		s := base.Clone()
		for range rapid.IntRange(0, 6).Draw(t, "pairs") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			s.AddPair(int(labels[i]), x.Row(i, nil), x.Row(j, nil), rapid.Float64Range(-5, 5).Draw(t, "w"))
		}
		o := Options{Base: base, Scale: rapid.SampledFrom([]LogDetScale{ScaleN, ScaleOne}).Draw(t, "scale"), Shrink: rapid.SampledFrom([]float64{0, -1, 7}).Draw(t, "nu")}
		m, _, err := Estimate(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, f.String(), m)
		if c := m.PriorCost(); !(c >= 0) {
			t.Fatalf("the prior costs %v", c)
		}
		for i := range n {
			if d2 := m.PairDist2(0, x.Row(0, nil), x.Row(i, nil)); !(d2 >= 0) || math.IsInf(d2, 0) {
				t.Fatalf("the squared distance is %v", d2)
			}
		}
		var back Learned
		if text, err := json.Marshal(m); err != nil {
			t.Fatal(err)
		} else if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(&back, m) && f.Shape != None {
			t.Fatalf("%+v comes back as %+v", m, &back)
		}
		o.Previous = m
		if again, r, _ := Estimate(context.Background(), s, o); o.Value(again, s) > o.Value(m, s) && !r.Kept {
			t.Fatal("the previous metric was better and not kept")
		}
	})
}

// Raising eigenvalues takes long where there are many features: it ends with the
// context.
func TestEstimateEndsWithItsContext(t *testing.T) {
	const d = 40
	s := NewScatter(Form{Shape: Full}, 1, d)
	s.Mass[0] = 2
	g := make([]float64, d)
	for f := range g {
		g[f] = float64(1 + f)
	}
	s.AddGap(0, data.Vec{Val: g}, 1) // of rank 1: all axes but one are raised
	if _, r, err := Estimate(context.Background(), s, Options{}); err != nil || len(r.Clamped) < d-1 {
		t.Fatalf("%d axes raised, %v", len(r.Clamped), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Estimate(ctx, s, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
