package lloyd

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Run is one run of Lloyd's iteration, with or without fixed labels. It ends in the first local minimum; SearchSwaps
// makes a run of it that goes on. Between
// iterations every point that is not fixed has the label of its nearest centre, and
// the sums are those of the labels.
//
// The cost, Σ_i w_i ‖x_i − μ_{l_i}‖² in the space, is updated by changes alone: a
// point that moves changes it by the difference of two distances, and a cluster of
// mass m and mean u whose centre moves from c to c' by m (‖c' − u‖² − ‖c − u‖²). So a
// point that does not move need not be read.
type Run struct {
	*Search
	sums    *KeptSums
	cost    CostTracker
	moves   []Move // scratch for the moves of an assignment; never nil
	pending PendingMoves
	settled bool // the last assignment moved nothing

	mostShift float64 // see EndAtShift; 0: not used
	shift     float64 // Σ_h ‖μ_h' − μ_h‖² of the last means, where mostShift is used

	decrease   float64 // of the cost in the last iteration
	costBefore float64 // after the last iteration
	passes     int     // assignments so far, those of trials aside
	searched   int     // rows that were searched among all centres so far
}

// Start assigns every point to the first centres, also when ctx has ended, so that
// there is a result to return. fixed gives the label that a point keeps, -1 for none;
// nil: no point is fixed.
func Start(ctx context.Context, p Space, e *cluster.Env, first *Centres, fixed []int32) (*Run, error) {
	r := &Run{Search: NewSearch(p, e, p.Project(first)), sums: NewKeptSums(first.K, first.D), moves: []Move{}, costBefore: math.Inf(1)}
	r.fixed = fixed
	r.KeepRounded()
	return r, r.assignFirst(blocks.Grace(ctx, float64(p.X.Len())*float64(p.X.Dim())*float64(p.K)))
}

// assignFirst is the first assignment.
func (r *Run) assignFirst(ctx context.Context) (err error) {
	pass := &assignment{First: true}
	if err = r.runPass(ctx, pass); err == nil {
		r.searched += pass.searched
		_, err = r.updateSums(ctx, nil, nil)
	}
	if err != nil {
		return err
	}
	return r.remeasureCost(ctx)
}

// EndAtShift ends the run, once no swaps are left to try, when the squared shifts of the centres in
// an iteration sum to at most this: scikit-learn's criterion. Centres of rows that did not move
// shift by 0. 0 ends it, as without, when no row moves.
func (r *Run) EndAtShift(most float64) { r.mostShift, r.shift = most, math.Inf(1) }

// Stages returns the stages of the next iteration, nil after convergence.
func (r *Run) Stages() []cluster.Stage {
	if r.mostShift > 0 && r.shift <= r.mostShift || r.mostShift == 0 && r.settled {
		return nil
	}
	return r.iteration()
}

// iteration returns the stages of an iteration.
func (r *Run) iteration() []cluster.Stage {
	return []cluster.Stage{{Name: "means", Do: r.Means}, {Name: "assign", Do: r.Assign}}
}

// Labels returns the label of every point.
func (r *Run) Labels() []int { return r.pending.AllLabels(r.labels, r.e.Workers) }

// Relabel changes labels, as last returned, to the current ones.
func (r *Run) Relabel(labels []int) { r.pending.Update(labels, r.labels, r.e.Workers) }

// Model returns the centres themselves: they are replaced, never changed.
func (r *Run) Model() cluster.Model { return r.centres }

// Tracked returns J as the run tracks it.
func (r *Run) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.p.Objective(r.cost.Cost)}}
}

