package affinity_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"pgregory.net/rapid"
)

var kernels = []affinity.Kernel{
	{Kind: "linear"}, {Kind: "rbf", Width: 3}, {Kind: "polynomial", Degree: 3, Offset: 1}, {Kind: "cosine"},
}

// plain computes a kernel value from nothing.
func plain(k affinity.Kernel, x, y []float64) float64 {
	var xy, xx, yy, dd float64
	for f := range x {
		xy += x[f] * y[f]
		xx += x[f] * x[f]
		yy += y[f] * y[f]
		dd += (x[f] - y[f]) * (x[f] - y[f])
	}
	switch k.Kind {
	case "rbf":
		return math.Exp(-dd / (2 * k.Width * k.Width))
	case "polynomial":
		return math.Pow(xy+k.Offset, float64(k.Degree))
	case "cosine":
		if xx == 0 || yy == 0 {
			return 0
		}
		return xy / math.Sqrt(xx*yy)
	}
	return xy
}

func TestKernelsByHand(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{1, 2, 3, -1, 0, 0}}
	for _, c := range []struct {
		k    affinity.Kernel
		want []float64 // rows 0 and 1, then 0 and 2, then 1 and 1
	}{
		{affinity.Kernel{Kind: "linear"}, []float64{1, 0, 10}},
		{affinity.Kernel{Kind: "rbf", Width: 2}, []float64{math.Exp(-13. / 8), math.Exp(-5. / 8), 1}},
		{affinity.Kernel{Kind: "polynomial", Degree: 2, Offset: 3}, []float64{16, 9, 169}},
		{affinity.Kernel{Kind: "cosine"}, []float64{1 / math.Sqrt(50), 0, 1}},
	} {
		g, err := c.k.Over(background, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		v := make([]float64, 9)
		g.Tile64(0, 3, 0, 3, v)
		if got := []float64{v[1], v[2], v[4]}; !slices.EqualFunc(got, c.want, close) || !close(g.Diagonal(1), c.want[2]) {
			t.Errorf("%+v: %v and %v on the diagonal, want %v", c.k, got, g.Diagonal(1), c.want)
		}
	}
}

func TestTilesAreTheKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 70).Draw(t, "n"), rapid.SampledFrom([]int{1, 2, 7, 33, 50}).Draw(t, "d")
		seed := rapid.Uint64().Draw(t, "seed")
		k := rapid.SampledFrom(kernels).Draw(t, "kernel")
		var x data.Rows = blobs(n, d, seed)
		switch rapid.IntRange(0, 2).Draw(t, "rows") {
		case 1:
			x = thin(lattice(n, d, 4, seed), seed)
		case 2:
			v := make([]float32, n*d)
			for i, y := range blobs(n, d, seed).V {
				v[i] = float32(y)
			}
			x = &data.Dense32{Cols: d, V: v}
		}
		lazy, err := k.Over(background, x, 0)
		if err != nil {
			t.Fatalf("%v", err)
		}
		m, err := lazy.Matrix(background, rapid.IntRange(1, 7).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		lo, lo2 := rapid.IntRange(0, n).Draw(t, "lo"), rapid.IntRange(0, n).Draw(t, "lo2")
		hi, hi2 := rapid.IntRange(lo, n).Draw(t, "hi"), rapid.IntRange(lo2, n).Draw(t, "hi2")
		wide := hi2 - lo2
		a, b, c := make([]float32, (hi-lo)*wide), make([]float32, (hi-lo)*wide), make([]float64, (hi-lo)*wide)
		lazy.Tile(lo, hi, lo2, hi2, a)
		m.Tile(lo, hi, lo2, hi2, b)
		lazy.Tile64(lo, hi, lo2, hi2, c)
		if !slices.Equal(a, b) {
			t.Fatalf("%s: the tile on the fly is not that of the matrix", k.Kind)
		}
		for i := lo; i < hi; i++ {
			for j := lo2; j < hi2; j++ {
				at := (i-lo)*wide + j - lo2
				want := plain(k, data.Copy(x, i), data.Copy(x, j))
				scale := 1 + math.Abs(want) + math.Sqrt(lazy.Diagonal(i)*lazy.Diagonal(j))
				if math.Abs(c[at]-want) > 1e-12*scale || a[at] != float32(c[at]) {
					t.Fatalf("%+v of %d and %d is %v and %v, it should be %v", k, i, j, c[at], a[at], want)
				}
				if i == j && (float64(float32(lazy.Diagonal(i))) != m.Diagonal(i) || c[at] != lazy.Diagonal(i)) {
					t.Fatalf("%+v: the diagonal at %d is %v, %v and %v", k, i, lazy.Diagonal(i), m.Diagonal(i), c[at])
				}
			}
		}
	})
}

