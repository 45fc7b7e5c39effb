package lloyd

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// Run is one run of k-means, with the labels of some points fixed or none.
// Between iterations every other point has the label of its nearest centre, and
// the sums are those of the labels.
//
// The cost, Σ_i w_i ‖x_i − μ_{l_i}‖² in the space, follows the changes: a point
// that moves changes it by the difference of two distances, and a cluster of mass
// m and mean u whose centre goes from c to c' by m (‖c' − u‖² − ‖c − u‖²). So a
// point that stays where it is need not be read.
type Run struct {
	*Search
	sums    *KeptSums
	cost    CostTracker
	moves   []Move // room for those of an assignment; never nil
	pending PendingMoves
	settled bool // the last assignment moved nothing
}

// Start assigns every point to the first centres, also when ctx has ended:
// from then on there is something to return.
func Start(ctx context.Context, p Space, e *cluster.Env, first *Centres, fixed []int32) (*Run, error) {
	r := &Run{Search: NewSearch(p, e, p.Project(first)), sums: NewKeptSums(first.K, first.D), moves: []Move{}}
	r.fixed = fixed
	r.KeepRounded()
	return r, r.begin(context.WithoutCancel(ctx))
}

// begin is the first assignment: all rows come from nowhere.
func (r *Run) begin(ctx context.Context) (err error) {
	if err = r.run(ctx, &assignment{First: true}); err == nil {
		_, err = r.sums.Update(ctx, r.e, r.p.Problem, nil, r.labels, nil)
	}
	if err != nil {
		return err
	}
	return r.checkCost(ctx)
}

func (r *Run) Stages() []cluster.Stage {
	if r.settled {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.Means}, {Name: "assign", Do: r.Assign}}
}

func (r *Run) Labels() []int        { return r.pending.AllLabels(r.labels) }
func (r *Run) Relabel(labels []int) { r.pending.Update(labels, r.labels) }

// Model returns the centres themselves: they are replaced, never changed.
func (r *Run) Model() cluster.Model { return r.centres }

func (r *Run) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.p.Objective(r.cost.Cost)}}
}

// Means refills empty clusters and moves each centre to the mean of its points,
// or, for the cosine, to the direction of the mean; where the points cancel out
// there is none, every direction costs the same, and the centre stays.
func (r *Run) Means(ctx context.Context) (moved int, err error) {
	if moved, err = r.refill(ctx); err != nil {
		return 0, err
	}
	next := &Centres{K: r.centres.K, D: r.centres.D, C: make([]float64, len(r.sums.Sum)), Cosine: r.p.Cosine, norm: make([]float64, r.centres.K)}
	change := make([]float64, next.K)
	err = blocks.Tasks(ctx, r.e.Workers, next.K, func(h int) {
		at, old := next.At(h), r.centres.At(h)
		switch {
		case r.sums.Mass[h] == 0: // no point to take over
			copy(at, old)
		case r.p.Cosine:
			change[h] = r.sums.direction(h, old, at, r.centres.norm[h])
		default:
			change[h] = r.sums.mean(h, old, at)
		}
		next.norm[h] = data.Norm2(at)
	})
	if err != nil {
		return moved, err
	}
	r.centres = next
	r.cost.Cost += SumSorted(change)
	return moved, nil
}

// refill gives each empty cluster the point that costs most where it is, never
// a fixed one or the last of its cluster.
func (r *Run) refill(ctx context.Context) (moved int, err error) {
	if !slices.Contains(r.sums.Count, 0) {
		return 0, nil
	}
	dist, err := r.Distances(ctx)
	if err != nil {
		return 0, err
	}
	for h, n := range r.sums.Count {
		if n > 0 {
			continue
		}
		dearest, most := -1, 0.0
		for i, d := range dist {
			if c := d * r.p.W(i); c > most && r.sums.Count[r.labels[i]] > 1 && !r.isFixed(i) {
				dearest, most = i, c
			}
		}
		if dearest < 0 {
			return moved, nil
		}
		if err := r.takeOver(ctx, dearest, h); err != nil {
			return moved, err
		}
		dist[dearest] = 0
		moved++
	}
	return moved, nil
}

// takeOver moves row i to cluster h, and brings all that follows up to date.
func (r *Run) takeOver(ctx context.Context, i, h int) error {
	from := r.labels[i]
	r.labels[i] = int32(h)
	if r.bounds != nil {
		r.bounds.drop(i)
	}
	return r.follow(ctx, []Move{{int32(i), from}})
}

// follow brings sums and cost up to date with the labels, after the moves.
func (r *Run) follow(ctx context.Context, moves []Move) error {
	r.pending.Add(moves)
	cost, err := r.sums.Update(ctx, r.e, r.p.Problem, r.centres, r.labels, moves)
	r.cost.Apply(cost)
	return err
}

// Assign gives every point that is not fixed the label of its nearest centre.
func (r *Run) Assign(ctx context.Context) (moved int, err error) {
	pass := &assignment{moves: r.moves}
	if err := r.run(ctx, pass); err != nil {
		return 0, err
	}
	r.moves = pass.moves[:0]
	if err := r.follow(ctx, pass.moves); err != nil {
		return 0, err
	}
	r.settled = len(pass.moves) == 0
	return len(pass.moves), r.checkCost(ctx)
}

func (r *Run) checkCost(ctx context.Context) error {
	if !r.settled && !r.cost.NeedsMeasuring() {
		return nil
	}
	sum, err := r.distortion(ctx)
	if err == nil {
		r.cost.SetMeasured(sum)
	}
	return err
}

func (r *Run) distortion(ctx context.Context) (float64, error) {
	return r.TotalDistortion(ctx, r.labels, r.p.Weight)
}

// Objective adds up the distortions, from labels and centres alone.
func (r *Run) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.distortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: r.p.Objective(sum)}}, err
}

// Cost returns Σ w_i ‖x_i − μ_{l_i}‖² in the space, as it is tracked.
func (r *Run) Cost() float64 { return r.cost.Cost }
