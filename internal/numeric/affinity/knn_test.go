package affinity_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"pgregory.net/rapid"
)

var background = context.Background()

// blobs returns n rows of d features around a few centres, a few of them equal.
func blobs(n, d int, seed uint64) *data.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	centre := make([]float64, 8*d)
	for i := range centre {
		centre[i] = 10 * rng.NormFloat64()
	}
	v := make([]float64, n*d)
	for i := range n {
		c := rng.IntN(8)
		for f := range d {
			v[i*d+f] = centre[c*d+f] + rng.NormFloat64()
		}
		if i > 0 && rng.IntN(20) == 0 {
			copy(v[i*d:(i+1)*d], v[(i-1)*d:i*d])
		}
	}
	return &data.Dense{Cols: d, V: v}
}

// lattice returns rows of small whole numbers: many equal rows and distances.
func lattice(n, d, side int, seed uint64) *data.Dense {
	rng := rand.New(rand.NewPCG(seed, 2))
	v := make([]float64, n*d)
	for i := range v {
		v[i] = float64(rng.IntN(side))
	}
	return &data.Dense{Cols: d, V: v}
}

// sparsely returns x as sparse rows.
func sparsely(x data.Rows) *data.Sparse {
	s := &data.Sparse{Cols: x.Dim(), Start: []int{0}}
	for i := range x.Len() {
		for f, y := range data.Copy(x, i) {
			if y != 0 {
				s.Idx, s.Val = append(s.Idx, int32(f)), append(s.Val, y)
			}
		}
		s.Start = append(s.Start, len(s.Val))
	}
	return s
}

type near struct {
	j    int32
	dist float64
}

// slow returns the k nearest rows of row i, from nothing.
func slow(x data.Rows, i, k int) []near {
	a, all := data.Copy(x, i), []near{}
	for j := range x.Len() {
		if j == i {
			continue
		}
		s := 0.0
		for f, y := range data.Copy(x, j) {
			s += float64((a[f] - y) * (a[f] - y))
		}
		all = append(all, near{int32(j), s})
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.j, b.j)) })
	return all[:min(k, len(all))]
}

// checkExact compares nb with slow. Sparse distances are computed otherwise, so
// the test keeps to rows of whole numbers there.
func checkExact(t interface {
	Helper()
	Fatalf(string, ...any)
}, x data.Rows, nb *affinity.Neighbours, every int) {
	t.Helper()
	for i := 0; i < x.Len(); i += every {
		idx, dist := nb.NeighboursOf(i)
		want := slow(x, i, nb.K)
		for p, w := range want {
			if idx[p] != w.j || dist[p] != w.dist {
				t.Fatalf("%s: neighbour %d of row %d is %d at %v, it should be %d at %v", nb.Method, p, i, idx[p], dist[p], w.j, w.dist)
			}
		}
	}
}

func TestNeighboursByHand(t *testing.T) {
	// On a line: 0, 1, 3, 3, 7.
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 3, 3, 7}}
	nb, err := affinity.KNN(background, x, 2, affinity.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	idx := []int32{1, 2, 0, 2, 3, 1, 2, 1, 2, 3}
	dist := []float64{1, 9, 1, 4, 0, 4, 0, 4, 16, 16}
	if !slices.Equal(nb.Idx, idx) || !slices.Equal(nb.Dist2, dist) || nb.Recall != 1 {
		t.Errorf("neighbours %v at %v with recall %v, want %v at %v", nb.Idx, nb.Dist2, nb.Recall, idx, dist)
	}
}

func TestExactIsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 90).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "d")
		k := rapid.IntRange(1, 20).Draw(t, "k")
		x := lattice(n, d, rapid.IntRange(1, 5).Draw(t, "side"), rapid.Uint64().Draw(t, "seed"))
		single := &data.Dense32{Cols: d, V: make([]float32, len(x.V))}
		for i, y := range x.V {
			single.V[i] = float32(y)
		}
		for _, rows := range []data.Rows{x, single, sparsely(x)} {
			nb, err := affinity.KNN(background, rows, k, affinity.KNNOptions{Method: "exact"})
			if err != nil {
				t.Fatalf("%v", err)
			}
			if nb.K != min(k, n-1) {
				t.Fatalf("K is %d for k = %d and n = %d", nb.K, k, n)
			}
			checkExact(t, x, nb, 1)
		}
	})
}

