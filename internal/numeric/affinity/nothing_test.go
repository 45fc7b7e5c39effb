package affinity_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// Rows that are not there, or only in part, are refused wherever rows are asked
// for.
func TestNoRows(t *testing.T) {
	ctx := context.Background()
	for name, x := range map[string]data.Rows{
		"nil":        nil,
		"nil dense":  (*data.Dense)(nil),
		"nil sparse": (*data.Sparse)(nil),
		"none":       &data.Dense{Cols: 2},
		"half a row": &data.Dense{Cols: 2, V: make([]float64, 5)},
	} {
		if _, err := affinity.KNN(ctx, x, 1, affinity.KNNOptions{}); err == nil {
			t.Errorf("%s: they have neighbours", name)
		}
		if _, err := (affinity.Kernel{Kind: "linear"}).Over(ctx, x, 1); err == nil {
			t.Errorf("%s: they have a kernel", name)
		}
		if _, err := affinity.MedianDistance(ctx, x, rand.New(rand.NewPCG(1, 2)), 1); err == nil {
			t.Errorf("%s: they have a distance", name)
		}
	}
}
