package centroid

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// sparseBlobs makes n sparse rows around k places, which overlap.
func sparseBlobs(r *rand.Rand, n, d, k int) *data.Sparse {
	x := &data.Sparse{Cols: d, Start: []int{0}}
	for range n {
		h := r.IntN(k)
		for f := range d {
			switch {
			case f%k == h && r.IntN(2) == 0:
				x.Idx, x.Val = append(x.Idx, int32(f)), append(x.Val, 1+r.Float64())
			case r.IntN(6) == 0:
				x.Idx, x.Val = append(x.Idx, int32(f)), append(x.Val, r.Float64())
			}
		}
		x.Start = append(x.Start, len(x.Idx))
	}
	return x
}

// Sums that are kept from iteration to iteration are those of the labels, and
// the cost that follows from them is that of the distances.
func TestKeptSums(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, weighted := range []bool{false, true} {
		n, d, k := 3000, 40, 9
		x := sparseBlobs(r, n, d, k)
		p := &cluster.Problem{X: x, K: k}
		for range n {
			if weighted {
				p.Weight = append(p.Weight, r.Float64())
			}
		}
		first := NewCentres(k, d, make([]float64, k*d))
		for h := range k {
			data.Add(first.At(h), x.Row(h, nil), 1)
		}
		first = NewCentres(k, d, first.C)
		run, err := startLloyd(context.Background(), space{Problem: p}, &cluster.Env{Workers: 2}, first, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, kept := run.(*lloyd), 0
		for iter := 0; len(l.Stages()) > 0 && iter < 60; iter++ {
			sameSums(t, l)
			for _, s := range l.Stages() {
				if _, err := s.Do(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			kept++
		}
		sameSums(t, l)
		if kept < 5 {
			t.Errorf("%d iterations only", kept)
		}
	}
}

// sameSums compares the sums of l with those of its labels: to the bit with sums
// kept the same way from nothing on, nearly with plain ones.
func sameSums(t *testing.T, l *lloyd) {
	t.Helper()
	fresh := &lloyd{p: l.p, e: l.e, centres: l.centres, labels: l.labels, dist: make([]float64, len(l.labels)), sums: newSums(l.p.K, l.p.X.Dim()), sparse: l.sparse}
	if _, err := new(keptSums).settle(context.Background(), fresh); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fresh.sums.Sum, l.sums.Sum) {
		t.Fatal("kept sums have other bits than fresh ones")
	}
	want := newSums(l.p.K, l.p.X.Dim())
	for i, h := range l.labels {
		want.add(int(h), l.p.X.Row(i, nil), l.p.W(i), 1)
	}
	for i, y := range want.Sum {
		if math.Abs(l.sums.Sum[i]-y) > 1e-11 {
			t.Fatalf("sum %d of cluster %d: %g, want %g", i%want.D, i/want.D, l.sums.Sum[i], y)
		}
	}
	for h := range want.Count {
		if l.sums.Count[h] != want.Count[h] || l.sums.Mass[h] != want.Mass[h] {
			t.Fatalf("cluster %d: %d rows of mass %g, want %d of %g", h, l.sums.Count[h], l.sums.Mass[h], want.Count[h], want.Mass[h])
		}
	}
	now, err := l.Objective(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.Tracked().Sum()-now.Sum()) > 1e-11*now.Sum() {
		t.Fatalf("tracked %g, computed %g", l.Tracked().Sum(), now.Sum())
	}
}

// Where clusters are tight and far from the origin, the cost from sums would be
// rounding alone: audited fits see that it is measured. There are more centres
// than places, so that some lose their rows and are refilled.
func TestKeptSumsOfTightClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, spread := range []float64{0, 0.01, 0.1, 1} {
		n, d, places := 600, 12, 4
		x := &data.Sparse{Cols: d, Start: []int{0}}
		for i := range n {
			for f := range d {
				if f%places == i%places {
					x.Idx, x.Val = append(x.Idx, int32(f)), append(x.Val, 1e3*float64(1+f)+spread*r.NormFloat64())
				}
			}
			x.Start = append(x.Start, len(x.Idx))
		}
		a, s := NewKMeans(), cluster.Default()
		s.Audit, s.Restarts, s.Tol = true, 3, 0
		a.Init = "random"
		if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 7}, a, s); err != nil {
			t.Errorf("spread %g: %v", spread, err)
		}
	}
}
