package centroid

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/metric"
)

// hmrfRun is one run of HMRF. The ground knows for each point the nearest
// centre; points of which nothing is known take it, the others weigh it against
// what their pairs cost.
type hmrfRun struct {
	a      *HMRF
	e      *cluster.Env
	p      space
	f      *field
	known  []bool // of which points something is known
	form   metric.Form
	model  *HMRFModel
	ground ground
	gauge  gauge
	toll   *toll
	gate   *tollgate
	all    *metric.Total // where all clusters share one metric
	rank   int           // how many numbers the metric is made of, 0 at first
	weight float64       // Σ w_i

	near    []int32   // the cheapest cluster of each point by itself
	low     []float64 // what it costs there
	sums    *sums     // of the labels; in the middle of an assignment of near
	labels  []int32   // -1: none yet
	told    []int     // the labels as Labels returns them
	own     []float64 // what each point costs where it is, pairs left aside
	bad     []int32   // violated ties of each point, those with crowds left out
	crowds  *crowds
	pen     []float64 // what the point under consideration pays, by cluster
	a1, a2  []float64 // room for a row
	terms   cluster.Terms
	settled bool
}

func startHMRF(ctx context.Context, a *HMRF, p space, e *cluster.Env, first *Centres) (cluster.Run, error) {
	n, d := p.Len(), p.X.Dim()
	r := &hmrfRun{a: a, e: e, p: p, f: newField(p.Problem, a.Closure, a.Inference != "icm"), known: make([]bool, n),
		labels: slices.Repeat([]int32{-1}, n), told: make([]int, n), own: make([]float64, n), bad: make([]int32, n),
		pen: make([]float64, p.K), a1: make([]float64, d), a2: make([]float64, d)}
	for _, i := range r.f.points {
		r.known[i] = true
	}
	for i := range n {
		r.weight += p.W(i)
	}
	r.form, _ = metric.ParseForm(a.Metric)
	if r.form.Shape == metric.Full && a.Complexity == "bic" && d*(d+1)/2 > n {
		r.form.Shape = metric.Diagonal // so many numbers cannot be earned
	}
	r.crowds = newCrowds(r.f, p.K)
	ctx = context.WithoutCancel(ctx) // a start is needed all the same
	m := newHMRFModel(p.centres(first), a.Distortion, metric.Identity(r.form, p.K, d), a.LogDet == metric.ScaleN)
	if m.apart() {
		r.ground = newApart(p.Problem, e)
	} else {
		r.ground = newShared(p, e)
	}
	if err := r.openToll(ctx, m); err != nil {
		return nil, err
	}
	r.model = m
	if m.learned() && !m.apart() {
		var err error
		if r.all, err = metric.NewTotal(ctx, e.Workers, r.form, p.X, p.Weight); err != nil {
			return nil, err
		}
	}
	_, err := r.assign(ctx)
	r.settled = false
	return r, err
}

// openToll finds what pairs cost at first.
func (r *hmrfRun) openToll(ctx context.Context, m *HMRFModel) error {
	by := divergenceOf(r.a.Distortion)
	r.gate = &tollgate{f: r.f, rows: r.p.X, by: by, workers: r.e.Workers}
	gaps, err := r.gate.gaps(ctx, m.Metric, r.a.Potential)
	if err != nil {
		return err
	}
	prices, err := metric.NewPrices(m.Metric, r.a.Potential, gaps)
	if err != nil {
		return err
	}
	prices.Divergence, prices.Literal = by, r.a.Literal
	r.toll = &toll{prices: prices}
	w, _ := r.a.weight()
	switch {
	case w >= 0:
	case !r.toll.flat():
		w = 1
	case m.learned(): // under A = N S⁻¹ a point costs 1 for each feature
		w = float64(r.p.X.Dim())
	default:
		w = autoWeight(r.p, r.e, r.a.Distortion)
	}
	if r.p.cosine && !r.toll.flat() {
		w /= 2 // 1 − cos = ½ ‖x−y‖²
	}
	r.toll.w = w
	return nil
}

func (r *hmrfRun) Stages() []cluster.Stage {
	if r.settled {
		return nil
	}
	stages := []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
	if r.model.learned() {
		stages = slices.Insert(stages, 1, cluster.Stage{Name: "metric", Do: r.metric})
	}
	return stages
}

func (r *hmrfRun) Labels() []int {
	for i, h := range r.labels {
		r.told[i] = int(h)
	}
	return r.told
}

// Model returns the model itself: it is replaced, never changed.
func (r *hmrfRun) Model() cluster.Model { return r.model }

// assign labels all points: those of which nothing is known with their nearest
// centres, the others as the inference says.
func (r *hmrfRun) assign(ctx context.Context) (moved int, err error) {
	if err := r.ground.stand(ctx, r.model); err != nil {
		return 0, err
	}
	if r.near, r.low, r.sums, err = r.ground.search(ctx); err != nil {
		return 0, err
	}
	r.gauge = r.ground.gauge()
	var open []int32
	for i, h := range r.near {
		switch {
		case !r.known[i]:
			if r.labels[i] != h {
				r.labels[i] = h
				moved++
			}
		case r.labels[i] != h || r.bad[i] > 0:
			open = append(open, int32(i))
		}
	}
	m, err := r.infer(ctx, open)
	if err != nil {
		return 0, err
	}
	moved += m
	r.settle()
	r.settled = moved == 0
	return moved, nil
}

