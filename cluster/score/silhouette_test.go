package score

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// blobs returns n rows around k centres and the centre of each.
func blobs(seed uint64, n, d, k int) (*data.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, k*d)
	for i := range centres {
		centres[i] = 4 * r.NormFloat64()
	}
	x, labels := &data.Dense{Cols: d}, make([]int, n)
	for i := range labels {
		labels[i] = r.IntN(k)
		for f := range d {
			x.V = append(x.V, centres[labels[i]*d+f]+r.NormFloat64())
		}
	}
	return x, labels
}

// Four points on a line, 0 and 1 against 4 and 6:
// a is 1, 1, 2, 2 and b is 5, 4, 3.5, 5.5.
func TestSilhouetteByHand(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 4, 6}}
	s, err := Silhouette(context.Background(), x, []int{9, 9, -4, -4}, SilhouetteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{4.0 / 5, 3.0 / 4, 1.5 / 3.5, 3.5 / 5.5}
	for i, w := range want {
		if !near(s.Values[i], w) {
			t.Errorf("row %d: %v, want %v", i, s.Values[i], w)
		}
	}
	if mean := (want[0] + want[1] + want[2] + want[3]) / 4; !near(s.Mean, mean) {
		t.Errorf("mean %v, want %v", s.Mean, mean)
	}
	c := s.Clusters
	if len(c) != 2 || c[0].Label != -4 || c[0].Size != 2 || !near(c[0].Mean, (want[2]+want[3])/2) ||
		c[1].Label != 9 || c[1].Measured != 2 || !near(c[1].Mean, (want[0]+want[1])/2) {
		t.Errorf("clusters %+v", c)
	}
	if s.N != 4 || s.Sampled || !slices.Equal(s.Rows, []int{0, 1, 2, 3}) {
		t.Errorf("n %d, sampled %v, rows %v", s.N, s.Sampled, s.Rows)
	}
}

func TestSilhouetteEdges(t *testing.T) {
	measure := func(v []float64, labels ...int) (Silhouettes, error) {
		return Silhouette(context.Background(), &data.Dense{Cols: 1, V: v}, labels, SilhouetteOptions{})
	}
	for name, labels := range map[string][]int{"no row": {}, "one row": {1}, "one cluster": {2, 2, 2}, "all alone": {0, 1, 2}} {
		if _, err := measure(make([]float64, len(labels)), labels...); !errors.Is(err, ErrUndefined) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := measure([]float64{1, 2}, 0); err == nil || errors.Is(err, ErrUndefined) {
		t.Errorf("lengths differ: error %v", err)
	}
	var bad *data.NonFiniteError
	if _, err := measure([]float64{1, 2, math.NaN()}, 0, 0, 1); !errors.As(err, &bad) || bad.Row != 2 {
		t.Errorf("NaN: error %v", err)
	}
	if _, err := measure([]float64{1e200, -1e200, 0}, 0, 0, 1); err == nil {
		t.Error("no error for distances that overflow")
	}
	s, err := measure([]float64{5, 5, 5, 5}, 0, 0, 1, 1)
	if err != nil || s.Mean != 0 {
		t.Errorf("all rows equal: %v, %v", s.Mean, err)
	}
	s, err = measure([]float64{0, 1, 100}, 0, 0, 1)
	if err != nil || s.Values[2] != 0 {
		t.Errorf("a row alone: %v, %v", s.Values, err)
	}
}

func TestSilhouetteSameBitsOnAnyWorkers(t *testing.T) {
	dense, labels := blobs(1, 501, 7, 4)
	sparse := sparseRows(rand.New(rand.NewPCG(2, 2)), 501, 300, 20)
	for name, x := range map[string]data.Rows{"dense": dense, "sparse": sparse} {
		one, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []int{0, 2, 5, 100} {
			many, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{Workers: w})
			if err != nil {
				t.Fatal(err)
			}
			if one.Mean != many.Mean || !slices.Equal(one.Values, many.Values) {
				t.Errorf("%s: %d workers give %v, one gives %v", name, w, many.Mean, one.Mean)
			}
		}
	}
}

// Sparse rows that nearly coincide far from the origin: dot products alone
// would lose every digit of their distance.
func TestSilhouetteSparseKeepsDigits(t *testing.T) {
	x := [][]float64{{1e6, 0, 1e6}, {1e6, 1e-4, 1e6}, {1e6, 5e-4, 1e6}, {1e6, 7e-4, 1e6}}
	labels := []int{0, 0, 1, 1}
	kinds := rowsOf(x)
	want, err := Silhouette(context.Background(), kinds["dense"], labels, SilhouetteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Silhouette(context.Background(), kinds["sparse"], labels, SilhouetteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !near(got.Mean, want.Mean) {
		t.Errorf("sparse %v, dense %v", got.Mean, want.Mean)
	}
}

func TestSilhouetteDense32(t *testing.T) {
	x, labels := blobs(4, 100, 5, 3)
	narrow := &data.Dense32{Cols: 5}
	for i, v := range x.V {
		x.V[i] = float64(float32(v))
		narrow.V = append(narrow.V, float32(v))
	}
	a, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Silhouette(context.Background(), narrow, labels, SilhouetteOptions{})
	if err != nil || !slices.Equal(a.Values, b.Values) {
		t.Errorf("float32 rows: mean %v, %v; float64 rows: %v", b.Mean, err, a.Mean)
	}
}

func TestSilhouetteSample(t *testing.T) {
	x, labels := blobs(7, 6000, 3, 5)
	labels[17], labels[18], labels[4000] = 70, 70, 71 // a pair and a row alone
	measure := func(sample int, seed uint64) Silhouettes {
		s, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{Sample: sample, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all, some := measure(-1, 0), measure(1000, 3)
	if all.Sampled || len(all.Values) != 6000 || all.N != 6000 {
		t.Errorf("all: sampled %v, %d of %d", all.Sampled, len(all.Values), all.N)
	}
	if m := len(some.Values); !some.Sampled || m < 990 || m > 1010 || len(some.Rows) != m || !slices.IsSorted(some.Rows) {
		t.Errorf("sample: sampled %v, %d values", some.Sampled, m)
	}
	if math.Abs(all.Mean-some.Mean) > 0.02 {
		t.Errorf("mean %v, by sample %v", all.Mean, some.Mean)
	}
	for c, want := range all.Clusters {
		got := some.Clusters[c]
		if got.Label != want.Label || got.Size != want.Size || got.Measured < min(2, want.Size) {
			t.Errorf("cluster %+v, by sample %+v", want, got)
		}
	}
	if again := measure(1000, 3); !slices.Equal(again.Rows, some.Rows) || again.Mean != some.Mean {
		t.Error("the same seed drew another sample")
	}
	if other := measure(1000, 4); slices.Equal(other.Rows, some.Rows) {
		t.Error("another seed drew the same sample")
	}
	for i := range labels {
		labels[i] = i / 4
	}
	if _, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{Sample: 1000}); err == nil {
		t.Error("no error for 1,500 clusters in a sample of 1,000")
	}
}

func TestSilhouetteCancelled(t *testing.T) {
	x, labels := blobs(1, 100, 2, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Silhouette(ctx, x, labels, SilhouetteOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
