package affinity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// medianRows is how many rows MedianDistance looks at: two million pairs.
const medianRows = 2000

// ErrNoDistance is returned where a width should come from distances, and all
// rows are equal.
var ErrNoDistance = errors.New("all rows are equal, so there is no median distance; give a width")

// MedianDistance returns the median of the distances ‖x_i − x_j‖, i < j, the
// mean of the two middle ones if their number is even. Above 2000 rows it is
// that of 2000 rows drawn by rng, all their pairs. Where more than half of the
// pairs are at distance 0 it is the median of the others, so that the result is
// positive; if all are, it is ErrNoDistance.
func MedianDistance(ctx context.Context, x data.Rows, rng *rand.Rand, workers int) (float64, error) {
	if x == nil {
		return 0, errNoRows
	}
	if err := sound(x); err != nil {
		return 0, err
	}
	if x.Len() > medianRows {
		x = sampled(x, rng, medianRows)
	}
	t, err := newTable(ctx, x, workers)
	if err != nil {
		return 0, err
	}
	dist := make([]float64, t.n*(t.n-1)/2)
	err = blocks.Tasks(ctx, workers, t.n, func(i int) {
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		if i > 0 {
			copy(dist[i*(i-1)/2:], t.dists(i, t, 0, i, r))
		}
	})
	if err != nil {
		return 0, err
	}
	if m := median(dist); m > 0 {
		return m, nil
	}
	dist = slices.DeleteFunc(dist, func(y float64) bool { return y == 0 })
	if len(dist) == 0 {
		return 0, ErrNoDistance
	}
	return median(dist), nil
}

// median returns the median of the roots of v, which it reorders.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	h := len(v) / 2
	y := math.Sqrt(nth(v, h))
	if len(v)%2 == 1 {
		return y
	}
	return (math.Sqrt(slices.Max(v[:h])) + y) / 2 // nth leaves the lesser half in front
}

// nth returns element m of v sorted, and leaves no greater one before place m.
// (Hoare's selection.)
func nth(v []float64, m int) float64 {
	lo, hi := 0, len(v)-1
	for tries := 0; lo < hi; tries++ {
		if tries == 64 { // unlucky
			slices.Sort(v[lo : hi+1])
			break
		}
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		mid := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < mid {
				i++
			}
			for v[j] > mid {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case m <= j:
			hi = j
		case m >= i:
			lo = i
		default:
			return v[m]
		}
	}
	return v[m]
}

// sampled returns m rows of x, drawn without replacement, in rising order.
func sampled(x data.Rows, rng *rand.Rand, m int) data.Rows {
	return data.Subset(x, draw(rng, x.Len(), m))
}

// draw returns m of 0 to n−1, m ≤ n, rising (Floyd's method).
func draw(rng *rand.Rand, n, m int) []int {
	taken, rows := make(map[int]bool, m), make([]int, 0, m)
	for j := n - m; j < n; j++ {
		i := rng.IntN(j + 1)
		if taken[i] {
			i = j
		}
		taken[i] = true
		rows = append(rows, i)
	}
	slices.Sort(rows)
	return rows
}
