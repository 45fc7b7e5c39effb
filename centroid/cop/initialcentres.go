package cop

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// initialCentres chooses the first centres: for a labelled class the mean of its
// points, for the rest by k-means++ over the chunklets. When ctx ends it draws with
// the distances computed so far. (The paper draws random points.)
func (l *chunklets) initialCentres(ctx context.Context, e *cluster.Env) []float64 {
	n := len(l.weight)
	c, set := make([]float64, l.k*l.d), make([]bool, l.k)
	near := make([]float64, n) // squared distance to the nearest centre so far
	for q := range near {
		near[q] = math.Inf(1)
	}
	setCentre := func(h, q int) {
		set[h] = true
		row := c[h*l.d : (h+1)*l.d]
		clear(row)
		data.Add(row, l.position(int32(q), make([]float64, l.d)), 1)
		norm := data.Norm2(row)
		_ = blocks.Each(ctx, e.Workers, n, func(lo, hi int) struct{} {
			buf := make([]float64, l.d)
			for p := lo; p < hi; p++ {
				near[p] = min(near[p], data.Dist2(l.position(int32(p), buf), row, norm))
			}
			return struct{}{}
		}, func(int, int, struct{}) {})
	}
	for _, q := range l.closed.Labelled() {
		setCentre(l.closed.Class(int(q)), int(q))
	}
	cumulative := make([]float64, n)
	for h := range l.k {
		if set[h] {
			continue
		}
		sum := 0.0
		for q, x := range near {
			if math.IsInf(x, 1) {
				x = 1 // the first centre is drawn by weight alone
			}
			sum += l.weight[q] * x
			cumulative[q] = sum
		}
		q := e.Rand.IntN(n)
		if sum > 0 {
			q = lloyd.DrawCumulative(cumulative, e.Rand.Float64())
		}
		setCentre(h, q)
	}
	return c
}
