package hierarchy

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// CoreDistances returns the distance of each row to its minPoints-th nearest row,
// or to the farthest if there are fewer (Campello et al. 2015, definition 1). The
// row itself counts as the first: minPoints is min_samples + 1 of hdbscan 0.8 and
// of fast_hdbscan, min_samples of scikit-learn. With minPoints 1 all are 0.
func CoreDistances(ctx context.Context, x data.Rows, minPoints, workers int) ([]float64, error) {
	core, err := roomForCore(x, minPoints)
	if err != nil {
		return nil, err
	}
	if len(core) < 2 || minPoints == 1 {
		return core, ctx.Err()
	}
	near, err := affinity.KNN(ctx, x, minPoints-1, affinity.KNNOptions{Method: affinity.SearchExact, Workers: workers})
	if err != nil {
		return nil, err
	}
	fillCore(core, near, minPoints)
	return core, nil
}

func roomForCore(x data.Rows, minPoints int) ([]float64, error) {
	if minPoints < 1 {
		return nil, fmt.Errorf("the number of points must be at least 1, got %d", minPoints)
	}
	if x == nil {
		return nil, errNoRows
	}
	return make([]float64, x.Len()), nil
}

// fillCore writes the core distances by neighbours, at least minPoints−1 of each row
// unless there are fewer.
func fillCore(core []float64, near *affinity.Neighbours, minPoints int) {
	if minPoints == 1 {
		return
	}
	for i := range core {
		_, dist2 := near.NeighboursOf(i)
		core[i] = math.Sqrt(dist2[min(minPoints-1, len(dist2))-1])
	}
}
