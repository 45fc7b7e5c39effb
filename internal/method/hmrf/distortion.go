package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A distortion computes what points cost by themselves, D_A(x_i, μ_h), without
// pairs and labels.
type distortion interface {
	// setModel sets the centres and the metric.
	setModel(ctx context.Context, m *Model) error
	// nearestClusters finds the cheapest cluster of every point.
	nearestClusters(ctx context.Context) (near []int32, err error)
	// boundElsewhere returns a lower bound on what point i costs in any cluster
	// but the nearest, for a weight of 1.
	boundElsewhere(i int) float64
	// leastElsewhere returns a function for one goroutine: the least that point i costs
	// in any cluster but near, the nearest, for a weight of 1; 0: not computed. It does
	// not depend on bounds of the passes before.
	leastElsewhere() func(i int, near int32) float64
	// pointCost returns a function for one goroutine.
	pointCost() pointCost
	// lowerBounds returns a function for one goroutine; nil: nothing is faster
	// than pointCost.
	lowerBounds() lowerBounds
	// totalCost returns Σ w_i times what point i costs in its cluster, computed
	// from the labels.
	totalCost(ctx context.Context, labels []int32) (float64, error)
	// changeByMoves returns by how much the total has changed with the sums of
	// the clusters; NaN: unknown.
	changeByMoves(before, now *lloyd.KeptSums) lloyd.CostChange
	// changeByCentre returns by how much the total changes when the centre of
	// cluster h moves; NaN: unknown.
	changeByCentre(sum *lloyd.KeptSums, h int, to []float64) float64
}

// A pointCost returns what point i costs in cluster h, for a weight of 1. It is
// fastest when all clusters of a point are asked for in turn.
type pointCost func(i, h int) float64

// lowerBounds write lower bounds on what point i costs in each cluster, for a
// weight of 1, to low, which has room for whole panels of clusters.
type lowerBounds func(i int, low []float64)

// sharedDistortion is the distortion under one metric for all clusters, or the
// cosine: the rows are transformed, and searched as k-means searches its rows.
type sharedDistortion struct {
	p       lloyd.Space
	e       *cluster.Env
	search  *lloyd.Search // in the space of the metric
	model   *Model
	scale   float64       // what a squared distance costs: 1, or ½ for the cosine
	columns *simd.Columns // the centres, by columns; nil where rows are sparse
}

func newSharedDistortion(p lloyd.Space, e *cluster.Env) *sharedDistortion {
	s := &sharedDistortion{p: p, e: e, scale: 1}
	if p.Distance.Unit {
		s.scale = 0.5
	}
	return s
}

func (s *sharedDistortion) setModel(ctx context.Context, m *Model) error {
	if s.model == m {
		return nil
	}
	centres := m.transformedCentres()
	if !s.p.Distance.Unit {
		s.scale = 1
		if !m.needsTransform() {
			s.scale = m.isotropic
		}
	}
	q := *s.p.Problem
	if m.needsTransform() {
		q.X = lloyd.NewTransformedRows(s.p.X, m.Metric)
		if _, sparse := s.p.X.(*data.Sparse); sparse && m.Metric.Form().Shape == metric.Diagonal {
			var err error
			if q.X, err = m.Metric.TransformRows(ctx, s.e.Workers, 0, s.p.X); err != nil {
				return err
			}
		}
	}
	if s.columns = nil; lloyd.IsDense(q.X) {
		s.columns = simd.NewColumns(centres.K, centres.D)
		for h := range centres.K {
			s.columns.Set(h, centres.At(h))
		}
	}
	old := s.model
	s.model = m
	if s.search == nil {
		s.search = lloyd.NewSearch(s.p.WithProblem(&q), s.e, centres)
		if !m.learned() {
			s.search.KeepRounded()
		}
		return nil
	}
	s.search.Replace(&q, centres)
	if old.Metric != m.Metric && (old.needsTransform() || m.needsTransform()) {
		return s.search.RescaleBounds(ctx, old.searchWeights(), m.searchWeights())
	}
	return nil
}

func (s *sharedDistortion) nearestClusters(ctx context.Context) ([]int32, error) {
	err := s.search.AssignAll(ctx) // the moves are not needed
	return s.search.Labels(), err
}

func (s *sharedDistortion) boundElsewhere(i int) float64 {
	b := s.search.LowerBound(i)
	return s.scale * (b * b)
}

// minMarginClusters is the number of clusters from which leastElsewhere is computed.
const minMarginClusters = 8

func (s *sharedDistortion) leastElsewhere() func(i int, near int32) float64 {
	if s.columns == nil || s.p.K < minMarginClusters {
		return func(int, int32) float64 { return 0 }
	}
	cost, lowerBounds, low := s.pointCost(), s.lowerBounds(), make([]float64, s.columns.Panels()*simd.PanelRows)
	return func(i int, near int32) float64 {
		lowerBounds(i, low)
		least := math.Inf(1)
		for h, bound := range low[:s.p.K] {
			if int32(h) != near && bound < least {
				least = min(least, cost(i, h))
			}
		}
		return least
	}
}

func (s *sharedDistortion) pointCost() pointCost {
	buf, last, v := make([]float64, s.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = s.search.Rows().Row(i, buf), i
		}
		return s.scale * s.search.Centres().Dist2(v, h)
	}
}

func (s *sharedDistortion) lowerBounds() lowerBounds {
	if s.columns == nil {
		return nil
	}
	buf := make([]float64, s.p.X.Dim())
	return func(i int, low []float64) {
		s.columns.Dist2(s.search.Rows().Row(i, buf).Val, 0, s.columns.Panels(), low)
		for h := range low {
			low[h] *= s.scale / lloyd.RoundingMargin
		}
	}
}

func (s *sharedDistortion) totalCost(ctx context.Context, labels []int32) (float64, error) {
	sum, err := s.search.TotalDistortion(ctx, labels, s.p.Weight)
	return s.scale * sum, err
}

func (s *sharedDistortion) changeByMoves(before, now *lloyd.KeptSums) lloyd.CostChange {
	switch {
	case !s.model.needsTransform():
		c := now.CostSince(before, s.model.C, nil, s.e.Workers)
		return lloyd.CostChange{Delta: s.scale * c.Delta, Error: s.scale * c.Error}
	case s.model.Metric.Form().Shape == metric.Diagonal:
		return now.CostSince(before, s.model.C, s.model.Metric.Weights(0), s.e.Workers)
	}
	return lloyd.CostChange{Delta: math.NaN()}
}

func (s *sharedDistortion) changeByCentre(sum *lloyd.KeptSums, h int, to []float64) float64 {
	if s.model.needsTransform() {
		return sum.CentreMoveCost(h, s.model.At(h), to, s.model.Metric)
	}
	return s.scale * sum.CentreMoveCost(h, s.model.At(h), to, nil)
}
