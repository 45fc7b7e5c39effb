package hierarchy

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// Sizes around those of leaves (16) and leaf panels (256), cores that are not those of
// the rows, equal rows and equal distances.
func TestSpanningOfManyLeavesIsThatOfAllPairs(t *testing.T) {
	ctx := context.Background()
	for seed, n := range []int{15, 16, 17, 31, 33, 255, 256, 257, 300, 513, 700} {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		x := drawn(t, rng, n, 1+rng.IntN(4))
		core := plainCore(x, 1+rng.IntN(8))
		if seed%3 == 0 {
			for i := range core {
				core[i] = float64(rng.IntN(4))
			}
		}
		edges, err := Spanning(ctx, x, core, 3)
		if err != nil {
			t.Fatal(err)
		}
		if want := plainSpanning(x, core); !slices.Equal(edges, want) {
			t.Fatalf("n = %d: another tree than that of all pairs", n)
		}
	}
}

func TestBuildIsCoreDistancesAndSpanning(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 4))
		x, minPoints := drawn(t, rng, 1+rng.IntN(600), 1+rng.IntN(6)), 1+rng.IntN(9)
		wantCore, err := CoreDistances(ctx, x, minPoints, 1)
		if err != nil {
			t.Fatal(err)
		}
		wantEdges, err := Spanning(ctx, x, wantCore, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 3, 7} {
			last := 0.0
			core, edges, err := Build(ctx, x, minPoints, workers, func(share float64) {
				if share < last || share > 1 {
					t.Errorf("progress goes from %v to %v", last, share)
				}
				last = share
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(core, wantCore) || !slices.Equal(edges, wantEdges) {
				t.Fatalf("seed %d: other bits on %d workers", seed, workers)
			}
			if x.Len() > 1 && last != 1 {
				t.Errorf("progress ends at %v", last)
			}
		}
	}
}

func TestSparseRowsHaveTheTreeOfDenseRows(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 5))
	const n, d = 200, 40
	dense := make([]float64, n*d)
	s := &data.Sparse{Cols: d, Start: []int{0}}
	for i := range n {
		for f := range d {
			if rng.IntN(8) == 0 {
				y := float64(1 + rng.IntN(5)) // small integers: no rounding, so both have the same distances
				dense[i*d+f] = y
				s.Idx, s.Val = append(s.Idx, int32(f)), append(s.Val, y)
			}
		}
		s.Start = append(s.Start, len(s.Idx))
	}
	wantCore, wantEdges, err := Build(ctx, table(t, d, dense), 4, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	core, edges, err := Build(ctx, s, 4, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(core, wantCore) || !slices.Equal(edges, wantEdges) {
		t.Error("another tree than that of dense rows")
	}
}

// Many equal rows must not make every row look at every other.
func TestManyEqualRows(t *testing.T) {
	const n = 8000
	for _, d := range []int{2, 70} { // by tree and by rings
		x := table(t, d, make([]float64, d*n))
		for i := n / 2; i < n; i++ {
			x.V[d*i] = 3
		}
		core, edges, err := Build(context.Background(), x, 5, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Max(core) != 0 || edges[n-2] != (Edge{0, n / 2, 3}) || edges[n-3].Weight != 0 {
			t.Errorf("%d features: core distances up to %v, last edges %v", d, slices.Max(core), edges[n-3:])
		}
	}
}

func TestBuildCanBeCancelled(t *testing.T) {
	for _, d := range []int{3, 70} { // by tree and by rings
		x := drawn(t, rand.New(rand.NewPCG(1, 6)), 3000, d)
		for _, at := range []float64{0, 0.3, 0.6, 1} {
			ctx, cancel := context.WithCancel(context.Background())
			last := 0.0
			_, _, err := Build(ctx, x, 5, 2, func(share float64) {
				if last = share; share >= at {
					cancel()
				}
			})
			if err != context.Canceled {
				t.Errorf("%d features, cancelled at %v: %v", d, at, err)
			}
			if at < 0.5 && last > 0.5 {
				t.Errorf("%d features: cancelled at %v, it went on to %v", d, at, last)
			}
			cancel()
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, size := range []struct {
		name string
		n, d int
	}{{"n=20000/d=3", 20000, 3}, {"n=20000/d=8", 20000, 8}} {
		b.Run(size.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 7))
			v := make([]float64, size.n*size.d)
			for i := range v {
				v[i] = rng.NormFloat64() + float64(i/size.d%20)
			}
			x := &data.Dense{Cols: size.d, V: v}
			for b.Loop() {
				if _, _, err := Build(context.Background(), x, 11, 1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
