package score_test

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
)

func TestSilhouetteOfNoRows(t *testing.T) {
	for name, x := range map[string]data.Rows{"nil": nil, "nil dense": (*data.Dense)(nil), "none": &data.Dense{Cols: 1},
		"half a row": &data.Dense{Cols: 2, V: make([]float64, 7)}, "no such cell": &data.Sparse{Cols: 1, Start: []int{0, 1, 1, 1}, Idx: []int32{7}, Val: []float64{1}}} {
		if _, err := score.Silhouette(context.Background(), x, []int{0, 1, 1}, score.SilhouetteOptions{}); err == nil {
			t.Errorf("%s: they have a silhouette", name)
		}
	}
}
