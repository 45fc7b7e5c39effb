package cop

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// maxPasses bounds the passes of one descent; it is hardly ever met.
const maxPasses = 1000

// copSearch is one run of COP by search. Between iterations every free point
// has the label of its nearest centre, and every label is legal.
type copSearch struct {
	p      *cluster.Problem
	e      *cluster.Env
	s      *layout
	loose  []int32 // lumps that the exchange moves
	passes int     // over them, in one exchange
	trials int     // kicks without success after which the run ends
	scouts []*layout

	labels []int
	cost   float64

	moved     int  // points moved in this iteration
	unsettled bool // centres have moved since the last assignment
	done      bool // the last iteration moved nothing
}

// effort says what a run may cost, in multiplications of a pass, lumps·k·d.
type effort struct {
	// Above this free lumps move only as in Lloyd's iteration, which is done in
	// parallel.
	exchange float64
	// A trial takes some fifty passes. Trials in a row are at most as many as
	// the passes that come to this.
	trials float64
}

// The effort that takes some seconds.
var usual = effort{exchange: 50_000_000, trials: 4_000_000}

func startSearch(ctx context.Context, p *cluster.Problem, e *cluster.Env, l *lumps, trials int, may effort) (cluster.Run, error) {
	n := len(l.weight)
	first := l.centres(ctx, e)
	r := &copSearch{p: p, e: e, s: newLayout(l, make([]int32, n), first), labels: make([]int, p.X.Len()), loose: l.tied, passes: 2}
	if !r.s.build(e.Rand) {
		return nil, &cluster.ProblemError{Field: "constraints", Err: newInfeasible(p.K, l.closed)}
	}
	pass := float64(n) * float64(l.k) * float64(l.d)
	if pass <= may.exchange {
		r.loose, r.passes = make([]int32, 0, n), maxPasses
		for q := range int32(n) {
			if l.fixed[q] < 0 {
				r.loose = append(r.loose, q)
			}
		}
	}
	if pass*batch <= may.trials && l.k > 1 && len(r.loose) > 0 {
		r.trials = min(trials, int(may.trials/pass))
	}
	ctx = context.WithoutCancel(ctx) // a start is needed all the same
	if _, err := r.assign(ctx); err != nil {
		return nil, err
	}
	return r, r.settle(ctx)
}

func (r *copSearch) Stages() []cluster.Stage {
	if r.done {
		return nil
	}
	r.moved, r.unsettled = 0, false
	stages := []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
	if len(r.loose) > 0 {
		stages = append(stages, cluster.Stage{Name: "exchange", Do: r.exchange})
	}
	if r.trials > 0 {
		stages = append(stages, cluster.Stage{Name: "kick", Do: r.kick})
	}
	return append(stages, cluster.Stage{Name: "settle", Do: func(ctx context.Context) (moved int, err error) {
		if r.unsettled { // the centres are not those of the assignment
			moved, err = r.assign(ctx)
		}
		if err != nil {
			return 0, err
		}
		r.done = r.moved == 0
		return moved, r.settle(ctx)
	}})
}

func (r *copSearch) Labels() []int { return r.labels }

func (r *copSearch) Model() cluster.Model {
	return lloyd.NewCentres(r.s.k, r.s.d, slices.Clone(r.s.centre))
}

func (r *copSearch) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.cost}}
}

// Objective adds up w_i ‖x_i − μ_{l_i}‖² over the points themselves.
func (r *copSearch) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.distortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: sum}}, err
}

func (r *copSearch) distortion(ctx context.Context) (sum float64, err error) {
	centres := lloyd.NewCentres(r.s.k, r.s.d, r.s.centre)
	err = blocks.Each(ctx, r.e.Workers, r.p.X.Len(), func(lo, hi int) (part float64) {
		buf := make([]float64, r.s.d)
		for i := lo; i < hi; i++ {
			part += r.p.W(i) * centres.PointCost(r.p.X.Row(i, buf), int(r.s.label[r.s.closed.Component(i)]))
		}
		return part
	}, func(_, _ int, part float64) { sum += part })
	return sum, err
}

// settle hands the labels to the points and notes the cost.
func (r *copSearch) settle(ctx context.Context) (err error) {
	for i := range r.labels {
		r.labels[i] = int(r.s.label[r.s.closed.Component(i)])
	}
	r.cost, err = r.distortion(ctx)
	return err
}

// note counts the points of lumps whose label is no longer what it was.
func (r *copSearch) note(was []int32) (moved int) {
	for q, h := range r.s.label {
		if h != was[q] {
			moved += r.s.closed.Size(q)
		}
	}
	r.moved += moved
	return moved
}

// means gives empty clusters the free lumps that gain most, and moves each
// centre to the mean of its cluster.
func (r *copSearch) means(ctx context.Context) (moved int, err error) {
	was := slices.Clone(r.s.label)
	r.s.tally()
	if slices.Contains(r.s.count, 0) {
		r.s.refill()
		r.s.tally()
	}
	return r.note(was), ctx.Err()
}

