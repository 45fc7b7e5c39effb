package cop

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// greedyRun is one run of COP with AssignmentGreedy, COP-KMeans of Wagstaff et al.
// (2001). In every iteration the assignment starts from scratch and visits the points
// in order; the first point of a must-link component determines the cluster of all of
// it.
//
// Free points, those without constraints, do not affect the others and are assigned as
// in Lloyd's iteration. The paper's assignment of the constrained points can raise J:
// they then keep their labels, and the run ends when no label changes.
type greedyRun struct {
	space            lloyd.Space
	env              *cluster.Env
	closed           *constraint.Closure
	centres          *lloyd.Centres
	sparse           *lloyd.SparseRows // nil if rows are not sparse
	componentCluster []int32           // of each must-link component, -1 for a free point
	labels           []int
	cost             float64
	done             bool
}

// startGreedy draws the first centres, unless they are given, and makes the first
// assignment.
func startGreedy(ctx context.Context, p lloyd.Space, e *cluster.Env, closed *constraint.Closure, given *data.Dense) (cluster.Run, error) {
	r := &greedyRun{space: p, env: e, closed: closed, labels: make([]int, p.X.Len())}
	if given != nil {
		r.centres = p.Project(starts.GivenCentres(p.Problem, given))
	} else {
		r.centres = randomCentres(p, e, closed)
	}
	if x, ok := p.X.(*data.Sparse); ok {
		r.sparse = lloyd.NewSparseRows(e, x)
	}
	_, err := r.assignAll(blocks.Grace(ctx, float64(p.X.Len())*float64(p.X.Dim())*float64(p.K))) // a run needs a first labelling even if ctx has ended
	r.done = false
	return r, err
}

// randomCentres takes k random points as centres, from different must-link components
// if there are k of them.
func randomCentres(p lloyd.Space, e *cluster.Env, closed *constraint.Closure) *lloyd.Centres {
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

func (r *greedyRun) Stages() []cluster.Stage {
	if r.done {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.updateMeans}, {Name: "assign", Do: r.assignAll}}
}

func (r *greedyRun) Labels() []int { return r.labels }

func (r *greedyRun) Model() cluster.Model {
	return lloyd.NewCentresIn(r.centres.K, r.centres.D, slices.Clone(r.centres.C), r.space.Distance)
}

func (r *greedyRun) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.cost}}
}

// Objective returns the sum of the distortions, computed from labels and centres.
func (r *greedyRun) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.distortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: sum}}, err
}

func (r *greedyRun) distortion(ctx context.Context) (sum float64, err error) {
	err = blocks.Each(ctx, r.env.Workers, len(r.labels), func(lo, hi int) (part float64) {
		buf := make([]float64, r.centres.D)
		for i := lo; i < hi; i++ {
			part += r.space.W(i) * r.pointCost(r.space.X.Row(i, buf), r.labels[i])
		}
		return part
	}, func(_, _ int, part float64) { sum += part })
	return sum, err
}

// pointCost returns the distortion of a row of the space to centre h. For the cosine
// these rows have length 1.
func (r *greedyRun) pointCost(v data.Vec, h int) float64 {
	if r.space.Distance.Unit {
		return 1 - data.Dot(v, r.centres.At(h))
	}
	return r.centres.PointCost(v, h)
}

// updateMeans moves each centre to the mean of its points, scaled to length 1 for the
// cosine. The centre of an empty cluster stays, and so does one whose mean is 0 for
// the cosine.
func (r *greedyRun) updateMeans(ctx context.Context) (moved int, err error) {
	k, d := r.centres.K, r.centres.D
	sum, mass, buf := make([]float64, k*d), make([]float64, k), make([]float64, d)
	for i, h := range r.labels {
		data.Add(sum[h*d:(h+1)*d], r.space.X.Row(i, buf), r.space.W(i))
		mass[h] += r.space.W(i)
	}
	c := slices.Clone(r.centres.C)
	for h, m := range mass {
		mean := sum[h*d : (h+1)*d]
		switch {
		case m == 0 || r.space.Distance.Unit && !lloyd.Normalise(mean):
			continue
		case !r.space.Distance.Unit:
			for f := range mean {
				mean[f] /= m
			}
		}
		copy(c[h*d:], mean)
	}
	r.centres = lloyd.NewCentresIn(k, d, c, r.space.Distance)
	return 0, ctx.Err()
}

// isFree reports whether there is no constraint on point i.
func (r *greedyRun) isFree(i int) bool {
	q := r.closed.Component(i)
	return r.closed.Size(q) == 1 && r.closed.Class(q) < 0 && len(r.closed.CannotLinked(q)) == 0
}

// assignAll assigns the constrained points in order, and keeps the result if it lowers
// their cost; then it assigns the free points.
func (r *greedyRun) assignAll(ctx context.Context) (moved int, err error) {
	clusters, err := r.assignConstrained(ctx)
	if err != nil {
		return 0, err
	}
	if r.componentCluster == nil || !slices.Equal(clusters, r.componentCluster) && r.constrainedCost(clusters) < r.constrainedCost(r.componentCluster) {
		r.componentCluster = clusters
	}
	before := slices.Clone(r.labels)
	if err := r.assignPoints(ctx); err != nil {
		return 0, err
	}
	for i, h := range r.labels {
		if h != before[i] {
			moved++
		}
	}
	r.alignClustersWithClasses()
	r.done = moved == 0
	r.cost, err = r.distortion(ctx)
	return moved, err
}

