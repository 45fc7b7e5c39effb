package kernel

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// way is how a flat clustering is started and brought down.
type way struct {
	objective string
	shift     string
	start     string
	refine    bool
	known     *constraint.Set
	name      string  // of the term that is not of the constraints
	constant  float64 // that the term has beside the quotients
	seen      *Seen   // how rows were seen; nil on graphs
	cost      float64 // of one pass, where that can be much
}

// The ways to start.
const (
	Farthest = "farthest"
	Random   = "random"
)

var starts = []string{Farthest, Random}

// flatRun is one descent of a flat clustering.
type flatRun struct {
	*flat
	way
	stuck bool // a batch step changed nothing worth while
	done  bool
	told  []int
}

// startFlat settles the shift and the first labels. When there is no time, the
// shift is 0 and the labels are random, unless even to price these takes long.
func startFlat(ctx context.Context, f *flat, w way, e *cluster.Env) (cluster.Run, error) {
	f.work, f.label = e.Workers, make([]int32, f.n())
	r := &flatRun{flat: f, way: w, told: make([]int, f.n())}
	err := f.settleShift(ctx, w.shift, w.objective, e.Rand)
	if err == nil && w.start == Farthest {
		err = f.farthestFirst(ctx, w.known, e.Rand)
	} else if err == nil {
		err = f.random(ctx, e.Rand)
	}
	if err != nil && ctx.Err() != nil {
		err = f.random(spare(ctx, w.cost), e.Rand)
	}
	return r, err
}

// Stages are batch steps, as in the paper, until one changes nothing; then, if
// asked for, moves of single points.
func (r *flatRun) Stages() []cluster.Stage {
	switch {
	case r.done:
		return nil
	case !r.stuck && !r.refine:
		return []cluster.Stage{{Name: "batch", Do: r.step}}
	case !r.stuck:
		return []cluster.Stage{{Name: "batch", Do: r.step}, {Name: "moves", Do: r.move}}
	}
	return []cluster.Stage{{Name: "moves", Do: r.move}}
}

func (r *flatRun) step(ctx context.Context) (int, error) {
	was := r.quality()
	moved, err := r.batch(ctx)
	r.stuck = r.quality()-was <= 1e-6*abs(was)
	r.done = moved == 0 && !r.refine
	return moved, err
}

// move makes single moves once batch steps are at their end: earlier they would
// only repeat the work.
func (r *flatRun) move(ctx context.Context) (int, error) {
	if !r.stuck {
		return 0, nil
	}
	moved, err := r.moves(ctx)
	r.done = moved == 0
	return moved, err
}

func (r *flatRun) Labels() []int {
	for i, c := range r.label {
		r.told[i] = int(c)
	}
	return r.told
}

// Model returns nil. A mean is a sum over the rows of its cluster in the space
// of the kernel, so a model would be all rows, and placing one row as dear as
// fitting it. And a model has to place every fitted row where the fit has put
// it, whenever it is stopped: labels of a batch step are nearest to the means
// before it, not to their own, and a shift, which a new row does not have, keeps
// a row where it is.
func (r *flatRun) Model() cluster.Model { return nil }

// Learned returns how rows were seen, a *Seen, with the shift; nil where there
// is nothing to tell.
func (r *flatRun) Learned() any {
	told := Seen{}
	if r.seen != nil {
		told = *r.seen
	}
	if told.Shift = r.sigma; told == (Seen{}) {
		return nil
	}
	return &told
}

// Tracked prices the labels by the sums at hand.
func (r *flatRun) Tracked() cluster.Terms { return r.terms(r.flat) }

// Objective prices the labels from nothing.
func (r *flatRun) Objective(ctx context.Context) (cluster.Terms, error) {
	fresh := *r.flat
	fresh.sum = nil
	if err := fresh.renew(ctx); err != nil {
		return nil, err
	}
	return r.terms(&fresh), nil
}

// terms splits J: what is of B, what is of W, and what the shift adds for empty
// clusters, σ each (nothing where there are none: a shift changes J by σ for
// every cluster that has points).
func (r *flatRun) terms(f *flat) cluster.Terms {
	pairs, filled := make([]float64, f.k), 0
	for i, c := range f.label {
		to, w := f.links.row(int32(i))
		for q, j := range to {
			if f.label[j] == c {
				pairs[c] += w[q]
			}
		}
	}
	base, known := r.constant, 0.0
	for c := range f.k {
		if f.s[c] > 0 {
			filled++
		}
		base -= quotient(f.m[c]-pairs[c], f.s[c])
		known -= quotient(pairs[c], f.s[c])
	}
	t := cluster.Terms{{Name: r.name, Value: base + f.sigma*float64(filled)}}
	if f.links.start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: known})
	}
	if filled < f.k && f.sigma > 0 {
		t = append(t, cluster.Term{Name: "shift", Value: f.sigma * float64(f.k-filled)})
	}
	return t
}
