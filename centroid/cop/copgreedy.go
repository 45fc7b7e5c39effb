package cop

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/internal/simd"
)

// copGreedy is one run of COP as in the paper. Every pass starts from nothing:
// where[q] is the cluster of component q so far.
//
// Free points do not touch the others, so their part of a pass is Lloyd's. The
// paper's pass can raise J by the others: these then keep the labels that they
// had, and the run ends when nothing changes.
type copGreedy struct {
	p       lloyd.Space
	e       *cluster.Env
	closed  *constraint.Closure
	centres *lloyd.Centres
	sparse  *lloyd.SparseRows // nil: rows are not sparse
	where   []int32
	labels  []int
	cost    float64
	done    bool
}

func startGreedy(ctx context.Context, p lloyd.Space, e *cluster.Env, closed *constraint.Closure) (cluster.Run, error) {
	r := &copGreedy{p: p, e: e, closed: closed, centres: strangers(p, e, closed), labels: make([]int, p.X.Len())}
	if x, ok := p.X.(*data.Sparse); ok {
		r.sparse = lloyd.NewSparseRows(e, x)
	}
	_, err := r.assign(context.WithoutCancel(ctx)) // a start is needed all the same
	r.done = false
	return r, err
}

// strangers makes centres of k random points, no two of which must be together
// as long as there are such points.
func strangers(p lloyd.Space, e *cluster.Env, closed *constraint.Closure) *lloyd.Centres {
	var chosen, rest []int
	taken := make([]bool, closed.Components())
	for _, i := range e.Rand.Perm(p.X.Len()) {
		if q := closed.Component(i); !taken[q] {
			taken[q] = true
			chosen = append(chosen, i)
		} else {
			rest = append(rest, i)
		}
		if len(chosen) == p.K {
			break
		}
	}
	c := make([]float64, 0, p.K*p.X.Dim())
	for _, i := range append(chosen, rest...)[:p.K] {
		c = append(c, data.Copy(p.X, i)...)
	}
	return p.Project(lloyd.NewCentres(p.K, p.X.Dim(), c))
}

func (r *copGreedy) Stages() []cluster.Stage {
	if r.done {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
}

func (r *copGreedy) Labels() []int { return r.labels }

func (r *copGreedy) Model() cluster.Model {
	return lloyd.NewCentresIn(r.centres.K, r.centres.D, slices.Clone(r.centres.C), r.p.Cosine)
}

func (r *copGreedy) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.cost}}
}

// Objective adds up the distortions, from labels and centres alone.
func (r *copGreedy) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.distortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: sum}}, err
}

func (r *copGreedy) distortion(ctx context.Context) (sum float64, err error) {
	err = blocks.Each(ctx, r.e.Workers, len(r.labels), func(lo, hi int) (part float64) {
		buf := make([]float64, r.centres.D)
		for i := lo; i < hi; i++ {
			part += r.p.W(i) * r.dear(r.p.X.Row(i, buf), r.labels[i])
		}
		return part
	}, func(_, _ int, part float64) { sum += part })
	return sum, err
}

// dear is Price of the centres for a row of the space, which has length 1 where
// that matters.
func (r *copGreedy) dear(v data.Vec, h int) float64 {
	if r.p.Cosine {
		return 1 - data.Dot(v, r.centres.At(h))
	}
	return r.centres.PointCost(v, h)
}

// means moves each centre to the mean of its points or, for the cosine, to its
// direction; that of an empty cluster, and of points that cancel out, stays.
func (r *copGreedy) means(ctx context.Context) (moved int, err error) {
	k, d := r.centres.K, r.centres.D
	sum, mass, buf := make([]float64, k*d), make([]float64, k), make([]float64, d)
	for i, h := range r.labels {
		data.Add(sum[h*d:(h+1)*d], r.p.X.Row(i, buf), r.p.W(i))
		mass[h] += r.p.W(i)
	}
	c := slices.Clone(r.centres.C)
	for h, m := range mass {
		at := sum[h*d : (h+1)*d]
		switch {
		case m == 0 || r.p.Cosine && !lloyd.Normalise(at):
			continue
		case !r.p.Cosine:
			for f := range at {
				at[f] /= m
			}
		}
		copy(c[h*d:], at)
	}
	r.centres = lloyd.NewCentresIn(k, d, c, r.p.Cosine)
	return 0, ctx.Err()
}

// free reports whether nothing is known of point i that can bind it.
func (r *copGreedy) free(i int) bool {
	q := r.closed.Component(i)
	return r.closed.Size(q) == 1 && r.closed.Class(q) < 0 && len(r.closed.CannotLinked(q)) == 0
}

