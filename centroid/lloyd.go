package centroid

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// lloyd is one run of k-means, with the labels of some points fixed or none.
// Between iterations every other point has the label of its nearest centre, and
// the sums are those of the labels.
type lloyd struct {
	p       space
	e       *cluster.Env
	centres *Centres
	fixed   []int32 // the label that a point keeps, -1 for none; nil: none at all
	labels  []int32
	told    []int     // the labels as Labels returns them
	dist    []float64 // ‖x_i − μ_{l_i}‖²
	sums    *sums
	bounds  bounding
	bounded bool        // bounds.lower is of these centres
	sparse  *sparseRows // nil: rows are not sparse
	kept    keptSums    // of sparse rows
	keeps   bool        // they are kept; else all is added up and measured every time
	cost    float64     // Σ_i w_i ‖x_i − μ_{l_i}‖² in the space
	settled bool        // the last assignment moved nothing
}

// startLloyd assigns every point to the first centres, also when ctx has ended:
// from then on there is something to return.
func startLloyd(ctx context.Context, p space, e *cluster.Env, first *Centres, fixed []int32) (cluster.Run, error) {
	r := newLloyd(p, e, p.centres(first))
	r.fixed = fixed
	r.keeps = r.sparse != nil
	_, err := r.assign(context.WithoutCancel(ctx))
	r.settled = false
	return r, err
}

// newLloyd returns a run in which no point has a label yet.
func newLloyd(p space, e *cluster.Env, first *Centres) *lloyd {
	n := p.X.Len()
	r := &lloyd{p: p, e: e, centres: first, labels: make([]int32, n), told: make([]int, n), dist: make([]float64, n),
		sums: newSums(first.K, first.D)}
	if r.boundable() {
		r.bounds.lower = make([]float64, n)
	}
	if x, ok := p.X.(*data.Sparse); ok {
		r.sparse = newSparseRows(e, x)
	}
	return r
}

func (r *lloyd) Stages() []cluster.Stage {
	if r.settled {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
}

func (r *lloyd) Labels() []int {
	for i, h := range r.labels {
		r.told[i] = int(h)
	}
	return r.told
}

// Model returns the centres themselves: they are replaced, never changed.
func (r *lloyd) Model() cluster.Model { return r.centres }

func (r *lloyd) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.p.price(r.cost)}}
}

// means refills empty clusters and moves each centre to the mean of its points,
// or, for the cosine, to the direction of the mean; where the points cancel out
// there is none, every direction costs the same, and the centre stays.
func (r *lloyd) means(ctx context.Context) (moved int, err error) {
	moved = r.refill()
	next := &Centres{K: r.centres.K, D: r.centres.D, C: make([]float64, len(r.sums.Sum)), Cosine: r.p.cosine, norm: make([]float64, r.centres.K)}
	err = blocks.Tasks(ctx, r.e.Workers, next.K, func(h int) {
		copy(next.At(h), r.sums.at(h))
		r.mean(h, next.At(h))
		next.norm[h] = data.Norm2(next.At(h))
	})
	if err == nil {
		r.centres = next
	}
	return moved, err
}

// mean turns the sum of cluster h into the new place of its centre.
func (r *lloyd) mean(h int, at []float64) {
	m := r.sums.Mass[h]
	switch {
	case m == 0 || r.p.cosine && !normalise(at): // no point to take over, or no direction
		copy(at, r.centres.At(h))
	case !r.p.cosine:
		for f := range at {
			at[f] /= m
		}
	}
}

// refill gives each empty cluster the point that costs most where it is, never
// a fixed one or the last of its cluster.
func (r *lloyd) refill() (moved int) {
	for h := range r.sums.Mass {
		if r.sums.Count[h] > 0 {
			continue
		}
		if r.keeps && !r.kept.measured {
			_, _ = r.kept.measure(context.Background(), r) // which does not end
		}
		dearest, most := -1, 0.0
		for i, d := range r.dist {
			if c := d * r.p.W(i); c > most && r.sums.Count[r.labels[i]] > 1 && !r.isFixed(i) {
				dearest, most = i, c
			}
		}
		if dearest < 0 {
			return moved
		}
		v, w := r.p.X.Row(dearest, make([]float64, r.p.X.Dim())), r.p.W(dearest)
		if r.keeps {
			r.kept.move(r, dearest, h)
		} else {
			r.sums.add(int(r.labels[dearest]), v, -w, -1)
			r.sums.add(h, v, w, 1)
		}
		r.labels[dearest], r.dist[dearest] = int32(h), 0
		if r.bounds.lower != nil {
			r.bounds.lower[dearest] = 0
		}
		moved++
	}
	return moved
}

func (r *lloyd) isFixed(i int) bool { return r.fixed != nil && r.fixed[i] >= 0 }

// boundable reports whether bounds can pay: for dense rows and some centres.
func (r *lloyd) boundable() bool { return isDense(r.p.X) && r.p.K >= leastBounded }

// isDense reports whether rows are dense and of a kind that is ours.
func isDense(x data.Rows) bool {
	switch x.(type) {
	case *data.Dense, *data.Dense32, *seen:
		return true
	}
	return false
}

// leastBounded is the number of centres from which bounds pay: below, the
// search costs hardly more than the distance to one's own centre.
const leastBounded = 8

// openShare tells from about a thousand rows which share of them b leaves open.
func (r *lloyd) openShare(b *bounds) float64 {
	buf := make([]float64, r.p.X.Dim())
	open, asked := 0, 0
	for i := 0; i < len(r.labels); i += 1 + len(r.labels)/1024 {
		h := r.labels[i]
		own := r.centres.dist2(r.p.X.Row(i, buf), int(h))
		if b.leavesOpen(h, own, r.bounds.lower[i]-b.drift(h)) {
			open++
		}
		asked++
	}
	return float64(open) / float64(asked)
}

// assign gives every point that is not fixed the label of its nearest centre.
func (r *lloyd) assign(ctx context.Context) (moved int, err error) {
	pass := &assignment{Centres: r.centres, Weight: r.p.Weight, Fixed: r.fixed, Labels: r.labels, Dist: r.dist}
	pass.Lower, pass.Bounds = r.bounds.next(r.centres, len(r.labels), r.openShare)
	pass.sums, r.bounded = r.sums, pass.Lower != nil
	if r.sparse == nil {
		pass.sums.clear()
	} else {
		pass.Sparse = r.sparse
		if err := r.sparse.turn(ctx, r.e, r.centres); err != nil {
			return 0, err
		}
	}
	if err := cluster.Sweep(ctx, r.e, r.p.X, pass); err != nil {
		return 0, err
	}
	if r.sparse != nil {
		if pass.cost, err = r.settleSparse(ctx); err != nil {
			return 0, err
		}
	}
	r.cost, r.settled = pass.cost, pass.moved == 0
	return pass.moved, nil
}

// Objective adds up the distortions, from labels and centres alone.
func (r *lloyd) Objective(ctx context.Context) (cluster.Terms, error) {
	pass := &distortion{Centres: r.centres, Labels: r.labels, Weight: r.p.Weight}
	err := cluster.Sweep(ctx, r.e, r.p.X, pass)
	return cluster.Terms{{Name: "distortion", Value: r.p.price(pass.sum)}}, err
}