func TestMatrixIsSymmetricAndTheSameOnAnyNumberOfWorkers(t *testing.T) {
	x := blobs(700, 5, 1)
	for _, k := range kernels {
		lazy, err := k.Over(background, x, 0)
		if err != nil {
			t.Fatal(err)
		}
		var first []float32
		for _, workers := range []int{1, 2, 7} {
			m, err := lazy.Matrix(background, workers)
			if err != nil {
				t.Fatal(err)
			}
			var v []float32
			for i := range m.Len() {
				v = append(v, m.Row(i)...)
			}
			if first == nil {
				first = v
			}
			if !slices.Equal(v, first) {
				t.Errorf("%s: %d workers make another matrix", k.Kind, workers)
			}
		}
		if _, err := affinity.NewMatrix(x.Len(), first); err != nil {
			t.Errorf("%s: %v", k.Kind, err)
		}
	}
}

func TestKernelsAreChecked(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{1, 1e25}}
	for _, c := range []struct {
		k    affinity.Kernel
		says string
	}{
		{affinity.Kernel{}, "one of linear, rbf, polynomial, cosine"},
		{affinity.Kernel{Kind: "rbf"}, "no width"},
		{affinity.Kernel{Kind: "rbf", Width: -1}, "width of the rbf kernel must be from 1e-150 to 1e+150, or 0 for a multiple of the median distance, got -1"},
		{affinity.Kernel{Kind: "rbf", Relative: -1}, "relative width of the rbf kernel must be at least 0 (0 stands for 1), got -1"},
		{affinity.Kernel{Kind: "polynomial"}, "degree of the polynomial kernel must be from 1 to 64, got 0"},
		{affinity.Kernel{Kind: "polynomial", Degree: 2, Offset: -1}, "offset of the polynomial kernel must be at least 0 to keep it positive semidefinite, got -1"},
		{affinity.Kernel{Kind: "linear"}, "reach 1e+50"},
		{affinity.Kernel{Kind: "polynomial", Degree: 2}, "reach 1e+100"},
	} {
		if _, err := c.k.Over(background, x, 1); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, it should say %q", c.k, err, c.says)
		}
	}
	var nan *data.NonFiniteError
	if _, err := kernels[1].Over(background, &data.Dense{Cols: 1, V: []float64{1, math.Inf(1)}}, 1); !errors.As(err, &nan) || nan.Row != 1 {
		t.Errorf("an infinity: %v", err)
	}
	for _, c := range []struct {
		n    int
		v    []float32
		says string
	}{
		{2, []float32{1, 2, 3}, "got 3"},
		{2, []float32{1, 2, 3, 4}, "symmetric"},
		{1, []float32{float32(math.NaN())}, "finite"},
	} {
		if _, err := affinity.NewMatrix(c.n, c.v); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v should say %q", err, c.says)
		}
	}
}

func TestMedianDistance(t *testing.T) {
	rng := func() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
	for _, c := range []struct {
		v    []float64
		want float64
	}{
		{[]float64{0, 1, 3}, 2},          // 1, 2, 3
		{[]float64{0, 1, 3, 7}, 3.5},     // 1, 2, 3, 4, 6, 7
		{[]float64{0, 0, 0, 0, 0, 4}, 4}, // ten zeros and five fours
	} {
		got, err := affinity.MedianDistance(background, &data.Dense{Cols: 1, V: c.v}, rng(), 1)
		if err != nil || got != c.want {
			t.Errorf("%v: %v, %v; want %v", c.v, got, err, c.want)
		}
		k, err := affinity.Kernel{Kind: "rbf", Relative: 0.5}.Fit(background, &data.Dense{Cols: 1, V: c.v}, rng(), 1)
		if err != nil || k.Width != c.want/2 {
			t.Errorf("%v: width %v, %v; want %v", c.v, k.Width, err, c.want/2)
		}
	}
	for _, v := range [][]float64{{1}, {2, 2, 2}} {
		if _, err := affinity.MedianDistance(background, &data.Dense{Cols: 1, V: v}, rng(), 1); !errors.Is(err, affinity.ErrNoDistance) {
			t.Errorf("%v: %v", v, err)
		}
	}
	// Above 2000 rows a sample: uniform on [0, 1], where the median distance is
	// 1 − √½ = 0.2929.
	x := &data.Dense{Cols: 1}
	r := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		x.V = append(x.V, r.Float64())
	}
	a, err := affinity.MedianDistance(background, x, rng(), 1)
	b, _ := affinity.MedianDistance(background, x, rng(), 3)
	if err != nil || math.Abs(a-0.2929) > 0.02 || a != b {
		t.Errorf("uniform rows: %v and %v, %v", a, b, err)
	}
}

func BenchmarkMatrix(b *testing.B) {
	x := blobs(4000, 16, 1)
	for _, k := range kernels {
		b.Run(fmt.Sprintf("%s/n=4000/d=16", k.Kind), func(b *testing.B) {
			for b.Loop() {
				lazy, err := k.Over(background, x, 0)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := lazy.Matrix(background, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
