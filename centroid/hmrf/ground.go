package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// A ground is where a run of HMRF measures points against centres: it knows
// what a point costs by itself, pairs left aside.
type ground interface {
	// stand makes m what points are measured by from now on.
	stand(ctx context.Context, m *Model) error
	// search finds the cheapest cluster of every point.
	search(ctx context.Context) (near []int32, err error)
	// bound returns at most what point i costs anywhere but in near, for a weight
	// of 1.
	bound(i int) float64
	// gauge returns a measure for one goroutine.
	gauge() gauge
	// floors returns what bounds a measure, for one goroutine; nil: nothing is
	// quicker than measuring.
	floors() floors
	// total returns Σ w_i times what point i costs in its cluster, computed from
	// nothing.
	total(ctx context.Context, labels []int32) (float64, error)
	// moved returns by how much the total has changed with the sums of points that
	// have moved; NaN: unknown.
	moved(before, now *lloyd.KeptSums) lloyd.CostChange
	// gain returns by how much the total changes when the centre of cluster h, of
	// the points that are summed up there, goes to another place; NaN: unknown.
	gain(sum *lloyd.KeptSums, h int, to []float64) float64
}

// A gauge returns what point i costs in cluster h, for a weight of 1. It is
// quickest for one point after the other.
type gauge func(i, h int) float64

// floors write at most what point i costs in each cluster, for a weight of 1, to
// low, which has room for whole panels of clusters.
type floors func(i int, low []float64)

// shared is the ground of one metric for all clusters, the cosine among them:
// there a transformed space is searched as k-means searches its own.
type shared struct {
	p     lloyd.Space
	e     *cluster.Env
	rows  *lloyd.Search // in the space of the metric
	model *Model
	scale float64       // what a squared distance costs: 1, or ½ for the cosine
	packs *simd.Columns // the centres, side by side; nil where rows are sparse
}

func newShared(p lloyd.Space, e *cluster.Env) *shared {
	s := &shared{p: p, e: e, scale: 1}
	if p.Cosine {
		s.scale = 0.5
	}
	return s
}

func (s *shared) stand(ctx context.Context, m *Model) error {
	if s.model == m {
		return nil
	}
	centres := m.seen()
	if !s.p.Cosine {
		s.scale = 1
		if !m.bends() {
			s.scale = m.round
		}
	}
	q := *s.p.Problem
	if m.bends() {
		q.X = lloyd.NewTransformedRows(s.p.X, m.Metric)
		if _, sparse := s.p.X.(*data.Sparse); sparse && m.Metric.Form().Shape == metric.Diagonal {
			var err error
			if q.X, err = m.Metric.TransformRows(ctx, s.e.Workers, 0, s.p.X); err != nil {
				return err
			}
		}
	}
	if s.packs = nil; lloyd.IsDense(q.X) {
		s.packs = simd.NewColumns(centres.K, centres.D)
		for h := range centres.K {
			s.packs.Set(h, centres.At(h))
		}
	}
	old := s.model
	s.model = m
	if s.rows == nil {
		s.rows = lloyd.NewSearch(s.p.WithProblem(&q), s.e, centres)
		if !m.learned() {
			s.rows.KeepRounded()
		}
		return nil
	}
	s.rows.Replace(&q, centres)
	if old.Metric != m.Metric && (old.bends() || m.bends()) {
		return s.rows.RescaleBounds(ctx, old.space(), m.space())
	}
	return nil
}

func (s *shared) search(ctx context.Context) ([]int32, error) {
	err := s.rows.AssignAll(ctx) // moves are not needed: points need not follow
	return s.rows.Labels(), err
}

func (s *shared) bound(i int) float64 {
	b := s.rows.LowerBound(i)
	return s.scale * (b * b)
}

func (s *shared) gauge() gauge {
	buf, last, v := make([]float64, s.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = s.rows.Rows().Row(i, buf), i
		}
		return s.scale * s.rows.Centres().Dist2(v, h)
	}
}

func (s *shared) floors() floors {
	if s.packs == nil {
		return nil
	}
	buf := make([]float64, s.p.X.Dim())
	return func(i int, low []float64) {
		s.packs.Dist2(s.rows.Rows().Row(i, buf).Val, 0, s.packs.Panels(), low)
		for h := range low {
			low[h] *= s.scale / lloyd.RoundingMargin
		}
	}
}

func (s *shared) total(ctx context.Context, labels []int32) (float64, error) {
	sum, err := s.rows.TotalDistortion(ctx, labels, s.p.Weight)
	return s.scale * sum, err
}

func (s *shared) moved(before, now *lloyd.KeptSums) lloyd.CostChange {
	switch {
	case !s.model.bends():
		c := now.CostSince(before, s.model.C, nil)
		return lloyd.CostChange{Delta: s.scale * c.Delta, Error: s.scale * c.Error}
	case s.model.Metric.Form().Shape == metric.Diagonal:
		return now.CostSince(before, s.model.C, s.model.Metric.Weights(0))
	}
	return lloyd.CostChange{Delta: math.NaN()}
}

func (s *shared) gain(sum *lloyd.KeptSums, h int, to []float64) float64 {
	if s.model.bends() {
		return sum.CentreMoveCost(h, s.model.At(h), to, s.model.Metric)
	}
	return s.scale * sum.CentreMoveCost(h, s.model.At(h), to, nil)
}