// refill moves to each empty cluster the free lump whose leaving gains most.
func (s *layout) refill() {
	s.frozen = false
	for h, c := range s.count {
		if c > 0 {
			continue
		}
		dearest, most := int32(-1), 0.0
		for q := range int32(len(s.label)) {
			if from := int(s.label[q]); s.free(q) && s.count[from] > 1 {
				if c := s.leave(s.at(q, s.buf), s.weight[q], from); c < most {
					dearest, most = q, c
				}
			}
		}
		if dearest < 0 {
			return
		}
		s.move(dearest, int32(h))
	}
}

// assign lowers the cost by the labels alone: free lumps go to the nearest
// centre, parts that can be solved are solved, tangles descend.
func (r *copSearch) assign(ctx context.Context) (moved int, err error) {
	s := r.s
	was := slices.Clone(s.label)
	s.frozen, s.eps = true, 0
	centres := lloyd.Pack(lloyd.NewCentres(s.k, s.d, s.centre), r.p.X)
	err = blocks.Each(ctx, r.e.Workers, r.p.X.Len(), func(lo, hi int) []int {
		near := make([]int, hi-lo)
		centres.Place(r.p.X, lo, hi, near)
		return near
	}, func(lo, hi int, near []int) {
		for i := lo; i < hi; i++ {
			if q := int32(s.closed.Component(i)); s.slot[q] < 0 && s.free(q) {
				s.label[q] = int32(near[i-lo])
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for _, q := range s.groups {
		h, _ := centres.Nearest(s.at(q, s.buf))
		s.label[q] = int32(h)
	}
	for _, p := range s.parts {
		if err := r.assignPart(ctx, p); err != nil {
			return 0, err
		}
	}
	return r.note(was), nil
}

func (r *copSearch) assignPart(ctx context.Context, p part) error {
	s := r.s
	now := 0.0
	for _, q := range p.lumps {
		now += s.weight[q] * s.dist2(s.at(q, s.buf), int(s.label[q]))
	}
	if p.shape != tangled {
		if labels, cost := s.solve(p); cost < now*(1-1e-12) {
			s.write(p, labels)
		}
		return ctx.Err()
	}
	s.eps = 1e-12 * now
	s.stir()
	_, err := s.descend(ctx, p.lumps, r.e.Rand, maxPasses)
	return err
}

// exchange lowers the cost by labels and centres at once. On large data it
// leaves everything as it was where no lump moves, to save an assignment.
func (r *copSearch) exchange(ctx context.Context) (moved int, err error) {
	s := r.s
	was, centre := slices.Clone(s.label), slices.Clone(s.centre)
	before := s.cost()
	s.tally()
	s.frozen, s.eps = false, 1e-11*before
	s.stir()
	steps, err := s.descend(ctx, r.loose, r.e.Rand, r.passes)
	if err != nil {
		return 0, err
	}
	s.tally() // without the rounding of many small steps
	r.unsettled = true
	if s.cost() > before || steps == 0 && r.trials == 0 {
		copy(s.label, was)
		copy(s.centre, centre)
		for h := range s.norm {
			s.norm[h] = data.Norm2(s.row(h))
		}
		r.unsettled = false
	}
	return r.note(was), nil
}

// centres chooses the first ones: of a class the mean of its points, the rest
// by k-means++ over the lumps. When ctx ends it draws by the distances known.
func (l *lumps) centres(ctx context.Context, e *cluster.Env) []float64 {
	n := len(l.weight)
	c, set := make([]float64, l.k*l.d), make([]bool, l.k)
	near := make([]float64, n) // squared distance to the nearest so far
	for q := range near {
		near[q] = math.Inf(1)
	}
	add := func(h, q int) {
		set[h] = true
		row := c[h*l.d : (h+1)*l.d]
		clear(row)
		data.Add(row, l.at(int32(q), make([]float64, l.d)), 1)
		norm := data.Norm2(row)
		_ = blocks.Each(ctx, e.Workers, n, func(lo, hi int) struct{} {
			buf := make([]float64, l.d)
			for p := lo; p < hi; p++ {
				near[p] = min(near[p], data.Dist2(l.at(int32(p), buf), row, norm))
			}
			return struct{}{}
		}, func(int, int, struct{}) {})
	}
	for _, q := range l.closed.Labelled() {
		add(l.closed.Class(int(q)), int(q))
	}
	running := make([]float64, n)
	for h := range l.k {
		if set[h] {
			continue
		}
		sum := 0.0
		for q, x := range near {
			if math.IsInf(x, 1) {
				x = 1 // the very first: by weight alone
			}
			sum += l.weight[q] * x
			running[q] = sum
		}
		q := e.Rand.IntN(n)
		if sum > 0 {
			q = lloyd.DrawCumulative(running, e.Rand.Float64())
		}
		add(h, q)
	}
	return c
}
