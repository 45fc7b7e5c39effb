package centroid

import (
	"context"

	"github.com/inklinghq/inkling/metric"
)

// metric learns the metric anew: A minimises
//
//	Σ_i w_i D_A(x_i, μ_{l_i}) − c log det A + what violated pairs cost under A
//
// (2003, section 3.3). The gaps behind φ first stand still, so that all of it is
// linear in A but for prices that cannot fall below 0 or rise above φ; then they
// are found anew under the new metric. Of the two, the new metric with new gaps
// is taken if J does not rise by it, else with the old ones, else all stays.
func (r *hmrfRun) metric(ctx context.Context) (int, error) {
	old := r.model.Metric
	s := metric.NewScatter(r.form, r.p.K, r.p.X.Dim())
	if err := s.AddRows(ctx, r.e.Workers, r.p.X, r.labels, r.p.Weight, r.model.C); err != nil {
		return 0, err
	}
	rows := s.Clone()
	violated := r.gather()
	if t := r.toll; !t.flat() {
		t.prices.Literal = r.a.Literal
		g := t.prices.NewGradient(s)
		for _, v := range violated {
			x, y := r.row1(v.i), r.row2(v.j)
			if v.must {
				g.Must(int(r.labels[v.i]), int(r.labels[v.j]), x, y, v.w*t.w)
			} else {
				g.Cannot(int(r.labels[v.i]), x, y, v.w*t.w)
			}
		}
		for _, l := range r.f.labels {
			if int(r.labels[l.I]) != l.Class {
				g.AddMost(l.Class, l.W*t.w)
			}
		}
		g.Finish()
	}
	o := metric.Options{Scale: r.a.LogDet, Shrink: r.a.Shrinkage, Base: rows}
	next, _, err := metric.Estimate(s, o)
	if err != nil {
		return 0, err
	}
	was := o.Value(old, rows) + r.pairsCost(r.toll, violated)
	for _, t := range r.tolls(ctx, next) {
		if o.Value(next, rows)+r.pairsCost(t, violated) <= was {
			r.toll = t
			r.model = r.model.bare()
			r.model.Metric = next
			break
		}
	}
	return 0, ctx.Err()
}

// tolls returns the prices under a new metric, with new gaps and with the old.
func (r *hmrfRun) tolls(ctx context.Context, m *metric.Learned) (list []*toll) {
	if r.toll.flat() {
		t := *r.toll
		t.prices = t.prices.Under(m)
		return []*toll{&t}
	}
	if gaps, err := r.gate.gaps(ctx, m, r.toll.penalty); err == nil {
		if p, err := metric.NewPrices(m, r.toll.penalty, gaps); err == nil {
			t := *r.toll
			p.Literal, p.Least = t.prices.Literal, t.prices.Least
			t.prices = p
			list = append(list, &t)
		}
	}
	t := *r.toll
	t.prices = t.prices.Under(m)
	return append(list, &t)
}

// gather lists what the labels violate.
func (r *hmrfRun) gather() (list []violation) {
	r.eachViolated(func(i int32) bool { return r.bad[i] > 0 }, func(v violation) { list = append(list, v) })
	return list
}

// pairsCost returns what violated pairs and overruled labels cost by t.
func (r *hmrfRun) pairsCost(t *toll, violated []violation) (s float64) {
	if t.flat() {
		return 0 // the same under any metric
	}
	for _, v := range violated {
		s += v.w * r.costOf(t, v)
	}
	for _, l := range r.f.labels {
		if int(r.labels[l.I]) != l.Class {
			s += l.W * t.label(l.Class)
		}
	}
	return s
}
