package hmrf

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/infer"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/metric"
)

// hmrfRun is one run of HMRF. The ground knows for each point the nearest
// centre; points of which nothing is known take it, the others weigh it against
// what their pairs cost. Sums and cost follow the points that move, so that those
// which stay need not be read.
type hmrfRun struct {
	a       *HMRF
	e       *cluster.Env
	p       lloyd.Space
	f       *field
	closure string // On or Off, as it turned out
	known   []bool // of which points something is known
	form    metric.Form
	model   *Model
	ground  ground
	gauge   gauge
	bill    *bill // nil: bills do not serve
	toll    *toll
	gate    *tollgate
	all     *metric.TotalScatter // where all clusters share one metric
	rank    int                  // how many numbers the metric is made of, 0 at first
	weight  float64              // Σ w_i

	near       []int32           // the cheapest cluster of each point by itself
	labels     []int32           // -1: none yet
	was        []int32           // the labels that sums and tally are of
	first      bool              // there are none yet
	sums       *lloyd.KeptSums   // of the rows by their labels
	cost       lloyd.CostTracker // what points cost where they are, pairs left aside
	moves      []lloyd.Move      // room for a list; never nil
	pending    lloyd.PendingMoves
	bad        []int32 // violated ties of each point, those with crowds left out
	crowds     *crowds
	pen        []float64   // what the point under consideration pays, by cluster
	a1, a2     []float64   // room for a row
	open       []int32     // room for a list of all points
	moods      []byte      // room for a sweep of many points; 0 between sweeps
	violated   []violation // by the labels
	terms      cluster.Terms
	inferred   *infer.Answer // of the last assignment, by bp or lp
	wait, span int           // iterations until the next thaw, and between the last two
	settled    bool
}

