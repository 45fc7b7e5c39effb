package metric

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// randomRows returns n rows with labels below k, weights and centres.
func randomRows(n, d, k int, seed uint64) (x *data.Dense, labels []int32, w, centres []float64) {
	r := rng(seed)
	x = &data.Dense{Cols: d}
	for range n {
		x.V = append(x.V, randomPoint(d, r)...)
		labels = append(labels, int32(r.IntN(k)))
		w = append(w, float64(1+r.IntN(3)))
	}
	for range k {
		centres = append(centres, randomPoint(d, r)...)
	}
	return x, labels, w, centres
}

func sparseRows(x *data.Dense) *data.Sparse {
	s := &data.Sparse{Cols: x.Cols, Start: []int{0}}
	for i := range x.Len() {
		v := sparseOf(x.Row(i, nil).Val)
		s.Idx, s.Val = append(s.Idx, v.Idx...), append(s.Val, v.Val...)
		s.Start = append(s.Start, len(s.Idx))
	}
	return s
}

func TestRowsScatterAsTheirPairsWithCentres(t *testing.T) {
	for _, name := range FormName("").Values() {
		f, _ := FormName(name).Form()
		x, labels, w, centres := randomRows(50, 4, 3, 1)
		want := NewScatter(f, 3, 4)
		for i, h := range labels {
			want.AddPair(int(h), x.Row(i, nil), dense(centres[h*4:h*4+4]...), w[i])
		}
		for _, rows := range []data.Rows{x, sparseRows(x)} {
			s := scatterOf(t, f, rows, labels, w, centres)
			for p := range want.S {
				close(t, name, s.S[p], want.S[p], 1e-12)
			}
			mass := 0.0
			for _, m := range s.Mass {
				mass += m
			}
			for _, y := range w {
				mass -= y
			}
			close(t, "mass left over", mass, 0, 1e-12)
		}
	}
}

func TestWorkersDoNotChangeABit(t *testing.T) {
	x, labels, w, centres := randomRows(3*blocks.Len+5, 3, 4, 2)
	for _, name := range FormName("").Values() {
		f, _ := FormName(name).Form()
		one := scatterOf(t, f, x, labels, w, centres)
		many := NewScatter(f, 4, 3)
		if err := many.AddRows(context.Background(), 5, x, labels, w, centres); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one.S, many.S) || !slices.Equal(one.Mass, many.Mass) {
			t.Errorf("%s: five workers give other bits than one", name)
		}
	}
}

func TestMergeIsAdditionAndRefusesOtherForms(t *testing.T) {
	f := Form{Shape: Full, PerCluster: true}
	x, labels, w, centres := randomRows(40, 3, 2, 3)
	whole, half := scatterOf(t, f, x, labels, w, centres), scatterOf(t, f, x, labels, w, centres)
	if err := half.Merge(scatterOf(t, f, x, labels, w, centres)); err != nil {
		t.Fatal(err)
	}
	for p := range whole.S {
		close(t, "twice", half.S[p], 2*whole.S[p], 1e-15)
	}
	if err := whole.Merge(NewScatter(f, 3, 3)); err == nil || !strings.Contains(err.Error(), "cannot take in") {
		t.Errorf("other clusters are merged: %v", err)
	}
}

func TestACancelledScatterSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, labels, w, centres := randomRows(10, 2, 1, 4)
	for _, rows := range []data.Rows{x, sparseRows(x)} {
		if err := NewScatter(Form{Shape: Diagonal}, 1, 2).AddRows(ctx, 2, rows, labels, w, centres); err == nil {
			t.Errorf("%T: no error", rows)
		}
	}
}

// A feature scaled by c has its weight scaled by 1/c²: distances stay.
func TestEstimatesDoNotDependOnUnits(t *testing.T) {
	x, labels, w, centres := randomRows(60, 3, 2, 6)
	units := []float64{1, 1e4, 1e-3}
	y, moved := &data.Dense{Cols: 3, V: slices.Clone(x.V)}, slices.Clone(centres)
	for i := range y.V {
		y.V[i] *= units[i%3]
	}
	for i := range moved {
		moved[i] *= units[i%3]
	}
	for _, name := range []string{"diagonal", "full", "per-cluster-diagonal", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		for _, nu := range []float64{0, 4} {
			a, _, err := Estimate(context.Background(), scatterOf(t, f, x, labels, w, centres), Options{Shrink: nu})
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := Estimate(context.Background(), scatterOf(t, f, y, labels, w, moved), Options{Shrink: nu})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				close(t, name, b.PairDist2(1, y.Row(i, nil), y.Row(i+1, nil)), a.PairDist2(1, x.Row(i, nil), x.Row(i+1, nil)), 1e-6)
			}
		}
	}
}

func TestTheTotalGivesWhatIsWithin(t *testing.T) {
	for _, name := range []string{"none", "diagonal", "full"} {
		f, _ := FormName(name).Form()
		x, labels, w, _ := randomRows(80, 4, 3, 7)
		for i := range x.V {
			x.V[i] += 1e6 // far from the origin: the mean takes it away
		}
		mass, centres := make([]float64, 3), make([]float64, 12)
		for i, h := range labels {
			mass[h] += w[i]
			data.Add(centres[h*4:h*4+4], x.Row(i, nil), w[i])
		}
		for i := range centres {
			centres[i] /= mass[i/4]
		}
		total, err := NewTotalScatter(context.Background(), 2, f, x, w)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := total.Within(mass, centres)
		want := scatterOf(t, f, x, labels, w, centres)
		if !ok || s.Mass[0] != want.Mass[0] {
			t.Fatalf("%s: the mass is %v, wanted %v", name, s.Mass, want.Mass)
		}
		for p := range want.S {
			close(t, name, s.S[p], want.S[p], 1e-7)
		}
	}
}

func TestTheTotalSaysWhereDigitsAreLost(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1e-4, 1e4, 1e4 + 1e-4}}
	total, err := NewTotalScatter(context.Background(), 1, Form{Shape: Diagonal}, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := total.Within([]float64{2, 2}, []float64{5e-5, 1e4 + 5e-5}); ok {
		t.Errorf("the scatter is %v, no digit of which can be right", s.S)
	}
}
