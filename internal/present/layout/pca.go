package layout

import (
	"context"
	"errors"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// How principal axes are computed: from at most this many rows, evenly spaced,
// with at most this many passes over them.
const (
	pcaRows   = 20_000
	pcaPasses = 200
	pcaTable  = 64 // up to this many features the covariance matrix is computed
)

// PCA projects rows onto the two directions along which they vary most, the first
// of them at least as much as the second. The axes come from at most 20,000 rows,
// in a fixed order: the same rows give the same picture.
func PCA(ctx context.Context, x data.Rows, workers int) (*Projection, error) {
	if x == nil {
		return nil, errors.New("rows must not be nil")
	}
	n, d := x.Len(), x.Dim()
	p := &Projection{X: make([]float64, n), Y: make([]float64, n), Name: "principal components"}
	if n == 0 || d == 0 {
		return p, ctx.Err()
	}
	c := newSampledRows(ctx, x, workers)
	if !(c.total > 0) || math.IsInf(c.total, 1) {
		return p, ctx.Err() // all rows are equal, or the variance overflows
	}
	axes, err := c.axes()
	if err != nil {
		return nil, err
	}
	shown := 0.0
	for _, y := range axes.Values {
		shown += y
	}
	p.Share = min(1, shown/c.total)
	out := [][]float64{p.X, p.Y}
	offset := make([]float64, len(axes.Vectors))
	for a, axis := range axes.Vectors {
		offset[a] = data.Dot(data.Vec{Val: c.mean}, axis)
	}
	err = blocks.Each(ctx, workers, n, func(lo, hi int) struct{} {
		buf := make([]float64, d)
		for i := lo; i < hi; i++ {
			v := x.Row(i, buf)
			for a, axis := range axes.Vectors {
				out[a][i] = data.Dot(v, axis) - offset[a]
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	return p, err
}

// sampledRows are the rows that axes are computed from. As an eigen.Operator it is
// their covariance matrix.
type sampledRows struct {
	ctx     context.Context // kept for Apply, which returns no error
	workers int
	x       data.Rows
	rows    []int
	mean    []float64
	total   float64 // variance in all directions
}

func newSampledRows(ctx context.Context, x data.Rows, workers int) *sampledRows {
	c := &sampledRows{ctx: ctx, workers: workers, x: x, mean: make([]float64, x.Dim())}
	for i := 0; i < x.Len(); i += 1 + (x.Len()-1)/pcaRows {
		c.rows = append(c.rows, i)
	}
	buf := make([]float64, x.Dim())
	for _, i := range c.rows {
		data.Add(c.mean, x.Row(i, buf), 1/float64(len(c.rows)))
	}
	mean2 := data.Norm2(c.mean)
	for _, i := range c.rows {
		c.total += data.Dist2(x.Row(i, buf), c.mean, mean2)
	}
	c.total /= float64(len(c.rows))
	return c
}

// axes returns the two directions of the greatest variance, at right angles, and
// their variances. They have nine digits unless the passes run out before.
func (c *sampledRows) axes() (*eigen.Pairs, error) {
	o := eigen.Options{K: min(2, c.Dim()), End: eigen.High, Tol: 1e-9, Max: pcaPasses, Workers: c.workers}
	if c.Dim() > pcaTable {
		return eigen.Lanczos(c.ctx, c, o)
	}
	table := eigen.ToDense(c.ctx, c)
	if err := c.ctx.Err(); err != nil {
		return nil, err
	}
	return eigen.Symmetric(c.ctx, table, o)
}

// Dim returns the number of features.
func (c *sampledRows) Dim() int { return len(c.mean) }

// Apply sets out to the covariance matrix times v; the result is undefined when the
// context has ended.
func (c *sampledRows) Apply(out, v []float64) {
	clear(out)
	sum, at := 0.0, data.Dot(data.Vec{Val: c.mean}, v)
	type part struct {
		out []float64
		sum float64
	}
	_ = blocks.Each(c.ctx, c.workers, len(c.rows), func(lo, hi int) part {
		p, buf := part{out: make([]float64, len(v))}, make([]float64, len(v))
		for _, i := range c.rows[lo:hi] {
			row := c.x.Row(i, buf)
			t := data.Dot(row, v) - at
			p.sum += t
			data.Add(p.out, row, t)
		}
		return p
	}, func(_, _ int, p part) {
		data.Add(out, data.Vec{Val: p.out}, 1)
		sum += p.sum
	})
	data.Add(out, data.Vec{Val: c.mean}, -sum)
	for f := range out {
		out[f] /= float64(len(c.rows))
	}
}
