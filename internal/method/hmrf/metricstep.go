package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// learnMetric learns the metric again: A minimises
//
//	Σ_i w_i D_A(x_i, μ_{l_i}) − c log det A + what violated pairs cost under A
//
// (2003, section 3.3). The gaps behind φ_max are first held fixed, so that
// everything is linear in A except costs that are bounded by 0 or φ_max; then
// they are found again under the new metric, and used if J is still no higher
// than before. A metric that would raise J is rejected; with the penalty of 2003 also one
// that would raise it with the gaps found under it, so that φ is always the largest
// distance of a link under the metric that is reported. With the Bayesian
// information criterion (see complexityCost) the best of several forms is taken.
func (r *metricStep) learnMetric(ctx context.Context) (int, error) {
	old := r.model.Metric
	rows, err := r.withinScatter(ctx)
	if err != nil {
		return 0, err
	}
	s := rows.Clone()
	violated := r.totals.violated
	if t := r.penalty; !t.isConstant() {
		g := t.penalties.NewGradient(s)
		if err := r.addViolationGradient(ctx, g, violated); err != nil {
			return 0, err
		}
		for _, l := range r.graph.Labels {
			if int(r.labels[l.I]) != l.Class {
				g.AddMaxDist2(l.Class, l.W*t.w)
			}
		}
		g.Finish()
	}
	o := metric.Options{Scale: r.a.LogDet, Shrink: r.a.Shrinkage, Base: rows}
	price := func(c metricChoice) float64 {
		return o.Value(c.metric, rows) + r.costUnder(c.penalty, violated) + r.complexityCost(c.rank)
	}
	best := metricChoice{metric: old, penalty: r.penalty, rank: r.rank}
	was := price(best)
	least := was
	for _, c := range r.metricCandidates(ctx, s, rows, o) {
		c.penalty = r.penalty.underMetric(c.metric, nil)
		if y := price(c); y <= least {
			best, least = c, y
		}
	}
	if err := ctx.Err(); err != nil || best.metric == old {
		return 0, err
	}
	var gaps []data.Vec
	if len(r.graph.Constrained) > 0 { // without pairs and labels nothing is paid by φ_max, whatever it is
		var err error
		if gaps, err = r.penaltyScale.findGaps(ctx, best.metric, r.a.Penalty); err != nil {
			return 0, err
		}
	}
	if gaps != nil {
		c := best
		if c.penalty = r.penalty.underMetric(best.metric, gaps); price(c) <= was {
			best = c
		} else if r.a.Penalty == metric.MPC2003 {
			return 0, nil // its φ is the largest under the metric that is reported
		}
	}
	r.penalty, r.rank = best.penalty, best.rank
	r.model = r.model.withoutCaches()
	r.model.Metric = best.metric
	r.updateCostUnderMetric(rows)
	return 0, nil
}

// updateCostUnderMetric computes what points cost under the new metric from their
// scatter about their centres. Where that is a small part of the scatter about
// the mean of all it has lost digits, and the cost is left to be measured.
func (r *metricStep) updateCostUnderMetric(rows *metric.Scatter) {
	r.totals.cost.Invalidate()
	if a := r.model.Metric; !r.model.perCluster() && r.all != nil {
		if y := a.Trace(0, rows.Block(0)); y > 1e-3*a.Trace(0, r.all.Scatter.Block(0)) {
			r.totals.cost.Cost = y
		}
	}
}

// addViolationGradient adds what violated pairs add to the scatter: by blocks,
// unless the scatter of a block would take more work than its pairs.
func (r *metricStep) addViolationGradient(ctx context.Context, to *metric.Gradient, violated []violation) error {
	block := func(g *metric.Gradient, lo, hi int) {
		d, w := r.p.X.Dim(), r.penalty.w
		a, b := make([]float64, d), make([]float64, d)
		for _, v := range violated[lo:hi] {
			x, y := r.p.X.Row(int(v.i), a), r.p.X.Row(int(v.j), b)
			if v.must {
				g.AddMust(int(r.labels[v.i]), int(r.labels[v.j]), x, y, v.w*w)
			} else {
				g.AddCannot(int(r.labels[v.i]), x, y, v.w*w)
			}
		}
	}
	s := to.Scatter
	if len(s.S) > maxBlockScatter {
		block(to, 0, len(violated))
		return ctx.Err()
	}
	return blocks.Each(ctx, r.e.Workers, len(violated), func(lo, hi int) *metric.Gradient {
		g := to.Penalties.NewGradient(metric.NewScatter(s.Form, s.Metrics(), s.D))
		block(g, lo, hi)
		return g
	}, func(_, _ int, g *metric.Gradient) { to.Merge(g) })
}