// settle brings sums, prices and terms into line with the labels.
func (r *hmrfRun) settle() {
	for i, h := range r.labels {
		if g := r.near[i]; g == h {
			r.own[i] = r.low[i]
		} else {
			v, w := r.p.X.Row(i, r.a1), r.p.W(i)
			r.own[i] = r.gauge(i, int(h))
			r.sums.add(int(g), v, -w, -1)
			r.sums.add(int(h), v, w, 1)
		}
	}
	for h, n := range r.sums.Count {
		if n == 0 {
			r.sums.Mass[h] = 0
		}
	}
	cost := 0.0
	for lo := 0; lo < len(r.own); lo += blocks.Len {
		part := 0.0
		for i := lo; i < min(lo+blocks.Len, len(r.own)); i++ {
			part += float64(r.p.W(i) * r.own[i])
		}
		cost += part
	}
	r.terms = r.account(cost, r.violations(func(i int32) bool { return r.bad[i] > 0 }))
}

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
	return r.account(cost, r.violations(func(int32) bool { return true })), nil
}

// account puts the terms of J together: cost is Σ w_i times what points cost by
// themselves, log det included where that depends on the cluster.
func (r *hmrfRun) account(cost float64, violated cluster.Terms) cluster.Terms {
	terms := cluster.Terms{{Name: "distortion", Value: cost + r.p.zeroMass/2}}
	if r.model.learned() {
		logs := 0.0
		a := r.model.Metric
		switch {
		case r.model.LogDet && a.Form().PerCluster: // in the distortion so far
			for h, m := range r.mass() {
				logs -= m * a.LogDet(h)
			}
			terms[0].Value -= logs
		case r.model.LogDet:
			for _, m := range r.mass() {
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

// violations prices what the labels violate, looking at the points that look
// allows; every point with a violated tie must be among them.
func (r *hmrfRun) violations(look func(i int32) bool) cluster.Terms {
	var must, cannot, labels float64
	r.eachViolated(look, func(v violation) {
		y := v.w * r.costOf(r.toll, v)
		if v.must {
			must += y
		} else {
			cannot += y
		}
	})
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

// eachViolated calls do for every violated pair once. Pairs of crowds are left
// out where they all cost the same: these are counted.
func (r *hmrfRun) eachViolated(look func(i int32) bool, do func(v violation)) {
	for _, i := range r.f.points {
		g := r.labels[i]
		see := func(j int32, must bool, w float64) {
			if i < j && must != (r.labels[j] == g) {
				do(violation{i, j, must, w})
			}
		}
		if look(i) {
			r.f.each(int(i), see)
		}
		if r.f.crowd != nil && !r.toll.flat() {
			r.f.eachOfCrowds(int(i), see)
		}
	}
}

// costOf returns what a violated pair of weight 1 costs by t.
func (r *hmrfRun) costOf(t *toll, v violation) float64 {
	if t.flat() {
		return t.w
	}
	x, y := r.p.X.Row(int(v.i), r.a1), r.p.X.Row(int(v.j), r.a2)
	if v.must {
		return t.must(r.labels[v.i], r.labels[v.j], x, y)
	}
	return t.cannot(r.labels[v.i], x, y)
}

// means refills empty clusters and moves each centre to the mean of its points,
// for the cosine to the direction of the mean.
func (r *hmrfRun) means(ctx context.Context) (moved int, err error) {
	moved = r.refill()
	k, d := r.model.K, r.model.D
	c := slices.Clone(r.sums.Sum)
	err = blocks.Tasks(ctx, r.e.Workers, k, func(h int) {
		at, m := c[h*d:(h+1)*d], r.sums.Mass[h]
		switch {
		case m <= 0 || r.p.cosine && !normalise(at): // no point to take over, or no direction
			copy(at, r.model.At(h))
		case r.gate.by != nil:
			r.gate.by.Centre(at, m)
		case !r.p.cosine:
			for f := range at {
				at[f] /= m
			}
		}
	})
	if err == nil {
		r.model = r.model.bare()
		r.model.C = c
	}
	return moved, err
}

// refill gives each empty cluster the point by which J falls most, never the
// last of its cluster.
func (r *hmrfRun) refill() (moved int) {
	for h := range r.sums.Mass {
		if r.sums.Count[h] > 0 {
			continue
		}
		there := 0.0 // what a point costs on its centre
		if r.model.LogDet && r.model.learned() && r.form.PerCluster {
			there = -r.model.Metric.LogDet(h)
		}
		best, most := -1, 0.0
		for i, d := range r.own {
			g := r.labels[i]
			if r.sums.Count[g] < 2 {
				continue
			}
			gain := (d - there) * r.p.W(i)
			if r.known[i] {
				pen := r.penalties(i)
				gain += pen[g] - pen[h]
			}
			if gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			return moved
		}
		v, w := r.p.X.Row(best, make([]float64, r.p.X.Dim())), r.p.W(best)
		r.sums.add(int(r.labels[best]), v, -w, -1)
		r.sums.add(h, v, w, 1)
		r.move(best, int32(h), nil)
		r.own[best] = there
		moved++
	}
	return moved
}

func (r *hmrfRun) row1(i int32) data.Vec { return r.p.X.Row(int(i), r.a1) }
func (r *hmrfRun) row2(i int32) data.Vec { return r.p.X.Row(int(i), r.a2) }