// Means refills empty clusters and moves each centre to the mean of its points,
// or, for the cosine, to the direction of the mean. Where the mean is 0 every
// direction costs the same, and the centre stays.
func (r *Run) Means(ctx context.Context) (moved int, err error) {
	if moved, err = r.refillEmpty(ctx); err != nil {
		return 0, err
	}
	next := &Centres{K: r.centres.K, D: r.centres.D, C: make([]float64, len(r.sums.Sum)), By: r.p.Distance, norm: make([]float64, r.centres.K)}
	change := make([]float64, next.K)
	err = blocks.Tasks(ctx, r.e.Workers, next.K, func(h int) {
		at, old := next.At(h), r.centres.At(h)
		switch {
		case r.sums.Mass[h] == 0: // and no point could be moved here
			copy(at, old)
		case r.p.Distance.Unit:
			change[h] = r.sums.moveToDirection(h, old, at, r.centres.norm[h])
		default:
			change[h] = r.sums.moveToMean(h, old, at)
		}
		next.norm[h] = data.Norm2(at)
	})
	if err != nil {
		return moved, err
	}
	if r.mostShift > 0 {
		r.shift = 0
		for q, c := range next.C {
			r.shift += (c - r.centres.C[q]) * (c - r.centres.C[q])
		}
	}
	r.centres = next
	r.cost.Cost += SumSorted(change)
	return moved, nil
}

// refillEmpty moves the costliest point to each empty cluster, never a fixed point or
// the last point of its cluster.
func (r *Run) refillEmpty(ctx context.Context) (moved int, err error) {
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
		costliest, most := -1, 0.0
		for i, d := range dist {
			if c := d * r.p.W(i); c > most && r.sums.Count[r.labels[i]] > 1 && !r.isFixed(i) {
				costliest, most = i, c
			}
		}
		if costliest < 0 {
			return moved, nil
		}
		if err := r.moveRow(ctx, costliest, h); err != nil {
			return moved, err
		}
		dist[costliest] = 0
		moved++
	}
	return moved, nil
}

// moveRow moves row i to cluster h, and updates bounds, sums and cost.
func (r *Run) moveRow(ctx context.Context, i, h int) error {
	from := r.labels[i]
	r.labels[i] = int32(h)
	r.device.agrees, r.device.listed = false, false
	if r.bounds != nil {
		r.bounds.forceSearch(i)
	}
	return r.applyMoves(ctx, []Move{{int32(i), from}})
}

// applyMoves updates sums and cost to the labels after moves.
func (r *Run) applyMoves(ctx context.Context, moves []Move) error {
	r.pending.Add(moves, len(r.labels))
	cost, err := r.updateSums(ctx, r.centres, moves)
	r.cost.Apply(cost)
	return err
}

// Assign gives every point that is not fixed the label of its nearest centre.
func (r *Run) Assign(ctx context.Context) (moved int, err error) {
	was := r.costBefore
	if moved, err = r.assignMoves(ctx); err != nil {
		return moved, err
	}
	r.passes++
	err = r.remeasureCost(ctx)
	r.decrease, r.costBefore = was-r.cost.Cost, r.cost.Cost
	return moved, err
}

// assignMoves is Assign without measuring the cost.
func (r *Run) assignMoves(ctx context.Context) (moved int, err error) {
	pass := &assignment{moves: r.moves}
	if err := r.runPass(ctx, pass); err != nil {
		return 0, err
	}
	r.searched += pass.searched
	r.moves = pass.moves[:0]
	if err := r.applyMoves(ctx, pass.moves); err != nil {
		return 0, err
	}
	r.settled = len(pass.moves) == 0
	return len(pass.moves), nil
}

// remeasureCost computes the cost from all distances where rounding errors may matter,
// and at the end, so that two runs with the same end have the same cost to the bit.
func (r *Run) remeasureCost(ctx context.Context) error {
	if !r.settled && !r.cost.NeedsMeasuring() {
		return nil
	}
	sum, err := r.measureDistortion(ctx)
	if err == nil {
		r.cost.SetMeasured(sum)
	}
	return err
}

func (r *Run) measureDistortion(ctx context.Context) (float64, error) {
	return r.TotalDistortion(ctx, r.labels, r.p.Weight)
}

// Objective computes J from labels and centres alone.
func (r *Run) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.measureDistortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: r.p.Objective(sum)}}, err
}

// Cost returns Σ w_i ‖x_i − μ_{l_i}‖² in the space, as the run tracks it.
func (r *Run) Cost() float64 { return r.cost.Cost }
