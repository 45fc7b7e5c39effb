package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/metric"
)

// metric learns the metric anew: A minimises
//
//	Σ_i w_i D_A(x_i, μ_{l_i}) − c log det A + what violated pairs cost under A
//
// (2003, section 3.3). The gaps behind φ first stand still, so that all of it is
// linear in A but for prices that cannot fall below 0 or rise above φ; then they
// are found anew under the new metric, and taken if J is not higher for all that
// than it was. A metric that would raise J is not taken.
// Where a metric must earn its numbers, see complexity, the best of several forms
// is taken.
func (r *hmrfRun) metric(ctx context.Context) (int, error) {
	old := r.model.Metric
	rows, err := r.scatter(ctx)
	if err != nil {
		return 0, err
	}
	s := rows.Clone()
	violated := r.violated
	if t := r.toll; !t.flat() {
		g := t.prices.NewGradient(s)
		if err := r.addGradient(ctx, g, violated); err != nil {
			return 0, err
		}
		for _, l := range r.f.labels {
			if int(r.labels[l.I]) != l.Class {
				g.AddMaxDist2(l.Class, l.W*t.w)
			}
		}
		g.Finish()
	}
	o := metric.Options{Scale: r.a.LogDet, Shrink: r.a.Shrinkage, Base: rows}
	price := func(c choice) float64 {
		return o.Value(c.metric, rows) + r.pairsCost(c.toll, violated) + r.complexity(c.rank)
	}
	best := choice{metric: old, toll: r.toll, rank: r.rank}
	was := price(best)
	least := was
	for _, c := range r.candidates(ctx, s, rows, o) {
		c.toll = r.toll.under(c.metric, nil)
		if y := price(c); y <= least {
			best, least = c, y
		}
	}
	if err := ctx.Err(); err != nil || best.metric == old {
		return 0, err
	}
	if gaps, err := r.gate.gaps(ctx, best.metric, r.a.Penalty); err != nil {
		return 0, err
	} else if gaps != nil {
		c := best
		if c.toll = r.toll.under(best.metric, gaps); price(c) <= was {
			best = c
		}
	}
	r.toll, r.rank = best.toll, best.rank
	r.model = r.model.bare()
	r.model.Metric = best.metric
	r.reprice(rows)
	return 0, nil
}

// reprice finds what points cost under the metric as it is now, from how they
// scatter about their centres. Where that is little of the scatter about the mean
// of all it has lost digits, and the cost is left to be measured.
func (r *hmrfRun) reprice(rows *metric.Scatter) {
	r.cost.Invalidate()
	if a := r.model.Metric; !r.model.apart() && r.all != nil {
		if y := a.Trace(0, rows.Block(0)); y > 1e-3*a.Trace(0, r.all.Scatter.Block(0)) {
			r.cost.Cost = y
		}
	}
}

