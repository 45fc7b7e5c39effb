package kernel

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// way is how a flat clustering is started and brought down.
type runOptions struct {
	objective   Objective
	shift       cluster.Number
	init        Init
	refine      bool
	constraints *constraint.Set
	termName    string      // of the term that is not of the constraints
	constant    float64     // that the term has beside the quotients
	info        *KernelInfo // how rows were seen; nil on graphs
	cost        float64     // of one pass, where that can be much
}

// flatRun is one descent of a flat clustering.
type kmeansRun struct {
	*weightedKMeans
	runOptions
	batchConverged bool // a batch step changed nothing worth while
	done           bool
	labels         []int
}

// startFlat settles the shift and the first labels. When there is no time, the
// shift is 0 and the labels are random, unless even to price these takes long.
func startRun(ctx context.Context, f *weightedKMeans, w runOptions, e *cluster.Env) (cluster.Run, error) {
	f.workers, f.label = e.Workers, make([]int32, f.numNodes())
	r := &kmeansRun{weightedKMeans: f, runOptions: w, labels: make([]int, f.numNodes())}
	err := f.setShift(ctx, w.shift, w.objective, e.Rand)
	if err == nil && w.init == InitFarthest {
		err = f.farthestFirst(ctx, w.constraints, e.Rand)
	} else if err == nil {
		err = f.randomStart(ctx, e.Rand)
	}
	if err != nil && ctx.Err() != nil {
		err = f.randomStart(graceContext(ctx, w.cost), e.Rand)
	}
	return r, err
}

// Stages are batch steps, as in the paper, until one changes nothing; then, if
// asked for, moves of single points.
func (r *kmeansRun) Stages() []cluster.Stage {
	switch {
	case r.done:
		return nil
	case !r.batchConverged && !r.refine:
		return []cluster.Stage{{Name: "batch", Do: r.runBatch}}
	case !r.batchConverged:
		return []cluster.Stage{{Name: "batch", Do: r.runBatch}, {Name: "moves", Do: r.runMoves}}
	}
	return []cluster.Stage{{Name: "moves", Do: r.runMoves}}
}

func (r *kmeansRun) runBatch(ctx context.Context) (int, error) {
	was := r.quality()
	moved, err := r.batchStep(ctx)
	r.batchConverged = r.quality()-was <= 1e-6*abs(was)
	r.done = moved == 0 && !r.refine
	return moved, err
}

// move makes single moves once batch steps are at their end: earlier they would
// only repeat the work.
func (r *kmeansRun) runMoves(ctx context.Context) (int, error) {
	if !r.batchConverged {
		return 0, nil
	}
	moved, err := r.movePoints(ctx)
	r.done = moved == 0
	return moved, err
}

func (r *kmeansRun) Labels() []int {
	for i, c := range r.label {
		r.labels[i] = int(c)
	}
	return r.labels
}

// Model returns nil. A mean is a sum over the rows of its cluster in the space
// of the kernel, so a model would be all rows, and placing one row as dear as
// fitting it. And a model has to place every fitted row where the fit has put
// it, whenever it is stopped: labels of a batch step are nearest to the means
// before it, not to their own, and a shift, which a new row does not have, keeps
// a row where it is.
func (r *kmeansRun) Model() cluster.Model { return nil }

// Learned returns how rows were seen, a *Seen, with the shift; nil where there
// is nothing to tell.
func (r *kmeansRun) Learned() any {
	info := KernelInfo{}
	if r.info != nil {
		info = *r.info
	}
	if info.Shift = r.sigma; info == (KernelInfo{}) {
		return nil
	}
	return &info
}

// Tracked prices the labels by the sums at hand.
func (r *kmeansRun) Tracked() cluster.Terms { return r.objectiveTerms(r.weightedKMeans) }

// Objective prices the labels from nothing.
func (r *kmeansRun) Objective(ctx context.Context) (cluster.Terms, error) {
	fresh := *r.weightedKMeans
	fresh.clusterSum = nil
	if err := fresh.recompute(ctx); err != nil {
		return nil, err
	}
	return r.objectiveTerms(&fresh), nil
}

// terms splits J: what is of B, what is of W, and what the shift adds for empty
// clusters, σ each (nothing where there are none: a shift changes J by σ for
// every cluster that has points).
func (r *kmeansRun) objectiveTerms(f *weightedKMeans) cluster.Terms {
	pairs, filled := make([]float64, f.k), 0
	for i, c := range f.label {
		to, w := f.pairWeights.neighbours(int32(i))
		for q, j := range to {
			if f.label[j] == c {
				pairs[c] += w[q]
			}
		}
	}
	base, known := r.constant, 0.0
	for c := range f.k {
		if f.mass[c] > 0 {
			filled++
		}
		base -= quotient(f.association[c]-pairs[c], f.mass[c])
		known -= quotient(pairs[c], f.mass[c])
	}
	t := cluster.Terms{{Name: r.termName, Value: base + f.sigma*float64(filled)}}
	if f.pairWeights.Start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: known})
	}
	if filled < f.k && f.sigma > 0 {
		t = append(t, cluster.Term{Name: "shift", Value: f.sigma * float64(f.k-filled)})
	}
	return t
}
