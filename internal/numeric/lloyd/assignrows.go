package lloyd

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// NearestDistances returns the squared distance of each of the rows x in memory to the
// nearest of the centres c.
func NearestDistances(x data.Rows, c *Centres) []float64 {
	packed, dist := Pack(c, x), make([]float64, x.Len())
	for lo := 0; lo < len(dist); lo += blocks.Len {
		hi := min(len(dist), lo+blocks.Len)
		packed.NearestDistances(x, lo, hi, dist[lo:hi])
	}
	return dist
}

// AssignRows finds the nearest of the centres c for rows x in memory, transformed by m
// first unless m is nil.
func AssignRows(ctx context.Context, workers int, x data.Rows, c *Centres, m *metric.Learned) (*Assigned, error) {
	n, e, rows := x.Len(), &cluster.Env{Workers: workers}, x
	if m != nil {
		rows = NewTransformedRows(x, m)
	}
	packed := Pack(c, rows)
	out := &Assigned{Centres: c, Metric: m, Labels: slices.Repeat([]int32{-1}, n), Sums: NewKeptSums(c.K, c.D)}
	if err := cluster.Sweep(ctx, e, rows, &assignment{Centres: packed, Labels: out.Labels, First: true, parts: new(sync.Pool)}); err != nil {
		return nil, err
	}
	if _, err := out.Sums.Update(ctx, e, &cluster.Problem{X: x, K: c.K}, nil, out.Labels, nil); err != nil {
		return nil, err
	}
	pass := &distortionPass{Centres: packed, Labels: out.Labels}
	return out, blocks.Each(ctx, workers, n, func(lo, hi int) float64 { return pass.Block(rows, lo, hi) },
		func(_, _ int, part float64) { out.Distortion = append(out.Distortion, part) })
}