// startHMRF assigns every point to the first centres. When ctx ends it leaves out
// what only later steps would need, and gives all points their nearest centres:
// a start is needed all the same.
func startHMRF(ctx context.Context, a *HMRF, p lloyd.Space, e *cluster.Env, first *lloyd.Centres) (cluster.Run, error) {
	n, d := p.Len(), p.X.Dim()
	closure, closed := a.Closure, (*constraint.Closure)(nil)
	if closure == On {
		if closed = closedPairs(p.Problem); a.Penalty != metric.Constant && !walkable(closed) {
			closure, closed = Off, nil
		}
	}
	r := &hmrfRun{a: a, e: e, p: p, closure: closure, f: newField(p.Problem, closed, a.Inference != "icm"), known: make([]bool, n),
		labels: slices.Repeat([]int32{-1}, n), was: slices.Repeat([]int32{-1}, n), first: true, sums: lloyd.NewKeptSums(p.K, d), moves: []lloyd.Move{},
		open: make([]int32, n), bad: make([]int32, n), pen: make([]float64, p.K), a1: make([]float64, d), a2: make([]float64, d)}
	for _, i := range r.f.points {
		r.known[i] = true
	}
	for i := range n {
		r.weight += p.W(i)
	}
	r.form, _ = a.Metric.Form()
	if r.form.Shape == metric.Full && a.Complexity == "bic" && d*(d+1)/2 > n {
		r.form.Shape = metric.Diagonal // so many numbers cannot be earned
	}
	r.crowds = newCrowds(r.f, p.K)
	m := newModel(p.Project(first), a.Distortion, metric.Identity(r.form, p.K, d), a.LogDet == metric.ScaleN)
	if m.apart() {
		r.ground = newApart(p.Problem, e)
	} else {
		r.ground = newShared(p, e)
	}
	if err := r.openToll(context.WithoutCancel(ctx), m); err != nil {
		return nil, err
	}
	r.model = m
	if m.learned() && !m.apart() {
		var err error
		if r.all, err = metric.NewTotalScatter(ctx, e.Workers, r.form, p.X, p.Weight); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	_, err := r.assign(ctx)
	if err != nil && ctx.Err() != nil {
		err = r.assignNearest(context.WithoutCancel(ctx))
	}
	r.settled = false
	return r, err
}

// assignNearest gives every point its nearest centre, whatever is known.
func (r *hmrfRun) assignNearest(ctx context.Context) error {
	if err := r.measure(ctx); err != nil {
		return err
	}
	copy(r.labels, r.near)
	r.crowds.read(r.labels)
	r.countBad()
	return r.settle(ctx, false)
}

// openToll finds what pairs cost at first.
func (r *hmrfRun) openToll(ctx context.Context, m *Model) error {
	by := divergenceOf(r.a.Distortion)
	r.gate = &tollgate{f: r.f, rows: r.p.X, by: by, workers: r.e.Workers}
	gaps, err := r.gate.gaps(ctx, m.Metric, r.a.Penalty)
	if err != nil {
		return err
	}
	prices, err := metric.NewPenalties(m.Metric, r.a.Penalty, gaps)
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
	if r.p.Cosine && !r.toll.flat() {
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

func (r *hmrfRun) Labels() []int        { return r.pending.AllLabels(r.labels) }
func (r *hmrfRun) Relabel(labels []int) { r.pending.Update(labels, r.labels) }

// Model returns the model itself: it is replaced, never changed.
func (r *hmrfRun) Model() cluster.Model { return r.model }

// assign labels all points: those of which nothing is known with their nearest
// centres, the others as the inference says.
func (r *hmrfRun) assign(ctx context.Context) (moved int, err error) {
	if err := r.measure(ctx); err != nil {
		return 0, err
	}
	brief := context.WithoutCancel(ctx) // for what must not be left half done
	open, moved, err := r.follow(brief)
	if err != nil {
		return 0, err
	}
	m, err := r.infer(ctx, open)
	if err != nil {
		return 0, err
	}
	moved += m
	if err := r.settle(brief, moved == 0); err != nil {
		return 0, err
	}
	r.settled = moved == 0
	return moved, nil
}

// measure finds the nearest centre of every point.
func (r *hmrfRun) measure(ctx context.Context) (err error) {
	if err := r.ground.stand(ctx, r.model); err != nil {
		return err
	}
	if r.near, err = r.ground.search(ctx); err != nil {
		return err
	}
	r.gauge, r.bill = r.ground.gauge(), nil
	if r.billable() {
		r.bill = r.newBill()
	}
	return nil
}

// follow gives points of which nothing is known their nearest centres, and lists
// the others that are not at theirs or violate a pair, rising.
func (r *hmrfRun) follow(ctx context.Context) (open []int32, moved int, err error) {
	type part struct{ open, moved int }
	err = lloyd.LongBlocks(ctx, r.e.Workers, len(r.near), func(lo, hi int) (p part) {
		known, labels, bad, open := r.known[lo:hi], r.labels[lo:hi], r.bad[lo:hi], r.open[lo:hi]
		for i, h := range r.near[lo:hi] {
			switch {
			case labels[i] == h && bad[i] == 0: // of a point of which nothing is known it is always 0
			case known[i]:
				open[p.open] = int32(lo + i)
				p.open++
			default:
				labels[i] = h
				p.moved++
			}
		}
		return p
	}, func(lo, _ int, p part) {
		open = r.append(open, lo, p.open)
		moved += p.moved
	})
	return open, moved, err
}

// append adds what a block has written to its own place of r.open to the list at
// its beginning: never beyond that place, for a block lists a point at most once.
func (r *hmrfRun) append(list []int32, lo, count int) []int32 {
	n := len(list)
	copy(r.open[n:], r.open[lo:lo+count])
	return r.open[:n+count]
}

func (r *hmrfRun) row1(i int32) data.Vec { return r.p.X.Row(int(i), r.a1) }
func (r *hmrfRun) row2(i int32) data.Vec { return r.p.X.Row(int(i), r.a2) }
