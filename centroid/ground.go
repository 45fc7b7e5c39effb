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
	lloyd *lloyd
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
	if s.lloyd == nil {
		s.lloyd = newLloyd(space{Problem: &q, cosine: s.p.cosine, zeroMass: s.p.zeroMass}, s.e, centres)
		return nil
	}
	s.lloyd.p.Problem, s.lloyd.centres = &q, centres
	if x, ok := q.X.(*data.Sparse); !ok {
		s.lloyd.sparse = nil
	} else if s.lloyd.sparse == nil || x != s.lloyd.sparse.Sparse {
		s.lloyd.sparse = newSparseRows(s.e, x)
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
	b, least := &s.lloyd.bounds, math.Inf(1)
	if b.last == nil {
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
	err := s.everywhere(ctx, b.lower, func(lower []float64) {
		for i, l := range lower {
			lower[i] = l*shrink - slack
		}
	})
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

// everywhere does something to all numbers, a number for each row.
func (s *shared) everywhere(ctx context.Context, all []float64, do func([]float64)) error {
	return spans(ctx, s.e.Workers, len(all), func(lo, hi int) struct{} {
		do(all[lo:hi])
		return struct{}{}
	}, func(int, int, struct{}) {})
}

func (s *shared) search(ctx context.Context) ([]int32, []float64, *sums, error) {
	l := s.lloyd
	if _, err := l.assign(ctx); err != nil {
		return nil, nil, nil, err
	}
	if s.scale != 1 {
		err := s.everywhere(ctx, l.dist, func(d []float64) {
			for i := range d {
				d[i] *= s.scale
			}
		})
		if err != nil {
			return nil, nil, nil, err
		}
	}
	if l.sparse != nil && s.model.bends() && s.model.Metric.Form().Shape == metric.Diagonal {
		for f, a := range s.model.roots() {
			for h := range l.p.K {
				l.sums.at(h)[f] /= a
			}
		}
	}
	return l.labels, l.dist, l.sums, nil
}

func (s *shared) bound(i int) float64 {
	low := s.lloyd.dist[i]
	if s.lloyd.bounded {
		b := s.lloyd.bounds.lower[i]
		return max(low, s.scale*(b*b))
	}
	return low
}

func (s *shared) gauge() gauge {
	buf, last, v := make([]float64, s.p.X.Dim()), -1, data.Vec{}
	return func(i, h int) float64 {
		if i != last {
			v, last = s.lloyd.p.X.Row(i, buf), i
		}
		return s.scale * s.lloyd.centres.dist2(v, h)
	}
}

func (s *shared) floors() floors {
	if s.packs == nil {
		return nil
	}
	buf := make([]float64, s.p.X.Dim())
	return func(i int, low []float64) {
		s.packs.Dist2(s.lloyd.p.X.Row(i, buf).Val, 0, s.packs.Panels(), low)
		for h := range low {
			low[h] *= s.scale / aboveRounding
		}
	}
}

func (s *shared) total(ctx context.Context, labels []int32) (float64, error) {
	pass := &distortion{Centres: s.lloyd.centres, Labels: labels, Weight: s.p.Weight}
	err := cluster.Sweep(ctx, s.e, s.lloyd.p.X, pass)
	return s.scale * pass.sum, err
}
