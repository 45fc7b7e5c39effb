package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

func (r *descent) Tracked() cluster.Terms { return r.terms }

// Objective adds up everything from labels and model alone.
func (r *descent) Objective(ctx context.Context) (cluster.Terms, error) {
	if err := r.distortion.setModel(ctx, r.model); err != nil {
		return nil, err
	}
	cost, err := r.distortion.totalCost(ctx, r.labels)
	if err != nil {
		return nil, err
	}
	r.counts.Recount(r.labels)
	return r.objectiveTerms(cost, r.clusterMass(), r.violationTerms(r.collectViolations(func(int32) bool { return true }))), nil
}

// objectiveTerms puts the terms of J together: cost is Σ w_i times what points
// cost by themselves, log det included where that depends on the cluster, mass
// the weight of each cluster.
func (r *labelling) objectiveTerms(cost float64, mass []float64, violated cluster.Terms) cluster.Terms {
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
		terms = append(terms, cluster.Term{Name: "log-det", Value: logs}, cluster.Term{Name: "prior", Value: a.PriorCost() + r.complexityCost(r.rank)})
	}
	return append(terms, violated...)
}

// clusterMass returns the weight of each cluster.
func (r *labelling) clusterMass() []float64 {
	mass := make([]float64, r.p.K)
	for i, h := range r.labels {
		mass[h] += r.p.W(i)
	}
	return mass
}

// violationTerms returns what violated pairs and labels cost.
func (r *labelling) violationTerms(violated []violation) cluster.Terms {
	var labels float64
	must, cannot := r.costOfViolations(r.penalty, violated)
	for _, l := range r.graph.Labels {
		if int(r.labels[l.I]) != l.Class {
			labels += float64(l.W * r.penalty.labelCost(l.Class))
		}
	}
	if r.graph.HasLarge() && r.penalty.isConstant() {
		m, c := r.counts.ViolatedWeight(r.labels)
		must += m * r.penalty.w
		cannot += c * r.penalty.w
	}
	return cluster.Terms{{Name: "must-links", Value: must}, {Name: "cannot-links", Value: cannot}, {Name: "labels", Value: labels}}
}

// collectViolations lists every violated pair once, looking at the points that
// look allows; every point with a violated pair must be among them. Pairs of
// large components are left out where they all cost the same: these are counted.
func (r *labelling) collectViolations(look func(i int32) bool) (list []violation) {
	for _, i := range r.graph.Constrained {
		if look(i) {
			list = r.appendViolationsOf(i, list)
		}
		if g := r.labels[i]; !r.penalty.isConstant() && !r.counts.SatisfiedAt(int(i), g, r.labels) {
			r.graph.EachOfLargeComponents(int(i), func(j int32, must bool, w float64) {
				if i < j && must != (r.labels[j] == g) {
					list = append(list, violation{i, j, must, w})
				}
			})
		}
	}
	return list
}

// appendViolationsOf appends the violated pairs of i with later points, except
// those of large components.
func (r *labelling) appendViolationsOf(i int32, list []violation) []violation {
	g := r.labels[i]
	r.graph.EachPair(int(i), func(j int32, must bool, w float64) {
		if i < j && must != (r.labels[j] == g) {
			list = append(list, violation{i, j, must, w})
		}
	})
	return list
}

func (r *labelling) hasViolations(i int32) bool { return r.violationCount[i] > 0 }

// costOfViolations returns what violated pairs cost under t, in parallel: rows of
// neighbours are far away in memory.
func (r *labelling) costOfViolations(t *pairPenalty, violated []violation) (must, cannot float64) {
	type part struct{ must, cannot float64 }
	_ = blocks.Each(context.Background(), r.e.Workers, len(violated), func(lo, hi int) (p part) { // which does not end
		a, b := make([]float64, r.p.X.Dim()), make([]float64, r.p.X.Dim())
		for _, v := range violated[lo:hi] {
			if y := float64(v.w * r.violationCost(t, v, a, b)); v.must {
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

// violationCost returns what a violated pair of weight 1 costs under t; a and b
// are scratch space.
func (r *labelling) violationCost(t *pairPenalty, v violation, a, b []float64) float64 {
	if t.isConstant() {
		return t.w
	}
	x, y := r.p.X.Row(int(v.i), a), r.p.X.Row(int(v.j), b)
	if v.must {
		return t.mustCost(r.labels[v.i], r.labels[v.j], x, y)
	}
	return t.cannotCost(r.labels[v.i], x, y)
}

// complexityCost returns what a metric of so many parameters costs by the
// Bayesian information criterion. J is −2 log of a Gaussian likelihood where log
// det counts for each point, so each parameter costs log N; elsewhere it is on
// another scale and metrics are free.
//
// Metrics learned from few points fit these points and not the clusters: on
// spherical clusters every method that learns a metric loses to plain k-means.
// With this cost a richer metric is used only if BIC prefers it.
func (r *labelling) complexityCost(rank int) float64 {
	if r.a.Complexity != BIC || r.a.LogDet != metric.ScaleN {
		return 0
	}
	return float64(rank) * math.Log(max(r.weight, 1))
}