// maxBlockScatter is up to how many numbers a block may have a scatter of its
// own.
const maxBlockScatter = 1 << 16

// A metricChoice is a candidate metric.
type metricChoice struct {
	metric  *metric.Learned
	penalty *pairPenalty
	rank    int // how many numbers it is made of
}

// metricCandidates returns the metrics that may be learned from s: the one of the
// form asked for, and with BIC the simpler ones too.
func (r *metricStep) metricCandidates(ctx context.Context, s, rows *metric.Scatter, o metric.Options) (list []metricChoice) {
	m, _, err := metric.Estimate(ctx, s, o)
	if err == nil {
		list = append(list, metricChoice{metric: m, rank: parameterCount(r.form, r.p.K, s.D)})
	}
	if r.a.Complexity != BIC || r.a.LogDet != metric.ScaleN {
		return list
	}
	for _, f := range []metric.Form{{Shape: metric.Full}, {Shape: metric.Diagonal}, {}} {
		if f == r.form || f.Shape > r.form.Shape {
			continue
		}
		if m := simplerMetric(ctx, f, s, rows, o); m != nil {
			list = append(list, metricChoice{metric: m, rank: parameterCount(f, r.p.K, s.D)})
		}
	}
	return list
}

// parameterCount returns how many parameters a metric of form f has; none counts
// as a multiple of the identity, which has one.
func parameterCount(f metric.Form, k, d int) int {
	one := 1
	switch f.Shape {
	case metric.Diagonal:
		one = d
	case metric.Full:
		one = d * (d + 1) / 2
	}
	return one * f.Metrics(k)
}

// simplerMetric returns the best metric of a simpler form f, one for all
// clusters, in the form of s; None stands for a multiple of the identity. It is
// nil where there is none.
func simplerMetric(ctx context.Context, f metric.Form, s, rows *metric.Scatter, o metric.Options) *metric.Learned {
	g := f
	if f.Shape == metric.None {
		g.Shape = metric.Diagonal
	}
	a, b := poolScatter(g, s), poolScatter(g, rows)
	if f.Shape == metric.None {
		spreadEvenly(a)
		spreadEvenly(b)
	}
	o.Base = b
	m, _, err := metric.Estimate(ctx, a, o)
	if err != nil {
		return nil
	}
	var all []float64
	for range s.Metrics() {
		if s.Form.Shape == metric.Full {
			all = append(all, m.Matrix(0)...)
		} else {
			all = append(all, m.Weights(0)...)
		}
	}
	if m, err = metric.New(s.Form, s.D, all); err != nil {
		return nil
	}
	return m
}

// poolScatter returns s as one scatter of form f for all clusters.
func poolScatter(f metric.Form, s *metric.Scatter) *metric.Scatter {
	out := metric.NewScatter(f, 1, s.D)
	copy(out.Square, s.Square)
	for h := range s.Metrics() {
		out.Mass[0] += s.Mass[h]
		from := s.Block(h)
		for p := range out.S {
			q := p
			if f.Shape == metric.Diagonal && s.Form.Shape == metric.Full {
				q = p*s.D + p
			}
			out.S[p] += from[q]
		}
	}
	return out
}

// spreadEvenly spreads a diagonal scatter evenly over the features.
func spreadEvenly(s *metric.Scatter) {
	sum, square := 0.0, 0.0
	for f, y := range s.S {
		sum += y
		square += s.Square[f]
	}
	for f := range s.S {
		s.S[f], s.Square[f] = sum/float64(s.D), square/float64(s.D)
	}
}

// withinScatter returns how the rows scatter about their centres. Where all
// clusters share one metric that follows from the total scatter, without a pass
// over the rows.
func (r *metricStep) withinScatter(ctx context.Context) (*metric.Scatter, error) {
	x, w, c := r.p.X, r.p.Weight, r.model.C
	s := metric.NewScatter(r.form, r.p.K, x.Dim())
	switch {
	case r.divergence != nil:
		return s, s.AddDivergences(ctx, r.e.Workers, r.divergence, x, r.labels, w, c)
	case !r.form.PerCluster && r.all != nil:
		if s, ok := r.all.Within(r.totals.sums.Mass, c); ok {
			return s, nil
		}
	}
	return s, s.AddRows(ctx, r.e.Workers, x, r.labels, w, c)
}

// costUnder returns what violated pairs and labels cost under t.
func (r *labelling) costUnder(t *pairPenalty, violated []violation) (s float64) {
	if t.isConstant() {
		return 0 // the same under any metric
	}
	must, cannot := r.costOfViolations(t, violated)
	s = must + cannot
	for _, l := range r.graph.Labels {
		if int(r.labels[l.I]) != l.Class {
			s += l.W * t.labelCost(l.Class)
		}
	}
	return s
}
