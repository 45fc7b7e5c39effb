package affinity

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// medianRows is the number of rows that MedianDistance samples: two million
// pairs.
const medianRows = 2000

// ErrNoDistance is returned where a width should come from distances, and all
// rows are equal.
var ErrNoDistance = errors.New("all rows are equal, so there is no median distance; give a width")

// MedianDistance returns the median of the distances ‖x_i − x_j‖, i < j, the mean
// of the two middle ones if their number is even. Above 2000 rows it is that of
// all pairs of 2000 rows drawn by rng. If more than half of the pairs are at
// distance 0 it is the median of the others, so that the result is positive; if
// all are, the error is ErrNoDistance.
func MedianDistance(ctx context.Context, x data.Rows, rng *rand.Rand, workers int) (float64, error) {
	if x == nil {
		return 0, errNoRows
	}
	if err := checkRows(x); err != nil {
		return 0, err
	}
	if x.Len() > medianRows {
		x = sampleRows(x, rng, medianRows)
	}
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return 0, err
	}
	dist := make([]float64, t.n*(t.n-1)/2)
	err = blocks.Tasks(ctx, workers, t.n, func(i int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		if i > 0 {
			copy(dist[i*(i-1)/2:], t.squaredDistances(i, t, 0, i, r))
		}
	})
	if err != nil {
		return 0, err
	}
	if m := medianRoot(dist); m > 0 {
		return m, nil
	}
	dist = slices.DeleteFunc(dist, func(y float64) bool { return y == 0 })
	if len(dist) == 0 {
		return 0, ErrNoDistance
	}
	return medianRoot(dist), nil
}
