package kernel

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/method/nodeprices"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// runOptions say how a weightedKMeans starts and is optimised.
type runOptions struct {
	objective   Objective
	shift       cluster.Number
	init        Init
	starts      func(f *weightedKMeans) []startLabels // nil: by init alone
	refine      bool
	constraints *constraint.Set
	termName    string      // of the term without constraints
	constant    float64     // of that term
	info        *KernelInfo // nil on graphs
	cost        float64     // of one pass, if that can be much
}

// A kmeansRun is one run of weighted kernel k-means.
type kmeansRun struct {
	*weightedKMeans
	runOptions
	batchConverged bool // a batch step hardly changed J
	done           bool
	swaps          *swapSearch // nil: none
	startQuality   float64     // −J, up to a constant, when the iteration began
	labels         []int
	stub           bool // the labels are random
}

// startRun sets the shift and the first labels. If the context ends meanwhile,
// the shift is 0 and the labels are random, unless even the objective of these
// takes long to compute.
func startRun(ctx context.Context, f *weightedKMeans, w runOptions, e *cluster.Env) (cluster.Run, error) {
	f.workers, f.label = e.Workers, make([]int32, f.numNodes())
	r := &kmeansRun{weightedKMeans: f, runOptions: w, labels: make([]int, f.numNodes())}
	err := f.setShift(ctx, w.shift, w.objective, e.Rand)
	switch {
	case err != nil:
	case w.starts != nil:
		err = r.bestStart(ctx, w.starts(f))
	case w.init == InitFarthest:
		err = f.farthestFirst(ctx, w.constraints, e.Rand)
	default:
		err, r.stub = f.randomStart(ctx, e.Rand), f.k > 1
	}
	r.swaps = newSwapSearch(f, w.objective, e)
	if g, ok := f.matrix.(graphMatrix); ok {
		w.cost = stubWork(len(g.graph.To))
	}
	if grace := blocks.Grace(ctx, w.cost); err != nil && ctx.Err() != nil && grace.Err() == nil {
		err, r.stub = f.randomStart(grace, e.Rand), f.k > 1
	}
	return r, err
}

// IsStub reports whether the labels are random ones that no step has changed yet.
func (r *kmeansRun) IsStub() bool { return r.stub }

// Stages returns batch steps, as in the paper, until one changes nothing; then,
// if asked for, moves of single points; and when these have converged, swaps.
func (r *kmeansRun) Stages() (stages []cluster.Stage) {
	if r.done {
		return nil
	}
	r.startQuality = r.quality()
	if !r.batchConverged || !r.refine {
		stages = append(stages, cluster.Stage{Name: "batch", Do: r.runBatch})
	}
	if r.refine {
		stages = append(stages, cluster.Stage{Name: "moves", Do: r.runMoves})
	}
	if r.swaps != nil {
		stages = append(stages, cluster.Stage{Name: "swap", Do: r.runSwaps})
	}
	return stages
}

func (r *kmeansRun) runBatch(ctx context.Context) (int, error) {
	was := r.quality()
	moved, err := r.batchStep(ctx)
	r.stub = r.stub && err != nil
	r.batchConverged = r.quality()-was <= 1e-6*abs(was)
	r.done = moved == 0 && !r.refine && r.swaps == nil
	return moved, err
}

// runMoves moves single points once batch steps have converged: earlier it would
// only repeat their work.
func (r *kmeansRun) runMoves(ctx context.Context) (int, error) {
	if !r.batchConverged {
		return 0, nil
	}
	moved, err := r.movePoints(ctx)
	r.done = moved == 0 && r.swaps == nil
	return moved, err
}

// Pricing returns what the prices of the current labels need: of a kernel the sums of each
// point over each cluster, not the matrix.
func (r *kmeansRun) Pricing() cluster.Pricing {
	n := &nodeprices.Nodes{K: r.k, Alpha: r.alpha, Self: r.selfWeight, Pairs: &r.pairWeights.Graph, PairWeight: r.info.PairWeight, MustCosts: r.pairCosts != nil}
	if g, ok := r.matrix.(graphMatrix); ok {
		n.Affinity = &g.graph.Graph
	} else {
		n.Sums = slices.Clone(r.clusterSum)
	}
	return n
}

func (r *kmeansRun) Labels() []int {
	for i, c := range r.label {
		r.labels[i] = int(c)
	}
	return r.labels
}

// Model returns nil. A mean is a sum over the rows of its cluster in the space of
// the kernel, so a model would hold all rows, and placing one row would cost as
// much as fitting it. Also, a model has to place every fitted row in its cluster
// whenever the fit is stopped: labels of a batch step are nearest to the means
// before that step, and a shift, which a new row does not have, keeps a row in
// its cluster.
func (r *kmeansRun) Model() cluster.Model { return nil }

// Learned returns a *KernelInfo with the shift; nil if there is nothing to
// report.
func (r *kmeansRun) Learned() any {
	info := KernelInfo{}
	if r.info != nil {
		info = *r.info
	}
	info.Shift = r.sigma
	if _, ok := r.matrix.(*affinity.WeightedKernel); ok && r.termName == distortionName {
		d, _, _ := r.splitObjective(r.weightedKMeans)
		info.Imprecise = abs(d) > noDistortion*r.constant && d < coarseDistortion*r.constant
	}
	if info == (KernelInfo{}) {
		return nil
	}
	return &info
}

// Tracked returns the objective by the sums that the stages keep.
func (r *kmeansRun) Tracked() cluster.Terms { return r.objectiveTerms(r.weightedKMeans) }

// Objective computes the objective from the labels alone.
func (r *kmeansRun) Objective(ctx context.Context) (cluster.Terms, error) {
	fresh := *r.weightedKMeans
	fresh.clusterSum = nil
	if err := fresh.recompute(ctx); err != nil {
		return nil, err
	}
	return r.objectiveTerms(&fresh), nil
}

// splitObjective returns the part of B in J, the part of W, and how many clusters have
// mass.
func (r *kmeansRun) splitObjective(f *weightedKMeans) (base, known float64, filled int) {
	pairs := make([]float64, f.k)
	for i, c := range f.label {
		if f.pairCosts != nil {
			pairs[c] -= f.pairCosts[i]
		}
		to, w := f.pairWeights.neighbours(int32(i))
		for q, j := range to {
			if f.label[j] == c {
				pairs[c] += w[q]
			}
		}
	}
	base = r.constant
	for c := range f.k {
		if f.mass[c] > 0 {
			filled++
		}
		base -= quotient(f.association[c]-pairs[c], f.mass[c])
		known -= quotient(pairs[c], f.mass[c])
	}
	return base + f.sigma*float64(filled), known, filled
}

// objectiveTerms splits J: the part of B, the part of W, and what the shift adds
// for empty clusters, σ each (0 without empty clusters: a shift changes J by σ
// for every cluster that has points). A distortion below 0 is rounding, see
// KernelInfo.Imprecise.
func (r *kmeansRun) objectiveTerms(f *weightedKMeans) cluster.Terms {
	base, known, filled := r.splitObjective(f)
	if r.termName == distortionName {
		base = max(0, base)
	}
	t := cluster.Terms{{Name: r.termName, Value: base}}
	if f.pairWeights.Start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: known})
	}
	if filled < f.k && f.sigma > 0 {
		t = append(t, cluster.Term{Name: "shift", Value: f.sigma * float64(f.k-filled)})
	}
	return t
}

// distortionName names the term of B where it is the sum of squared distances.
const distortionName = "distortion"
