package affinity

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// nearestCentres returns the nearest centre of each row.
func (t *rowTable) nearestCentres(ctx context.Context, m int, c []float64, workers int) ([]int32, error) {
	group, packed, d := make([]int32, t.n), simd.Pack(m, t.d, c), t.d
	t.denseRow(0) // the rows one after the other
	err := blocks.Tasks(ctx, workers, (t.n+blocks.Len-1)/blocks.Len, func(task int) {
		lo, hi := task*blocks.Len, min(t.n, (task+1)*blocks.Len)
		var b simd.Block
		packed.Nearest64(t.denseValues[lo*d:hi*d], &b)
		copy(group[lo:hi], b.Label)
	})
	return group, err
}

// groupMeans returns the means of the groups, the old centre where there are no rows.
func (t *rowTable) groupMeans(m int, old []float64, group []int32) []float64 {
	d := t.d
	c, count := make([]float64, len(old)), make([]float64, m)
	for i, g := range group {
		count[g]++
		for f, y := range t.denseRow(i) {
			c[int(g)*d+f] += y
		}
	}
	for p := range c {
		if n := count[p/d]; n > 0 {
			c[p] /= n
		} else {
			c[p] = old[p]
		}
	}
	return c
}

// newSieve makes room for n rows of t, less their mean.
func (t *rowTable) newSieve(n int) *simd.Sieve {
	d := t.d
	mean, radius, length := make([]float64, d), 0.0, 0.0
	for i := range t.n {
		for f, y := range t.denseRow(i) {
			mean[f] += y
		}
	}
	for f := range mean {
		mean[f] /= float64(t.n)
	}
	for i := range t.n {
		radius, length = max(radius, simd.Dist2(t.denseRow(i), mean)), max(length, t.norm[i])
	}
	return simd.NewSieve(n, mean, math.Sqrt(radius), math.Sqrt(length)+math.Sqrt(simd.Dist2(mean, make([]float64, d))))
}
