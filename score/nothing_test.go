package score_test

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/score"
)

func TestSilhouetteOfNoRows(t *testing.T) {
	for name, x := range map[string]data.Rows{"nil": nil, "nil dense": (*data.Dense)(nil), "none": &data.Dense{Cols: 1}} {
		if _, err := score.Silhouette(context.Background(), x, []int{0, 1, 1}, score.SilhouetteOptions{}); err == nil {
			t.Errorf("%s: they have a silhouette", name)
		}
	}
}
