package affinity

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// ringTables are tables of more than treeDim features, so that an index has rings: blobs
// with noise, a single cloud, equal rows, rows on a line, one far away.
func ringTables(n int) map[string]*data.Dense {
	const d = treeDim + 3
	rng := rand.New(rand.NewPCG(uint64(n), 8))
	tables := map[string]*data.Dense{}
	for name, fill := range map[string]func(i, f int) float64{
		"blobs": func(i, f int) float64 {
			if i%10 == 0 {
				return 24*rng.Float64() - 12
			}
			return float64((i%10)*(f%10)) + rng.NormFloat64()
		},
		"cloud": func(_, _ int) float64 { return rng.NormFloat64() },
		"equal": func(i, _ int) float64 { return float64(i % 3) },
		"line":  func(i, _ int) float64 { return float64(i) },
		"grid":  func(_, _ int) float64 { return float64(rng.IntN(2)) },
		"far": func(i, f int) float64 {
			if i == 7 {
				return 1e9
			}
			return rng.NormFloat64() + 1e5
		},
	} {
		v := make([]float64, n*d)
		for p := range v {
			v[p] = fill(p/d, p%d)
		}
		tables[name] = &data.Dense{Cols: d, V: v}
	}
	return tables
}

func TestRingsFindTheNeighboursOfAllPairs(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{2, 17, 300, 1500} {
		for name, x := range ringTables(n) {
			ix, err := NewIndex(ctx, x, 5, 2)
			if err != nil {
				t.Fatal(err)
			}
			if ix.Rings() == nil {
				t.Fatal("no rings")
			}
			for _, k := range []int{1, 5} {
				got, err := ix.Neighbours(ctx, k, 3, nil)
				if err != nil {
					t.Fatal(err)
				}
				want, err := KNN(ctx, x, k, KNNOptions{Method: SearchExact})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Idx, want.Idx) || !slices.Equal(got.Dist2, want.Dist2) {
					t.Errorf("%s, n = %d, k = %d: other neighbours than those of all pairs", name, n, k)
				}
			}
		}
	}
}