// addGradient adds what violated pairs add to the scatter: by blocks, unless
// the numbers of a block's own scatter would outweigh its pairs.
func (r *hmrfRun) addGradient(ctx context.Context, to *metric.Gradient, violated []violation) error {
	block := func(g *metric.Gradient, lo, hi int) {
		d, w := r.p.X.Dim(), r.toll.w
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
	if len(s.S) > mostOfBlock {
		block(to, 0, len(violated))
		return ctx.Err()
	}
	return blocks.Each(ctx, r.e.Workers, len(violated), func(lo, hi int) *metric.Gradient {
		g := to.Penalties.NewGradient(metric.NewScatter(s.Form, s.Metrics(), s.D))
		block(g, lo, hi)
		return g
	}, func(_, _ int, g *metric.Gradient) { to.Merge(g) })
}

// mostOfBlock is up to how many numbers a block may have a scatter of its own.
const mostOfBlock = 1 << 16

// A choice is a metric that could be taken.
type choice struct {
	metric *metric.Learned
	toll   *toll
	rank   int // how many numbers it is made of
}

// complexity returns what a metric of so many numbers costs by the Bayesian
// information criterion. J is −2 log of a Gaussian likelihood where log det
// counts for each point, so each number costs log N; elsewhere it is on another
// scale and metrics are free.
//
// Metrics learned from few points fit these points and not the clusters: on
// round clusters every method that learns one loses to plain k-means. A metric
// that must earn its numbers stays round there.
func (r *hmrfRun) complexity(rank int) float64 {
	if r.a.Complexity != "bic" || r.a.LogDet != metric.ScaleN {
		return 0
	}
	return float64(rank) * math.Log(max(r.weight, 1))
}

// candidates returns the metrics that may be learned from s: the one of the form
// asked for, and if metrics must earn their numbers the simpler ones too.
func (r *hmrfRun) candidates(ctx context.Context, s, rows *metric.Scatter, o metric.Options) (list []choice) {
	m, _, err := metric.Estimate(ctx, s, o)
	if err == nil {
		list = append(list, choice{metric: m, rank: rankOf(r.form, r.p.K, s.D)})
	}
	if r.a.Complexity != "bic" || r.a.LogDet != metric.ScaleN {
		return list
	}
	for _, f := range []metric.Form{{Shape: metric.Full}, {Shape: metric.Diagonal}, {}} {
		if f == r.form || f.Shape > r.form.Shape {
			continue
		}
		if m := simpler(ctx, f, s, rows, o); m != nil {
			list = append(list, choice{metric: m, rank: rankOf(f, r.p.K, s.D)})
		}
	}
	return list
}

// rankOf returns how many numbers a metric of form f is made of; none counts as
// round, which has one.
func rankOf(f metric.Form, k, d int) int {
	one := 1
	switch f.Shape {
	case metric.Diagonal:
		one = d
	case metric.Full:
		one = d * (d + 1) / 2
	}
	return one * f.Metrics(k)
}

// simpler returns the best metric of a simpler form f, one for all clusters, in
// the form of s; None stands for a round one. It is nil where there is none.
func simpler(ctx context.Context, f metric.Form, s, rows *metric.Scatter, o metric.Options) *metric.Learned {
	g := f
	if f.Shape == metric.None {
		g.Shape = metric.Diagonal
	}
	a, b := pooled(g, s), pooled(g, rows)
	if f.Shape == metric.None {
		even(a)
		even(b)
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

// pooled returns s as one scatter of form f for all clusters.
func pooled(f metric.Form, s *metric.Scatter) *metric.Scatter {
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

// even spreads a diagonal scatter evenly over the features.
func even(s *metric.Scatter) {
	sum, square := 0.0, 0.0
	for f, y := range s.S {
		sum += y
		square += s.Square[f]
	}
	for f := range s.S {
		s.S[f], s.Square[f] = sum/float64(s.D), square/float64(s.D)
	}
}

// scatter returns how the rows scatter about their centres. Where all clusters
// share one metric that follows from the total, without a pass over the rows.
func (r *hmrfRun) scatter(ctx context.Context) (*metric.Scatter, error) {
	x, w, c := r.p.X, r.p.Weight, r.model.C
	s := metric.NewScatter(r.form, r.p.K, x.Dim())
	switch {
	case r.gate.by != nil:
		return s, s.AddDivergences(ctx, r.e.Workers, r.gate.by, x, r.labels, w, c)
	case !r.form.PerCluster && r.all != nil:
		if s, ok := r.all.Within(r.sums.Mass, c); ok {
			return s, nil
		}
	}
	return s, s.AddRows(ctx, r.e.Workers, x, r.labels, w, c)
}

// pairsCost returns what violated pairs and overruled labels cost by t.
func (r *hmrfRun) pairsCost(t *toll, violated []violation) (s float64) {
	if t.flat() {
		return 0 // the same under any metric
	}
	must, cannot := r.priced(t, violated)
	s = must + cannot
	for _, l := range r.f.labels {
		if int(r.labels[l.I]) != l.Class {
			s += l.W * t.label(l.Class)
		}
	}
	return s
}
