package report

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// How principal axes are found: from at most this many rows, evenly spaced, and
// in at most this many rounds.
const (
	pcaRows   = 20_000
	pcaRounds = 100
)

// PCA projects rows onto the two directions along which they vary most. The
// axes come from at most 20,000 of them, by power iteration in a fixed order:
// the same rows give the same picture.
func PCA(ctx context.Context, x data.Rows, workers int) (*Projection, error) {
	n, d := x.Len(), x.Dim()
	p := &Projection{X: make([]float64, n), Y: make([]float64, n), Name: "principal components"}
	if n == 0 || d == 0 {
		return p, ctx.Err()
	}
	c := newCloud(x)
	axes, shares := [][]float64{}, 0.0
	for range min(2, d) {
		axis, variance, err := c.axis(ctx, axes, workers)
		if err != nil {
			return nil, err
		}
		axes, shares = append(axes, axis), shares+variance
	}
	if c.total > 0 {
		p.Share = min(1, shares/c.total)
	}
	out := [][]float64{p.X, p.Y}
	offset := make([]float64, len(axes))
	for a, axis := range axes {
		offset[a] = data.Dot(data.Vec{Val: c.mean}, axis)
	}
	err := blocks.Each(ctx, workers, n, func(lo, hi int) struct{} {
		buf := make([]float64, d)
		for i := lo; i < hi; i++ {
			v := x.Row(i, buf)
			for a, axis := range axes {
				out[a][i] = data.Dot(v, axis) - offset[a]
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	return p, err
}

// A cloud is the rows that axes are found from.
type cloud struct {
	x     data.Rows
	rows  []int
	mean  []float64
	total float64 // variance in all directions
}

func newCloud(x data.Rows) *cloud {
	c := &cloud{x: x, mean: make([]float64, x.Dim())}
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

// axis returns the direction of the greatest variance at right angles to those
// found before, and that variance. Where there is none left any such direction
// will do.
func (c *cloud) axis(ctx context.Context, found [][]float64, workers int) (v []float64, variance float64, err error) {
	r := rand.New(rand.NewPCG(uint64(len(found)), 1))
	v = make([]float64, len(c.mean))
	for f := range v {
		v[f] = r.NormFloat64()
	}
	unitAside(v, found)
	for range pcaRounds {
		next, err := c.times(ctx, v, workers)
		if err != nil {
			return nil, 0, err
		}
		now := unitAside(next, found)
		if now == 0 {
			return v, 0, nil
		}
		same := math.Abs(data.Dot(data.Vec{Val: v}, next))
		v, variance = next, now
		if same > 1-1e-10 {
			break
		}
	}
	turn(v)
	return v, variance, nil
}

// times returns the covariance of the cloud times v.
func (c *cloud) times(ctx context.Context, v []float64, workers int) ([]float64, error) {
	out, sum := make([]float64, len(v)), 0.0
	at := data.Dot(data.Vec{Val: c.mean}, v)
	type part struct {
		out []float64
		sum float64
	}
	err := blocks.Each(ctx, workers, len(c.rows), func(lo, hi int) part {
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
	return out, err
}

// unitAside takes from v what lies along others and brings it to length 1; it
// returns the length before, 0 where nothing is left.
func unitAside(v []float64, others [][]float64) float64 {
	for _, o := range others {
		data.Add(v, data.Vec{Val: o}, -data.Dot(data.Vec{Val: v}, o))
	}
	l := math.Sqrt(data.Norm2(v))
	if l < 1e-300 {
		return 0
	}
	for f := range v {
		v[f] /= l
	}
	return l
}

// turn gives v the sign with which its largest entry is positive.
func turn(v []float64) {
	most := 0
	for f := range v {
		if math.Abs(v[f]) > math.Abs(v[most]) {
			most = f
		}
	}
	if v[most] < 0 {
		for f := range v {
			v[f] = -v[f]
		}
	}
}
