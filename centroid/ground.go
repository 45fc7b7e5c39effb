package centroid

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
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
	// total returns Σ w_i times what point i costs in its cluster, computed from
	// nothing.
	total(ctx context.Context, labels []int32) (float64, error)
}

// A gauge returns what point i costs in cluster h, for a weight of 1. It is
// quickest for one point after the other.
type gauge func(i, h int) float64

// shared is the ground of one metric for all clusters, the cosine among them:
// there a transformed space is searched as k-means searches its own.
type shared struct {
	p     space
	e     *cluster.Env
	lloyd *lloyd
	model *HMRFModel
	scale float64 // what a squared distance costs: 1, or ½ for the cosine
}

func newShared(p space, e *cluster.Env) *shared {
	s := &shared{p: p, e: e, scale: 1}
	if p.cosine {
		s.scale = 0.5
	}
	return s
}

func (s *shared) stand(ctx context.Context, m *HMRFModel) error {
	s.model = m
	q := *s.p.Problem
	if m.learned() {
		q.X = &seen{s.p.X, m.Metric}
		if _, sparse := s.p.X.(*data.Sparse); sparse && m.Metric.Form().Shape == metric.Diagonal {
			var err error
			if q.X, err = m.Metric.TransformRows(ctx, s.e.Workers, 0, s.p.X); err != nil {
				return err
			}
		}
	}
	if s.lloyd == nil {
		s.lloyd = newLloyd(space{Problem: &q, cosine: s.p.cosine, zeroMass: s.p.zeroMass}, s.e, m.seen())
		return nil
	}
	s.lloyd.p.Problem = &q
	if x, ok := q.X.(*data.Sparse); ok && m.learned() {
		s.lloyd.sparse = newSparseRows(s.e, x)
	}
	if m.learned() {
		s.lloyd.bounds.last = nil // bounds are of the metric before
	}
	s.lloyd.centres = m.seen()
	return nil
}

func (s *shared) search(ctx context.Context) ([]int32, []float64, *sums, error) {
	l := s.lloyd
	if _, err := l.assign(ctx); err != nil {
		return nil, nil, nil, err
	}
	if s.scale != 1 {
		for i := range l.dist {
			l.dist[i] *= s.scale
		}
	}
	if l.sparse != nil && s.model.learned() && s.model.Metric.Form().Shape == metric.Diagonal {
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

func (s *shared) total(ctx context.Context, labels []int32) (float64, error) {
	pass := &distortion{Centres: s.lloyd.centres, Labels: labels, Weight: s.p.Weight}
	err := cluster.Sweep(ctx, s.e, s.lloyd.p.X, pass)
	return s.scale * pass.sum, err
}
