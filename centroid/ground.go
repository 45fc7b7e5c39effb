package centroid

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// A ground is where a run of HMRF measures points against centres: it knows
// what a point costs by itself, pairs left aside.
type ground interface {
	// stand makes m what points are measured by from now on.
	stand(ctx context.Context, m *HMRFModel) error
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
	moved(before, now *keptSums) costChange
	// gain returns by how much the total changes when the centre of cluster h, of
	// the points that are summed up there, goes to another place; NaN: unknown.
	gain(sum *keptSums, h int, to []float64) float64
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
	p     space
	e     *cluster.Env
	rows  *search // in the space of the metric
	model *HMRFModel
	scale float64       // what a squared distance costs: 1, or ½ for the cosine
	packs *simd.Columns // the centres, side by side; nil where rows are sparse
}

func newShared(p space, e *cluster.Env) *shared {
	s := &shared{p: p, e: e, scale: 1}
	if p.cosine {
		s.scale = 0.5
	}
	return s
}

func (s *shared) stand(ctx context.Context, m *HMRFModel) error {
	if s.model == m {
		return nil
	}
	centres := m.seen()
	if !s.p.cosine {
		s.scale = 1
		if !m.bends() {
			s.scale = m.round
		}
	}
	q := *s.p.Problem
	if m.bends() {
		q.X = newSeen(s.p.X, m)
		if _, sparse := s.p.X.(*data.Sparse); sparse && m.Metric.Form().Shape == metric.Diagonal {
			var err error
			if q.X, err = m.Metric.TransformRows(ctx, s.e.Workers, 0, s.p.X); err != nil {
				return err
			}
		}
	}
	if s.packs = nil; isDense(q.X) {
		s.packs = simd.NewColumns(centres.K, centres.D)
		for h := range centres.K {
			s.packs.Set(h, centres.At(h))
		}
	}
	old := s.model
	s.model = m
	if s.rows == nil {
		s.rows = newSearch(space{Problem: &q, cosine: s.p.cosine, zeroMass: s.p.zeroMass}, s.e, centres)
		if !m.learned() {
			s.rows.round()
		}
		return nil
	}
	s.rows.p.Problem, s.rows.centres = &q, centres
	if x, ok := q.X.(*data.Sparse); !ok {
		s.rows.sparse = nil
	} else if s.rows.sparse == nil || x != s.rows.sparse.Sparse {
		s.rows.sparse = newSparseRows(s.e, x)
	}
	if old.Metric != m.Metric && (old.bends() || m.bends()) {
		return s.stretch(ctx, old, m)
	}
	return nil
}

// stretch carries the bounds of the search over from the space of one metric to
// that of the next: distances shrink at most by the root of the factor by which
// the weight of a feature falls most, and grow at most by that by which one rises
// most. Full metrics begin anew.
func (s *shared) stretch(ctx context.Context, old, m *HMRFModel) error {
	b, least, most := s.rows.bounds, math.Inf(1), 0.0
	if b == nil || b.last == nil {
		return nil
	}
	was, now := old.space(), m.space()
	if was == nil || now == nil {
		b.last = nil
		return nil
	}
	for f := range was {
		least, most = min(least, now[f]/was[f]), max(most, now[f]/was[f])
	}
	shrink, grow := math.Sqrt(least)/aboveRounding, math.Sqrt(most)*aboveRounding
	slack := 0.0 // what rounding may make of the centres
	for h := range b.last.K {
		slack = max(slack, 1e-14*math.Sqrt(data.Norm2(m.seen().At(h))))
	}
	err := spans(ctx, s.e.Workers, len(b.lower), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			h := s.rows.labels[i]
			b.beyond(i, h, max(b.least(i, h), 0)*shrink-slack)
			b.hold(i, h, b.most(i, h)*grow+slack)
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return err
	}
	last := make([]float64, len(b.last.C))
	for f := range was {
		r := math.Sqrt(now[f] / was[f])
		for at := f; at < len(last); at += len(was) {
			last[at] = b.last.C[at] * r
		}
	}
	b.last = NewCentres(b.last.K, b.last.D, last)
	return nil
}

func (s *shared) search(ctx context.Context) ([]int32, error) {
	err := s.rows.run(ctx, &assignment{first: true}) // whose moves are of no use: points need not follow
	return s.rows.labels, err
}

func (s *shared) bound(i int) float64 {
	if !s.rows.bounded {
		return 0
	}
	b := max(0, s.rows.bounds.least(i, s.rows.labels[i]))
	return s.scale * (b * b)
}

func (s *shared) gauge() gauge {
	buf, last, v := make([]float64, s.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = s.rows.p.X.Row(i, buf), i
		}
		return s.scale * s.rows.centres.dist2(v, h)
	}
}

func (s *shared) floors() floors {
	if s.packs == nil {
		return nil
	}
	buf := make([]float64, s.p.X.Dim())
	return func(i int, low []float64) {
		s.packs.Dist2(s.rows.p.X.Row(i, buf).Val, 0, s.packs.Panels(), low)
		for h := range low {
			low[h] *= s.scale / aboveRounding
		}
	}
}

func (s *shared) total(ctx context.Context, labels []int32) (float64, error) {
	pass := &distortion{Centres: s.rows.centres, Labels: labels, Weight: s.p.Weight}
	err := cluster.Sweep(ctx, s.e, s.rows.p.X, pass)
	return s.scale * pass.sum, err
}

func (s *shared) moved(before, now *keptSums) costChange {
	switch {
	case !s.model.bends():
		c := now.since(before, s.model.C, nil)
		return costChange{s.scale * c.by, s.scale * c.doubt}
	case s.model.Metric.Form().Shape == metric.Diagonal:
		return now.since(before, s.model.C, s.model.Metric.Weights(0))
	}
	return costChange{by: math.NaN()}
}

func (s *shared) gain(sum *keptSums, h int, to []float64) float64 {
	if s.model.bends() {
		return sum.gain(h, s.model.At(h), to, s.model.Metric)
	}
	return s.scale * sum.gain(h, s.model.At(h), to, nil)
}
