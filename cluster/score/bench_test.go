package score

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// noisy returns labels below k and a copy of which a third is drawn again.
func noisy(n, k int) (a, b []int) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b = make([]int, n), make([]int, n)
	for i := range a {
		a[i] = r.IntN(k)
		b[i] = a[i]
		if r.IntN(3) == 0 {
			b[i] = r.IntN(k)
		}
	}
	return a, b
}

func BenchmarkARI(b *testing.B) {
	for _, c := range []struct{ n, k int }{
		{1_000, 10}, {100_000, 10}, {10_000_000, 10}, {10_000_000, 1_000}, {10_000_000, 100_000},
	} {
		x, y := noisy(c.n, c.k)
		b.Run(fmt.Sprintf("n=%d/k=%d", c.n, c.k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ARI(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Labels spread over all int64 values, every one of them hashed.
func BenchmarkARIWide(b *testing.B) {
	for _, k := range []int{10, 1_000_000} {
		n := 10_000_000
		x, y := noisy(n, k)
		for i := range x {
			x[i], y[i] = x[i]*0x3e3779b97f4a7c15, y[i]*0x3e3779b97f4a7c15
		}
		b.Run(fmt.Sprintf("n=%d/k=%d", n, k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ARI(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCard(b *testing.B) {
	for _, k := range []int{10, 100_000} {
		x, y := noisy(10_000_000, k)
		b.Run(fmt.Sprintf("n=10000000/k=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t, err := NewTable(x, y)
				if err != nil {
					b.Fatal(err)
				}
				t.Card()
			}
		})
	}
}

func BenchmarkSilhouette(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ n, d int }{{1_000, 16}, {10_000, 16}, {10_000, 64}} {
		v := make([]float64, c.n*c.d)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		x := &data.Dense{Cols: c.d, V: v}
		labels, _ := noisy(c.n, 10)
		b.Run(fmt.Sprintf("dense/n=%d/d=%d", c.n, c.d), func(b *testing.B) { silhouetteLoop(b, x, labels) })
	}
	x := sparseRows(r, 10_000, 20_000, 80)
	labels, _ := noisy(10_000, 10)
	b.Run("sparse/n=10000/d=20000/nnz=80", func(b *testing.B) { silhouetteLoop(b, x, labels) })
}

func silhouetteLoop(b *testing.B, x data.Rows, labels []int) {
	for b.Loop() {
		if _, err := Silhouette(context.Background(), x, labels, SilhouetteOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// sparseRows draws rows whose features are skewed as words of a text are.
func sparseRows(r *rand.Rand, n, d, perRow int) *data.Sparse {
	m := &data.Sparse{Cols: d, Start: []int{0}}
	for range n {
		f := -1
		for range perRow {
			f += 1 + int(float64(d/perRow)*r.Float64()*2*float64(f+1+d/perRow)/float64(d))
			if f >= d {
				break
			}
			m.Idx, m.Val = append(m.Idx, int32(f)), append(m.Val, r.Float64())
		}
		m.Start = append(m.Start, len(m.Idx))
	}
	return m
}
