package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/blocks"
)

func (r *hmrfRun) Tracked() cluster.Terms { return r.terms }

// Objective adds up everything from labels and model alone.
func (r *hmrfRun) Objective(ctx context.Context) (cluster.Terms, error) {
	if err := r.ground.stand(ctx, r.model); err != nil {
		return nil, err
	}
	cost, err := r.ground.total(ctx, r.labels)
	if err != nil {
		return nil, err
	}
	r.crowds.read(r.labels)
	return r.account(cost, r.mass(), r.violations(r.gather(func(int32) bool { return true }))), nil
}

// account puts the terms of J together: cost is Σ w_i times what points cost by
// themselves, log det included where that depends on the cluster, mass the weight
// of each.
func (r *hmrfRun) account(cost float64, mass []float64, violated cluster.Terms) cluster.Terms {
	terms := cluster.Terms{{Name: "distortion", Value: cost + r.p.ZeroMass/2}}
	if r.model.learned() {
		logs := 0.0
		a := r.model.Metric
		switch {
		case r.model.LogDet && a.Form().PerCluster: // in the distortion so far
			for h, m := range mass {
				logs -= m * a.LogDet(h)
			}
			terms[0].Value -= logs
		case r.model.LogDet:
			for _, m := range mass {
				logs -= m * a.LogDet(0)
			}
		default:
			for h := range a.Metrics() {
				logs -= a.LogDet(h)
			}
		}
		terms = append(terms, cluster.Term{Name: "log-det", Value: logs}, cluster.Term{Name: "prior", Value: a.PriorCost() + r.complexity(r.rank)})
	}
	return append(terms, violated...)
}

// mass returns the weight of each cluster.
func (r *hmrfRun) mass() []float64 {
	mass := make([]float64, r.p.K)
	for i, h := range r.labels {
		mass[h] += r.p.W(i)
	}
	return mass
}

// violations prices what the labels violate.
func (r *hmrfRun) violations(violated []violation) cluster.Terms {
	var labels float64
	must, cannot := r.priced(r.toll, violated)
	for _, l := range r.f.labels {
		if int(r.labels[l.I]) != l.Class {
			labels += float64(l.W * r.toll.label(l.Class))
		}
	}
	if r.f.crowd != nil && r.toll.flat() {
		m, c := r.crowds.violated(r.labels)
		must += m * r.f.unit * r.toll.w
		cannot += c * r.f.unit * r.toll.w
	}
	return cluster.Terms{{Name: "must-links", Value: must}, {Name: "cannot-links", Value: cannot}, {Name: "labels", Value: labels}}
}

// A violation is a pair that the labels violate.
type violation struct {
	i, j int32
	must bool
	w    float64
}

// gather lists every violated pair once, looking at the points that look allows;
// every point with a violated tie must be among them. Pairs of crowds are left
// out where they all cost the same: these are counted.
func (r *hmrfRun) gather(look func(i int32) bool) (list []violation) {
	for _, i := range r.f.points {
		if look(i) {
			list = r.gatherAt(i, list)
		}
		if g := r.labels[i]; !r.toll.flat() && !r.crowds.content(int(i), g, r.labels) {
			r.f.eachOfCrowds(int(i), func(j int32, must bool, w float64) {
				if i < j && must != (r.labels[j] == g) {
					list = append(list, violation{i, j, must, w})
				}
			})
		}
	}
	return list
}

// gatherAt appends the violated pairs of i with later points, those of crowds
// left out.
func (r *hmrfRun) gatherAt(i int32, list []violation) []violation {
	g := r.labels[i]
	r.f.each(int(i), func(j int32, must bool, w float64) {
		if i < j && must != (r.labels[j] == g) {
			list = append(list, violation{i, j, must, w})
		}
	})
	return list
}

func (r *hmrfRun) isBad(i int32) bool { return r.bad[i] > 0 }

// priced returns what violated pairs cost by t: rows of partners are far away in
// memory, so they are fetched side by side.
func (r *hmrfRun) priced(t *toll, violated []violation) (must, cannot float64) {
	type part struct{ must, cannot float64 }
	_ = blocks.Each(context.Background(), r.e.Workers, len(violated), func(lo, hi int) (p part) { // which does not end
		a, b := make([]float64, r.p.X.Dim()), make([]float64, r.p.X.Dim())
		for _, v := range violated[lo:hi] {
			if y := float64(v.w * r.costOf(t, v, a, b)); v.must {
				p.must += y
			} else {
				p.cannot += y
			}
		}
		return p
	}, func(_, _ int, p part) {
		must += p.must
		cannot += p.cannot
	})
	return must, cannot
}

// costOf returns what a violated pair of weight 1 costs by t; a and b are room.
func (r *hmrfRun) costOf(t *toll, v violation, a, b []float64) float64 {
	if t.flat() {
		return t.w
	}
	x, y := r.p.X.Row(int(v.i), a), r.p.X.Row(int(v.j), b)
	if v.must {
		return t.must(r.labels[v.i], r.labels[v.j], x, y)
	}
	return t.cannot(r.labels[v.i], x, y)
}
