package centroid

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// A ground is where a run of HMRF measures points against centres: it knows
// what a point costs by itself, pairs left aside.
type ground interface {
	// stand makes m what points are measured by from now on.
	stand(ctx context.Context, m *HMRFModel) error
	// search finds the cheapest cluster of every point, what it costs there for
	// a weight of 1, and adds up the rows by these clusters.
	search(ctx context.Context) (near []int32, low []float64, sum *sums, err error)
	// bound returns at most what point i costs anywhere but in near.
	bound(i int) float64
	// gauge returns a measure for one goroutine.
	gauge() gauge
	// floors returns what bounds a measure, for one goroutine; nil: nothing is
	// quicker than measuring.
	floors() floors
	// total returns Σ w_i times what point i costs in its cluster, computed from
	// nothing.
	total(ctx context.Context, labels []int32) (float64, error)
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
	dist  []float64
	sums  *sums
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
		q.X = &seen{s.p.X, m.Metric}
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
		s.rows = newSearch(space{Problem: &q, cosine: s.p.cosine, zeroMass: s.p.zeroMass}, s.e, centres, true)
		if !m.learned() {
			s.rows.round()
		}
		s.dist, s.sums = make([]float64, q.X.Len()), newSums(centres.K, centres.D)
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
// the weight of a feature falls most. Full metrics begin anew.
func (s *shared) stretch(ctx context.Context, old, m *HMRFModel) error {
	b, least := s.rows.bounds, math.Inf(1)
	if b == nil || b.last == nil {
		return nil
	}
	was, now := old.space(), m.space()
	if was == nil || now == nil {
		b.last = nil
		return nil
	}
	for f := range was {
		least = min(least, now[f]/was[f])
	}
	shrink := math.Sqrt(least) / aboveRounding
	slack := 0.0 // what rounding may make of the centres
	for h := range b.last.K {
		slack = max(slack, 1e-14*math.Sqrt(data.Norm2(m.seen().At(h))))
	}
	err := spans(ctx, s.e.Workers, len(b.lower), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			h := s.rows.labels[i]
			b.beyond(i, h, max(b.least(i, h), 0)*shrink-slack)
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

func (s *shared) search(ctx context.Context) ([]int32, []float64, *sums, error) {
	if s.rows.sparse == nil {
		s.sums.clear()
	}
	if err := s.rows.run(ctx, &assignment{Dist: s.dist, sums: s.sums}); err != nil {
		return nil, nil, nil, err
	}
	if s.rows.sparse != nil {
		if err := s.settleSparse(ctx); err != nil {
			return nil, nil, nil, err
		}
	}
	if s.scale != 1 {
		err := spans(ctx, s.e.Workers, len(s.dist), func(lo, hi int) struct{} {
			for i := lo; i < hi; i++ {
				s.dist[i] *= s.scale
			}
			return struct{}{}
		}, func(int, int, struct{}) {})
		if err != nil {
			return nil, nil, nil, err
		}
	}
	return s.rows.labels, s.dist, s.sums, nil
}

// settleSparse adds up and measures sparse rows, one cluster a task, so that its
// sum and its centre stay in cache. Merging sums of blocks would cost far more,
// as they are as wide as the data.
func (s *shared) settleSparse(ctx context.Context) error {
	kept, all := newKeptSums(s.p.K, s.sums.D), change{labels: s.rows.labels}
	if _, err := kept.follow(ctx, s.e, s.rows.p.Problem, s.rows.centres, all); err != nil {
		return err
	}
	s.sums = kept.sums
	start, rows := kept.plan(all)
	err := blocks.Tasks(ctx, s.e.Workers, s.p.K, func(h int) {
		s.rows.sparse.measure(s.rows.centres, h, rows[start[h]:start[h+1]], s.dist)
	})
	if err != nil || !s.model.bends() || s.model.Metric.Form().Shape != metric.Diagonal {
		return err
	}
	for f, a := range s.model.roots() { // back to the rows as they were given
		for h := range s.p.K {
			s.sums.at(h)[f] /= a
		}
	}
	return nil
}

func (s *shared) bound(i int) float64 {
	low := s.dist[i]
	if s.rows.bounded {
		b := s.rows.bounds.least(i, s.rows.labels[i])
		return max(low, s.scale*(b*b))
	}
	return low
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