// Sparse rows far from the origin have the distances that their differences have,
// whoever asks: the lists of neighbours, the approximate ones and the kernel.
func TestSparseRowsFarFromTheOrigin(t *testing.T) {
	const n, d = 120, 200
	x := lattice(n, d, 5, 7)
	for i := range x.V {
		switch {
		case i%d >= d/8:
			x.V[i] = 0
		case i%3 > 0:
			x.V[i] += 1e9
		}
	}
	far := sparsely(x)
	nb, err := affinity.KNN(background, far, 5, affinity.KNNOptions{Method: "exact"})
	if err != nil {
		t.Fatal(err)
	}
	checkExact(t, x, nb, 1)
	nb, err = affinity.KNN(background, far, 5, affinity.KNNOptions{Method: "approximate"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		idx, dist := nb.NeighboursOf(i)
		for p, j := range idx {
			if want := data.Dist2(x.Row(i, nil), data.Copy(x, int(j)), 0); dist[p] != want {
				t.Fatalf("rows %d and %d are said to be %v apart, squared; they are %v", i, j, dist[p], want)
			}
		}
	}
	k := affinity.Kernel{Kind: "rbf", Width: 9}
	lazy, err := k.Over(background, far, 0)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, n*n)
	lazy.Tile64(0, n, 0, n, v)
	for i := range n {
		for j := range n {
			if want := plain(k, data.Copy(x, i), data.Copy(x, j)); math.Abs(v[i*n+j]-want) > 1e-12 {
				t.Fatalf("the kernel of %d and %d is %v, it should be %v", i, j, v[i*n+j], want)
			}
		}
	}
}

func TestTreeIsBruteForce(t *testing.T) {
	for _, x := range []*data.Dense{blobs(3000, 3, 1), blobs(2000, 12, 2), lattice(2500, 2, 20, 3), lattice(1500, 1, 3, 4), lattice(1100, 3, 1, 5)} {
		nb, err := affinity.KNN(background, x, 8, affinity.KNNOptions{Method: "exact"})
		if err != nil {
			t.Fatal(err)
		}
		if x.Cols < 12 && x.V[0] != x.V[1] && nb.Method != "tree" {
			t.Errorf("d = %d was searched by %s", x.Cols, nb.Method)
		}
		step := 17
		if testing.Short() {
			step = 97
		}
		checkExact(t, x, nb, step)
	}
}