// assign gives every point in its order the nearest cluster that holds nothing
// it cannot be with.
func (r *copGreedy) assign(ctx context.Context) (moved int, err error) {
	where, err := r.bound(ctx)
	if err != nil {
		return 0, err
	}
	if r.where == nil || !slices.Equal(where, r.where) && r.price(where) < r.price(r.where) {
		r.where = where
	}
	was := slices.Clone(r.labels)
	if err := r.place(ctx); err != nil {
		return 0, err
	}
	for i, h := range r.labels {
		if h != was[i] {
			moved++
		}
	}
	r.name()
	r.done = moved == 0
	r.cost, err = r.distortion(ctx)
	return moved, err
}

// place gives free points their nearest cluster and the others that of their
// component.
func (r *copGreedy) place(ctx context.Context) error {
	if r.sparse != nil {
		if err := r.sparse.SetCentres(ctx, r.e, r.centres); err != nil {
			return err
		}
	}
	return blocks.Each(ctx, r.e.Workers, len(r.labels), func(lo, hi int) struct{} {
		buf, room := make([]float64, r.centres.D), simd.SparseScratch{}
		for i := lo; i < hi; i++ {
			switch {
			case !r.free(i):
				r.labels[i] = int(r.where[r.closed.Component(i)])
			case r.sparse != nil:
				r.labels[i] = r.sparse.Nearest(i, &room)
			default:
				r.labels[i], _ = r.centres.Nearest(r.p.X.Row(i, buf))
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// bound makes the pass over the points that are not free, and returns the
// cluster of each component, -1 for that of a free point.
func (r *copGreedy) bound(ctx context.Context) (where []int32, err error) {
	where = make([]int32, r.closed.Components())
	for q := range where {
		where[q] = -1
	}
	buf, block := make([]float64, r.centres.D), make([]int, r.centres.K)
	for i := range r.p.X.Len() {
		if r.free(i) {
			continue
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if q := r.closed.Component(i); where[q] < 0 {
			h := r.legal(i, where, block, buf)
			if h < 0 {
				return nil, r.stuck(i, where)
			}
			where[q] = int32(h)
		}
	}
	return where, ctx.Err()
}

// legal returns the nearest cluster open to i, the first of its component to
// be assigned, or -1.
func (r *copGreedy) legal(i int, where []int32, block []int, buf []float64) int {
	r.blockers(i, where, func(h, _ int, _ bool) { block[h] = i + 1 })
	best, least := -1, 0.0
	v := r.p.X.Row(i, buf)
	for h := range block {
		if block[h] == i+1 {
			continue
		}
		if d := r.dear(v, h); best < 0 || d < least {
			best, least = h, d
		}
	}
	return best
}

// blockers tells the clusters closed to point i, and for each a component in
// it that i is apart from, by a cannot-link or by its class.
func (r *copGreedy) blockers(i int, where []int32, tell func(h, component int, byLabel bool)) {
	q := r.closed.Component(i)
	for _, other := range r.closed.CannotLinked(q) {
		if h := where[other]; h >= 0 {
			tell(int(h), int(other), false)
		}
	}
	if r.closed.Class(q) < 0 {
		return
	}
	for _, other := range r.closed.Labelled() {
		if h := where[other]; h >= 0 && int(other) != q {
			tell(int(h), int(other), true)
		}
	}
}

func (r *copGreedy) stuck(i int, where []int32) error {
	e := &StuckError{Point: i, Blocks: make([]int, r.centres.K), ByLabel: make([]bool, r.centres.K)}
	r.blockers(i, where, func(h, component int, byLabel bool) {
		e.Blocks[h], e.ByLabel[h] = int(r.closed.Members(component)[0]), byLabel
	})
	return e
}

// price returns what the points that are not free cost.
func (r *copGreedy) price(where []int32) (sum float64) {
	buf := make([]float64, r.centres.D)
	for i := range r.p.X.Len() {
		if h := where[r.closed.Component(i)]; h >= 0 {
			sum += r.p.W(i) * r.dear(r.p.X.Row(i, buf), int(h))
		}
	}
	return sum
}

// name renames the clusters so that class h is cluster h.
func (r *copGreedy) name() {
	k := r.centres.K
	to, taken := make([]int, k), make([]bool, k)
	for h := range to {
		to[h] = -1
	}
	for _, q := range r.closed.Labelled() {
		c := r.closed.Class(int(q))
		to[r.where[q]], taken[c] = c, true
	}
	for h := range to { // those without a class keep their names as far as they can
		if to[h] < 0 && !taken[h] {
			to[h], taken[h] = h, true
		}
	}
	next := 0
	for h := range to {
		if to[h] >= 0 {
			continue
		}
		for taken[next] {
			next++
		}
		to[h], taken[next] = next, true
	}
	c := make([]float64, len(r.centres.C))
	for h, g := range to {
		copy(c[g*r.centres.D:], r.centres.At(h))
	}
	r.centres = lloyd.NewCentresIn(k, r.centres.D, c, r.p.Cosine)
	for i, h := range r.labels {
		r.labels[i] = to[h]
	}
	for q, h := range r.where {
		if h >= 0 {
			r.where[q] = int32(to[h])
		}
	}
}
