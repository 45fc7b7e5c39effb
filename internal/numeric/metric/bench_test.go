package metric

import (
	"context"
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

func benchRows(n, d, k int) (x *data.Dense, labels []int32, centres []float64) {
	r := rng(1)
	x, labels = &data.Dense{Cols: d, V: make([]float64, n*d)}, make([]int32, n)
	for i := range x.V {
		x.V[i] = r.NormFloat64()
	}
	for i := range labels {
		labels[i] = int32(r.IntN(k))
	}
	return x, labels, x.V[:k*d]
}

func BenchmarkScatter(b *testing.B) {
	const n, d, k = 100_000, 32, 50
	x, labels, centres := benchRows(n, d, k)
	b.Run(fmt.Sprintf("labels/n=%d/d=%d/k=%d", n, d, k), func(b *testing.B) { // what it comes on top of
		c := simd.Pack(k, d, centres)
		var block simd.Block
		for b.Loop() {
			c.Nearest64(x.V, &block)
		}
	})
	for _, name := range []string{"diagonal", "per-cluster-diagonal", "full", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		b.Run(fmt.Sprintf("%s/n=%d/d=%d/k=%d", name, n, d, k), func(b *testing.B) {
			for b.Loop() {
				if err := NewScatter(f, k, d).AddRows(context.Background(), 1, x, labels, nil, centres); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTotalWithin(b *testing.B) {
	const n, d, k = 100_000, 32, 50
	x, _, centres := benchRows(n, d, k)
	mass := make([]float64, k)
	for _, name := range []string{"diagonal", "full"} {
		f, _ := FormName(name).Form()
		t, err := NewTotalScatter(context.Background(), 1, f, x, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s/n=%d/d=%d/k=%d", name, n, d, k), func(b *testing.B) {
			for b.Loop() {
				t.Within(mass, centres)
			}
		})
	}
}

func BenchmarkEstimate(b *testing.B) {
	for _, name := range []string{"diagonal", "full", "per-cluster-full"} {
		f, _ := FormName(name).Form()
		const d, k = 32, 10
		x, labels, centres := benchRows(10_000, d, k)
		s := scatterOf(b, f, x, labels, nil, centres)
		for _, nu := range []float64{0, AutoShrink} {
			b.Run(fmt.Sprintf("%s/d=%d/k=%d/shrink=%v", name, d, k, nu), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := Estimate(context.Background(), s, Options{Shrink: nu}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkPairDist2(b *testing.B) {
	for _, name := range []string{"none", "diagonal", "full"} {
		f, _ := FormName(name).Form()
		m := Identity(f, 1, 32)
		x, _, _ := benchRows(2, 32, 1)
		b.Run(name+"/d=32", func(b *testing.B) {
			for b.Loop() {
				m.PairDist2(0, x.Row(0, nil), x.Row(1, nil))
			}
		})
	}
}

func BenchmarkExtremes(b *testing.B) {
	x, _, _ := benchRows(100_000, 32, 1)
	b.Run("n=100000/d=32", func(b *testing.B) {
		for b.Loop() {
			if _, err := FindExtremes(context.Background(), 1, nil, x); err != nil {
				b.Fatal(err)
			}
		}
	})
}
