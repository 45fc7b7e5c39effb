package cop

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// searchRun is one run of COP with AssignmentSearch. Between iterations every free
// point has the label of its nearest centre, and no constraint is violated.
type searchRun struct {
	problem   *cluster.Problem
	env       *cluster.Env
	partition *partition
	movable   []int32 // chunklets that the stage "exchange" moves
	passes    int     // over them, in one such stage
	perturber perturber

	labels []int
	cost   float64

	moved          int  // points moved in this iteration
	centresChanged bool // centres have moved since the last assignment
	done           bool // the last iteration moved nothing
}

// effortLimits bounds the work of a run, in multiplications; one pass over all chunklets
// takes chunklets·k·d.
type effortLimits struct {
	// If a pass takes more, free chunklets move only as in Lloyd's iteration, which
	// is parallel.
	exchange float64
	// At most this many multiplications, divided by those of a pass, trials are made in
	// a row. A trial takes some fifty passes.
	trials float64
}

// usualEffort allows some seconds.
var usualEffort = effortLimits{exchange: 50_000_000, trials: 4_000_000}

// startSearch chooses the first centres, unless they are given, and finds a first
// labelling without violations.
func startSearch(ctx context.Context, p *cluster.Problem, e *cluster.Env, l *chunklets, given *data.Dense, trials int, limits effortLimits) (cluster.Run, error) {
	n := len(l.weight)
	var first []float64
	if given != nil {
		first = starts.GivenCentres(p, given).C
	} else {
		first = l.initialCentres(ctx, e)
	}
	r := &searchRun{problem: p, env: e, partition: newPartition(l, make([]int32, n), first), labels: make([]int, p.X.Len()), movable: l.constrained, passes: 2}
	if !r.partition.findFirstLabelling(ctx, e.Rand) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &cluster.ProblemError{Field: "constraints", Err: newInfeasibleError(ctx, p.K, l.closed)}
	}
	pass := float64(n) * float64(l.k) * float64(l.d)
	if pass <= limits.exchange {
		r.movable, r.passes = make([]int32, 0, n), maxPasses
		for q := range int32(n) {
			if l.fixedCluster[q] < 0 {
				r.movable = append(r.movable, q)
			}
		}
	}
	if pass*trialBatch <= limits.trials && l.k > 1 && len(r.movable) > 0 {
		r.perturber = perturber{env: e, movable: r.movable, trials: min(trials, int(limits.trials/pass))}
	}
	ctx = blocks.Grace(ctx, 2*pass) // a run needs a first labelling even if ctx has ended
	if _, err := r.assignAll(ctx); err != nil {
		return nil, err
	}
	return r, r.publishLabels(ctx)
}

func (r *searchRun) Stages() []cluster.Stage {
	if r.done {
		return nil
	}
	r.moved, r.centresChanged = 0, false
	stages := []cluster.Stage{{Name: "means", Do: r.updateMeans}, {Name: "assign", Do: r.assignAll}}
	if len(r.movable) > 0 {
		stages = append(stages, cluster.Stage{Name: "exchange", Do: r.exchangeChunklets})
	}
	if r.perturber.trials > 0 {
		stages = append(stages, cluster.Stage{Name: "perturb", Do: r.perturb})
	}
	return append(stages, cluster.Stage{Name: "reassign", Do: func(ctx context.Context) (moved int, err error) {
		if r.centresChanged { // labels may not be those of the nearest centres
			moved, err = r.assignAll(ctx)
		}
		if err != nil {
			return 0, err
		}
		r.done = r.moved == 0
		return moved, r.publishLabels(ctx)
	}})
}

func (r *searchRun) Labels() []int { return r.labels }

func (r *searchRun) Model() cluster.Model {
	return lloyd.NewCentres(r.partition.k, r.partition.d, slices.Clone(r.partition.centre))
}

func (r *searchRun) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.cost}}
}

// Objective returns Σ_i w_i ‖x_i − μ_{l_i}‖² over points, not chunklets.
func (r *searchRun) Objective(ctx context.Context) (cluster.Terms, error) {
	sum, err := r.distortion(ctx)
	return cluster.Terms{{Name: "distortion", Value: sum}}, err
}

func (r *searchRun) distortion(ctx context.Context) (sum float64, err error) {
	centres := lloyd.NewCentres(r.partition.k, r.partition.d, r.partition.centre)
	err = blocks.Each(ctx, r.env.Workers, r.problem.X.Len(), func(lo, hi int) (part float64) {
		buf := make([]float64, r.partition.d)
		for i := lo; i < hi; i++ {
			part += r.problem.W(i) * centres.PointCost(r.problem.X.Row(i, buf), int(r.partition.label[r.partition.closed.Component(i)]))
		}
		return part
	}, func(_, _ int, part float64) { sum += part })
	return sum, err
}

// publishLabels gives the points the labels of their chunklets and updates the cost.
func (r *searchRun) publishLabels(ctx context.Context) (err error) {
	for i := range r.labels {
		r.labels[i] = int(r.partition.label[r.partition.closed.Component(i)])
	}
	r.cost, err = r.distortion(ctx)
	return err
}

// countMoved returns the number of points whose label differs from that of their
// chunklet before.
func (r *searchRun) countMoved(before []int32) (moved int) {
	for q, h := range r.partition.label {
		if h != before[q] {
			moved += r.partition.closed.Size(q)
		}
	}
	r.moved += moved
	return moved
}

// perturb tries to leave a local minimum.
func (r *searchRun) perturb(ctx context.Context) (moved int, err error) {
	before := slices.Clone(r.partition.label)
	improved, err := r.perturber.improvePartition(ctx, r.partition)
	r.centresChanged = r.centresChanged || improved
	if err != nil {
		return 0, err
	}
	return r.countMoved(before), nil
}

// updateMeans moves each centre to the mean of its cluster, and refills empty clusters.
func (r *searchRun) updateMeans(ctx context.Context) (moved int, err error) {
	before := slices.Clone(r.partition.label)
	r.partition.updateCentres()
	if slices.Contains(r.partition.clusterSize, 0) {
		r.partition.refillEmptyClusters()
		r.partition.updateCentres()
	}
	return r.countMoved(before), ctx.Err()
}

// exchangeChunklets lowers the cost by moves that the centres follow. On large data it
// restores labels and centres if no chunklet moved, which saves an assignment.
func (r *searchRun) exchangeChunklets(ctx context.Context) (moved int, err error) {
	s := r.partition
	labels, centre := slices.Clone(s.label), slices.Clone(s.centre)
	before := s.totalCost()
	s.updateCentres()
	s.centresFixed, s.tolerance = false, 1e-11*before
	s.markAllChanged()
	s.ahead = newLookahead(blocks.Workers(r.env.Workers))
	steps, err := s.localSearch(ctx, r.movable, r.env.Rand, r.passes)
	s.ahead = nil
	if err != nil {
		return 0, err
	}
	s.updateCentres() // removes the rounding errors of many small steps
	r.centresChanged = true
	if s.totalCost() > before || steps == 0 && r.perturber.trials == 0 {
		copy(s.label, labels)
		copy(s.centre, centre)
		for h := range s.centreNorm {
			s.centreNorm[h] = data.Norm2(s.centreRow(h))
		}
		r.centresChanged = false
	}
	return r.countMoved(labels), nil
}
