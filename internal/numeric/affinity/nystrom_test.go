package affinity_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

func gaussians(n, d int, seed uint64) *data.Dense {
	rng := rand.New(rand.NewPCG(seed, 9))
	x := &data.Dense{Cols: d}
	for range n * d {
		x.V = append(x.V, rng.NormFloat64())
	}
	return x
}

func product(f *affinity.Features, i, j int) (s float64) {
	for p := range f.Cols {
		s += f.V[i*f.Cols+p] * f.V[j*f.Cols+p]
	}
	return s
}

// With as many features as rows the products are the kernel; with fewer they
// fall short, on the diagonal by what Residual says, and elsewhere by no more
// than the geometric mean of what is missing on the diagonal.
func TestFeaturesStandForTheKernel(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(r *rapid.T) {
		n, d := rapid.IntRange(1, 40).Draw(r, "n"), rapid.IntRange(1, 4).Draw(r, "d")
		k := rapid.SampledFrom(kernels).Draw(r, "kernel")
		m := rapid.IntRange(1, 50).Draw(r, "m")
		x := gaussians(n, d, uint64(rapid.IntRange(0, 1<<20).Draw(r, "seed")))
		l, err := k.Over(ctx, x, 1)
		if err != nil {
			r.Fatal(err)
		}
		f, err := k.Features(ctx, x, m, rand.New(rand.NewPCG(1, 1)), 2)
		if err != nil {
			r.Fatal(err)
		}
		trace, short, missing := 0.0, 0.0, make([]float64, n)
		for i := range n {
			missing[i] = l.Diagonal(i) - product(f, i, i)
			trace += l.Diagonal(i)
			short += missing[i]
		}
		if math.Abs(short/trace-f.Residual) > 1e-9 {
			r.Fatalf("residual %v, but %v of the trace is missing", f.Residual, short/trace)
		}
		if m >= n && f.Residual > 1e-9 {
			r.Fatalf("%d features of %d rows miss %v", f.Cols, n, f.Residual)
		}
		row := make([]float64, n)
		for i := range n {
			l.Tile64(i, i+1, 0, n, row)
			for j, y := range row {
				gap := math.Abs(y - product(f, i, j))
				if bound := math.Sqrt(max(0, missing[i]) * max(0, missing[j])); gap > bound+1e-5*(1+trace) {
					r.Fatalf("K_%d,%d is wrong by %v, at most %v", i, j, gap, bound)
				}
			}
		}
	})
}

func TestFeaturesAreTheSameOnAnyWorkers(t *testing.T) {
	x := gaussians(3000, 5, 1)
	k := affinity.Kernel{Kind: "rbf", Width: 2}
	var want *affinity.Features
	for _, workers := range []int{1, 3} {
		f, err := k.Features(context.Background(), x, 20, rand.New(rand.NewPCG(4, 4)), workers)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = f
		}
		if !slices.Equal(f.V, want.V) || !slices.Equal(f.Landmarks, want.Landmarks) || f.Residual != want.Residual {
			t.Errorf("%d workers make other features than one", workers)
		}
	}
}

// Features are as few as the kernel's rank, and one where it is nothing.
func TestFeaturesOfLowRank(t *testing.T) {
	for _, c := range []struct {
		x    *data.Dense
		kind affinity.KernelKind
		want int
	}{
		{gaussians(50, 3, 2), "linear", 3},
		{&data.Dense{Cols: 2, V: make([]float64, 10)}, "linear", 1},
		{&data.Dense{Cols: 1, V: []float64{1, 1, 5, 5, 5}}, "rbf", 2},
	} {
		f, err := affinity.Kernel{Kind: c.kind, Width: 1}.Features(context.Background(), c.x, 10, rand.New(rand.NewPCG(1, 1)), 1)
		if err != nil {
			t.Fatal(err)
		}
		if f.Cols != c.want || f.Len() != c.x.Len() || f.Residual > 1e-9 {
			t.Errorf("%s: %d features of %d rows, residual %v; wanted %d", c.kind, f.Cols, f.Len(), f.Residual, c.want)
		}
	}
	if _, err := (affinity.Kernel{Kind: "linear"}).Features(context.Background(), gaussians(3, 1, 1), 0, nil, 1); err == nil {
		t.Error("no features were taken for an answer")
	}
}
