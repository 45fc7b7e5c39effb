package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

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
	const n, d, k = 3000, 40, 9
	sparse := sparseBlobs(r, n, d, k)
	for name, x := range map[string]data.Rows{"sparse": sparse, "float64": denseOf(sparse, false), "float32": denseOf(sparse, true)} {
		for _, weighted := range []bool{false, true} {
			p := &cluster.Problem{X: x, K: k}
			for range n {
				if weighted {
					p.Weight = append(p.Weight, r.Float64())
				}
			}
			var c []float64
			for h := range k {
				c = append(c, data.Copy(x, h)...)
			}
			l, err := Start(context.Background(), Space{Problem: p}, &cluster.Env{Workers: 2}, NewCentres(k, d, c), nil)
			if err != nil {
				t.Fatal(err)
			}
			kept := 0
			for ; len(l.Stages()) > 0 && kept < 60; kept++ {
				sameSums(t, l)
				for _, s := range l.Stages() {
					if _, err := s.Do(context.Background()); err != nil {
						t.Fatal(err)
					}
				}
			}
			sameSums(t, l)
			if kept < 5 {
				t.Errorf("%s: %d iterations only", name, kept)
			}
		}
	}
}

// sameSums compares the sums of l with those of its labels: to the bit with sums
// kept the same way from nothing on, nearly with plain ones.
func sameSums(t *testing.T, l *Run) {
	t.Helper()
	fresh := NewKeptSums(l.p.K, l.p.X.Dim())
	if _, err := fresh.Update(context.Background(), l.e, l.p.Problem, nil, l.labels, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fresh.Sum, l.sums.Sum) || !slices.Equal(fresh.Mass, l.sums.Mass) {
		t.Fatal("kept sums have other bits than fresh ones")
	}
	want, buf := NewSums(l.p.K, l.p.X.Dim()), make([]float64, l.p.X.Dim())
	for i, h := range l.labels {
		want.Add(int(h), l.p.X.Row(i, buf), l.p.W(i), 1)
	}
	for i, y := range want.Sum {
		if math.Abs(l.sums.Sum[i]-y) > 1e-11 {
			t.Fatalf("sum %d of cluster %d: %g, want %g", i%want.D, i/want.D, l.sums.Sum[i], y)
		}
	}
	for h := range want.Count {
		if l.sums.Count[h] != want.Count[h] || math.Abs(l.sums.Mass[h]-want.Mass[h]) > 1e-12*want.Mass[h] {
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