// assignPoints gives free points their nearest cluster and constrained points that of
// their component.
func (r *greedyRun) assignPoints(ctx context.Context) error {
	if r.sparse != nil {
		if err := r.sparse.SetCentres(ctx, r.env, r.centres); err != nil {
			return err
		}
	}
	return blocks.Each(ctx, r.env.Workers, len(r.labels), func(lo, hi int) struct{} {
		buf, scratch := make([]float64, r.centres.D), simd.SparseScratch{}
		for i := lo; i < hi; i++ {
			switch {
			case !r.isFree(i):
				r.labels[i] = int(r.componentCluster[r.closed.Component(i)])
			case r.sparse != nil:
				r.labels[i] = r.sparse.Nearest(i, &scratch)
			default:
				r.labels[i], _ = r.centres.Nearest(r.space.X.Row(i, buf))
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// assignConstrained is the paper's assignment step on the points that are not free: in
// order, each goes to the nearest cluster that violates no constraint with those
// before it. It returns the cluster of each component, -1 for a free point, or a
// *StuckError.
func (r *greedyRun) assignConstrained(ctx context.Context) (clusters []int32, err error) {
	clusters = make([]int32, r.closed.Components())
	for q := range clusters {
		clusters[q] = -1
	}
	buf, blocked := make([]float64, r.centres.D), make([]int, r.centres.K)
	for i := range r.space.X.Len() {
		if r.isFree(i) {
			continue
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if q := r.closed.Component(i); clusters[q] < 0 {
			h := r.nearestOpenCluster(i, clusters, blocked, buf)
			if h < 0 {
				return nil, r.stuckError(i, clusters)
			}
			clusters[q] = int32(h)
		}
	}
	return clusters, ctx.Err()
}

// nearestOpenCluster returns the nearest cluster that is not blocked for i, the first
// point of its component, or -1. blocked[h] is i+1 for a blocked cluster.
func (r *greedyRun) nearestOpenCluster(i int, clusters []int32, blocked []int, buf []float64) int {
	r.eachBlocker(i, clusters, func(h, _ int, _ bool) { blocked[h] = i + 1 })
	best, least := -1, 0.0
	v := r.space.X.Row(i, buf)
	for h := range blocked {
		if blocked[h] == i+1 {
			continue
		}
		if d := r.pointCost(v, h); best < 0 || d < least {
			best, least = h, d
		}
	}
	return best
}

// eachBlocker calls visit with every cluster blocked for point i and a component in it
// that i cannot be with, because of a cannot-link or a different class.
func (r *greedyRun) eachBlocker(i int, clusters []int32, visit func(h, component int, byLabel bool)) {
	q := r.closed.Component(i)
	for _, other := range r.closed.CannotLinked(q) {
		if h := clusters[other]; h >= 0 {
			visit(int(h), int(other), false)
		}
	}
	if r.closed.Class(q) < 0 {
		return
	}
	for _, other := range r.closed.Labelled() {
		if h := clusters[other]; h >= 0 && int(other) != q {
			visit(int(h), int(other), true)
		}
	}
}

// stuckError returns the error that no cluster is left for point i.
func (r *greedyRun) stuckError(i int, clusters []int32) error {
	e := &StuckError{Point: i, Blocks: make([]int, r.centres.K), ByLabel: make([]bool, r.centres.K)}
	r.eachBlocker(i, clusters, func(h, component int, byLabel bool) {
		e.Blocks[h], e.ByLabel[h] = int(r.closed.Members(component)[0]), byLabel
	})
	return e
}

// constrainedCost returns the cost of the points that are not free.
func (r *greedyRun) constrainedCost(clusters []int32) (sum float64) {
	buf := make([]float64, r.centres.D)
	for i := range r.space.X.Len() {
		if h := clusters[r.closed.Component(i)]; h >= 0 {
			sum += r.space.W(i) * r.pointCost(r.space.X.Row(i, buf), int(h))
		}
	}
	return sum
}

// alignClustersWithClasses renumbers the clusters so that class h is cluster h.
func (r *greedyRun) alignClustersWithClasses() {
	k := r.centres.K
	to, taken := make([]int, k), make([]bool, k)
	for h := range to {
		to[h] = -1
	}
	for _, q := range r.closed.Labelled() {
		c := r.closed.Class(int(q))
		to[r.componentCluster[q]], taken[c] = c, true
	}
	for h := range to { // a cluster without a class keeps its number if it can
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
	r.centres = lloyd.NewCentresIn(k, r.centres.D, c, r.space.Distance)
	for i, h := range r.labels {
		r.labels[i] = to[h]
	}
	for q, h := range r.componentCluster {
		if h >= 0 {
			r.componentCluster[q] = int32(to[h])
		}
	}
}
