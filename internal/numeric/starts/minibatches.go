package starts

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// MiniBatches moves the first centres by mini-batches (Sculley 2010): each of count
// batches draws rows at random, and every centre moves to the mean of all rows
// that batches have assigned to it so far. It is for data whose full iterations take
// long: they then start near their end. J may rise meanwhile; the full iterations
// start afterwards, or when ctx ends.
func MiniBatches(ctx context.Context, s lloyd.Space, e *cluster.Env, c *lloyd.Centres, count int) *lloyd.Centres {
	n := s.X.Len()
	rows := min(n, blocks.Len)
	mass := make([]float64, c.K)
	buf := make([]float64, c.D)
	for range count {
		if ctx.Err() != nil {
			break
		}
		batch := &data.Dense{Cols: c.D, V: make([]float64, 0, rows*c.D)}
		weights := make([]float64, rows)
		for j := range rows {
			i := e.Rand.IntN(n)
			batch.V = append(batch.V, data.Copy(s.X, i)...)
			weights[j] = s.W(i)
		}
		labels := make([]int, rows)
		lloyd.Pack(c, batch).Place(batch, 0, rows, labels)
		sum := lloyd.NewSums(c.K, c.D)
		for j, h := range labels {
			sum.Add(h, batch.Row(j, buf), weights[j], 1)
		}
		next := append([]float64(nil), c.C...)
		for h, m := range sum.Mass {
			if m == 0 {
				continue
			}
			mass[h] += m
			at := next[h*c.D : (h+1)*c.D]
			for f, y := range sum.At(h) {
				at[f] += (y - m*at[f]) / mass[h]
			}
		}
		c = s.Project(lloyd.NewCentres(c.K, c.D, next))
	}
	return c
}
