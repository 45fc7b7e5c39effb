package affinity

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

// The sums of a point by centres are those by rows.
func TestWeightedFeaturesAreTheMatrixOfItsRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, m, k := rapid.IntRange(1, 12).Draw(r, "n"), rapid.IntRange(1, 4).Draw(r, "m"), rapid.IntRange(1, 3).Draw(r, "k")
		f := &WeightedFeatures{Features: &data.Dense{Cols: m}}
		label := make([]int32, n)
		for i := range n {
			for range m {
				f.Features.V = append(f.Features.V, float64(rapid.IntRange(-9, 9).Draw(r, "x")))
			}
			f.Weight = append(f.Weight, float64(rapid.IntRange(0, 3).Draw(r, "w")))
			label[i] = int32(rapid.IntRange(0, k-1).Draw(r, "c"))
		}
		sum, want := make([]float64, k*n), make([]float64, k*n)
		if err := f.ClusterSums(context.Background(), 2, k, label, sum); err != nil {
			r.Fatal(err)
		}
		ones, times, total := slices.Repeat([]float64{1}, n), make([]float64, n), make([]float64, n)
		if err := f.Multiply(context.Background(), 2, ones, times); err != nil {
			r.Fatal(err)
		}
		for j := range n {
			f.AddRow(j, 1, want[int(label[j])*n:int(label[j]+1)*n])
			f.AddRow(j, 1, total)
		}
		if !slices.Equal(sum, want) || !slices.Equal(times, total) {
			r.Fatalf("sums %v by centres, %v by rows; products %v and %v", sum, want, times, total)
		}
	})
}