func TestRefusals(t *testing.T) {
	bad := &data.Dense{Cols: 2, V: []float64{0, 1, 2, math.NaN()}}
	_, err := affinity.KNN(background, bad, 1, affinity.KNNOptions{})
	var nan *data.NonFiniteError
	if !errors.As(err, &nan) || nan.Row != 1 || nan.Col != 1 {
		t.Errorf("a NaN: %v", err)
	}
	ok := &data.Dense{Cols: 1, V: []float64{1, 2}}
	for _, c := range []struct {
		x    data.Rows
		k    int
		opt  affinity.KNNOptions
		says string
	}{
		{ok, 0, affinity.KNNOptions{}, "at least 1"},
		{ok, 1, affinity.KNNOptions{Method: "magic"}, "one of auto, exact, approximate"},
		{ok, 1, affinity.KNNOptions{Recall: 2}, "recall must be above 0 and at most 1, got 2"},
		{&data.Sparse{Cols: 5, Start: []int{0, 1}, Idx: []int32{5}, Val: []float64{1}}, 1, affinity.KNNOptions{}, "index 5"},
		{&data.Sparse{Cols: 50, Start: []int{0, 1}, Idx: []int32{50}, Val: []float64{1}}, 1, affinity.KNNOptions{}, "index 50"},
		{&data.Dense{Cols: 1}, 1, affinity.KNNOptions{}, "0 rows"},
		{&data.Dense{Cols: 1, V: []float64{1e200, 1}}, 1, affinity.KNNOptions{}, "row 0 is too long"},
	} {
		if _, err := affinity.KNN(background, c.x, c.k, c.opt); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v should say %q", err, c.says)
		}
	}
	ctx, stop := context.WithCancel(background)
	stop()
	if _, err := affinity.KNN(ctx, ok, 1, affinity.KNNOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSameBitsOnAnyNumberOfWorkers(t *testing.T) {
	for _, rows := range []data.Rows{blobs(3000, 6, 1), sparsely(lattice(700, 80, 7, 2))} {
		for _, name := range affinity.SearchMethod("").Values() {
			method := affinity.SearchMethod(name)
			var first *affinity.Neighbours
			for _, workers := range []int{1, 2, 7} {
				if testing.Short() && workers == 2 {
					continue
				}
				nb, err := affinity.KNN(background, rows, 9, affinity.KNNOptions{Method: method, Seed: 3, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = nb
				}
				if !slices.Equal(nb.Idx, first.Idx) || !slices.Equal(nb.Dist2, first.Dist2) || nb.Recall != first.Recall {
					t.Errorf("%s: %d workers find other neighbours than 1", method, workers)
				}
			}
		}
	}
}

// thin returns sparse rows with most cells of x left out.
func thin(x *data.Dense, seed uint64) *data.Sparse {
	rng := rand.New(rand.NewPCG(seed, 3))
	y := &data.Dense{Cols: x.Cols, V: slices.Clone(x.V)}
	for i := range y.V {
		if rng.IntN(8) > 0 {
			y.V[i] = 0
		}
	}
	return sparsely(y)
}

// words returns sparse rows like texts: features by the law of Zipf.
func words(n, d, each int, seed uint64) *data.Sparse {
	rng := rand.New(rand.NewPCG(seed, 4))
	zipf := rand.NewZipf(rng, 1.1, 20, uint64(d-1))
	s := &data.Sparse{Cols: d, Start: []int{0}}
	for range n {
		row := map[int32]float64{}
		for range each {
			row[int32(zipf.Uint64())]++
		}
		for _, f := range slices.Sorted(maps.Keys(row)) {
			s.Idx, s.Val = append(s.Idx, f), append(s.Val, row[f]/math.Log(float64(d)/float64(d-int(f)+1)+2))
		}
		s.Start = append(s.Start, len(s.Val))
	}
	return s
}

func BenchmarkKNNSparse(b *testing.B) {
	x := words(5000, 30000, 100, 1)
	for _, method := range []affinity.SearchMethod{affinity.SearchExact, affinity.SearchApproximate} {
		b.Run(string(method)+"/n=5000/d=30000/k=10", func(b *testing.B) {
			for b.Loop() {
				nb, err := affinity.KNN(background, x, 10, affinity.KNNOptions{Method: method})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(nb.Recall, "recall")
			}
		})
	}
}

func BenchmarkKNN(b *testing.B) {
	for _, c := range []struct {
		n, d   int
		method affinity.SearchMethod
	}{{10000, 16, "exact"}, {100000, 2, "exact"}, {100000, 16, "exact"}, {1000000, 2, "exact"}, {100000, 16, "approximate"}} {
		b.Run(fmt.Sprintf("%s/n=%d/d=%d/k=10", c.method, c.n, c.d), func(b *testing.B) {
			x := blobs(c.n, c.d, 1)
			for b.Loop() {
				nb, err := affinity.KNN(background, x, 10, affinity.KNNOptions{Method: c.method})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(nb.Recall, "recall")
			}
		})
	}
}

// TestEmptyDocumentsAreNobodysNeighbours: rows of one length are compared by their
// directions, which a row without values does not have.
func TestEmptyDocumentsAreNobodysNeighbours(t *testing.T) {
	const n, d = 60, 200
	x := &data.Sparse{Cols: d, Start: []int{0}}
	for i := range n {
		if i%10 != 0 { // two features each, one of them shared by the rows of a group
			x.Idx, x.Val = append(x.Idx, int32(i%3), int32(10+i)), append(x.Val, 0.6, 0.8)
		}
		x.Start = append(x.Start, len(x.Idx))
	}
	nb, err := affinity.KNN(t.Context(), x, 5, affinity.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		idx, _ := nb.NeighboursOf(i)
		for _, j := range idx {
			if i%10 != 0 && (j%10 == 0 || int(j)%3 != i%3) {
				t.Errorf("row %d has the neighbour %d, which shares nothing with it", i, j)
			}
		}
	}
}
