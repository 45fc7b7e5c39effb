package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// KernelHMRF is KERNEL-HMRF-KMEANS (Kulis et al. 2009, algorithm 2) on rows, and
// SS-KERNEL-KMEANS (algorithm 4) with the kernel of the rows as affinities. For
// the ratio association it minimises equation (3),
//
//	J = Σ_i w_i ‖φ(x_i) − m_{l_i}‖² − Σ_c z_c'Wz_c / α(c)
//
// with the given pairs W as in SSKernelKMeans, PairTerm reward being the paper's. (Dividing by the size of the
// cluster changes the optimum: this is not the objective (2) of HMRF-KMEANS, from
// which the paper derives it.) For the cuts it minimises J of SSKernelKMeans.
//
// Without constraints, and for the other objectives than the ratio cut, runs leave
// local minima by swaps of clusters, unless the effort is low. With constraints several
// starts compete by J then, the clusters without constraints among them.
//
// If the problem has a Kernel, that is used, whether or not there are rows too.
type KernelHMRF struct {
	Objective Objective      `json:"objective" help:"objective to minimise"`
	Kernel    KernelFunction `json:"kernel" help:"how similar two rows are"`
	Width     cluster.Number `json:"width" rules:"median,auto" help:"width of the rbf kernel exp(-d²/(2·width²)): a number, median: half the median distance of two rows, or auto: the multiple of it that satisfies most held-out pairs"`
	Degree    int            `json:"degree" help:"degree of the polynomial kernel"`
	Offset    float64        `json:"offset" help:"what the polynomial kernel adds to the product"`
	Weight    cluster.Number `json:"weight" rules:"auto,paper" help:"weight of a pair of weight 1: a number, auto: such that violating a pair costs as much as moving a typical point out of its cluster, or paper: n/(kC) for C pairs"`
	PairTerm  PairTerm       `json:"pair_term" help:"what pairs add to the objective: a cost of violated must-links, or as in the paper a reward for satisfied ones"`
	Shift     cluster.Number `json:"shift" rules:"auto,exact" help:"number added to the kernel's diagonal, exact: the least that makes the kernel positive definite, or auto: exact for the ratio cut, else 0"`
	Init      Init           `json:"init" help:"first clusters: components of must-links far from each other, or random labels"`
	Refine    bool           `json:"refine" help:"move single points when batch steps have converged"`
	Features  int            `json:"features" help:"approximate the kernel by this many features, for many rows: n·k·features steps a pass and no n × n matrix; 0: the kernel itself"`
	Memory    int            `json:"memory" help:"megabytes that the kernel matrix may take; a larger matrix is computed again in each step, with the same result"`
}

// NewKernelHMRF returns it for the rbf kernel and the ratio association.
func NewKernelHMRF() *KernelHMRF {
	auto := cluster.ByRule(cluster.RuleAuto)
	return &KernelHMRF{Objective: RatioAssociation, Kernel: RBF, Width: cluster.ByRule(RuleMedian), Degree: 2, Offset: 1,
		Weight: auto, PairTerm: PairPenalty, Shift: auto, Init: InitFarthest, Refine: true, Memory: 4096}
}

func (a *KernelHMRF) kernelFunc() affinity.Kernel {
	return affinity.Kernel{Kind: a.Kernel.affinityKind(), Width: fixedValue(a.Width), Relative: 0.5, Degree: a.Degree, Offset: a.Offset}
}

// Capabilities: rows or a kernel; labels, links and beliefs.
func (a *KernelHMRF) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputKernel},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs},
	}
}

// Check refuses problems without rows or a kernel, and parameters out of range.
func (a *KernelHMRF) Check(p *cluster.Problem) error {
	if p.X == nil && p.Kernel == nil {
		return &cluster.ProblemError{Field: "x",
			Err:  errors.New("this method needs rows of numbers or a kernel, not a graph"),
			Hint: "{method=ss-kernel-kmeans} and {method=graph-cut} take graphs"}
	}
	if a.Memory < 0 || a.Features < 0 {
		return fmt.Errorf("memory and features must not be negative, got %d and %d", a.Memory, a.Features)
	}
	if a.Features > 0 && p.Kernel != nil {
		return fmt.Errorf("features must be 0 if the problem has a kernel matrix, got %d; they approximate the kernel of rows", a.Features)
	}
	if err := enum.Check("kernel", a.Kernel); err != nil {
		return err
	}
	if err := a.Width.Check("width", 0, RuleMedian, cluster.RuleAuto); err != nil {
		return err
	}
	if err := a.kernelFunc().Check(); err != nil {
		return err
	}
	return checkRunOptions(a.Objective, a.Shift, a.Init, a.Weight, a.PairTerm)
}

// Deterministic reports whether some points must be together, from which every run
// starts in the same way.
func (a *KernelHMRF) Deterministic(p *cluster.Problem) bool {
	return startDecided(p, a.Init, a.Shift, a.Objective)
}

// PassCost returns what one pass over the matrix costs.
func (a *KernelHMRF) PassCost(p *cluster.Problem) float64 {
	n, d := float64(p.Len()), 1.0
	if p.X != nil {
		d = float64(p.X.Dim())
	}
	if a.Features > 0 {
		return n * float64(a.Features) * (float64(p.K+a.Features) + d)
	}
	return n * n * math.Sqrt(d)
}

// Escapes reports whether runs leave local minima, by swaps of clusters.
func (a *KernelHMRF) Escapes(p *cluster.Problem) bool {
	return swapsPay(a.Objective, p.K, !p.Constraints.Empty())
}

// Start computes the kernel, or prepares it, and makes the first clusters. If ctx
// ends before that is done, and it would take more than about a second, there is
// no run.
func (a *KernelHMRF) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	info, err := a.findWidth(ctx, p, e.Workers)
	if err != nil {
		return nil, err
	}
	return a.startWithWidth(ctx, p, e, info)
}

// startWithWidth is Start after the width has been found.
func (a *KernelHMRF) startWithWidth(ctx context.Context, p *cluster.Problem, e *cluster.Env, info *KernelInfo) (cluster.Run, error) {
	g, err := a.newAffinityMatrix(blocks.Grace(ctx, a.PassCost(p)), p, e, info)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return a.startOnMatrix(ctx, p, e, info, g)
}

// startOnMatrix is Start after the matrix has been made.
func (a *KernelHMRF) startOnMatrix(ctx context.Context, p *cluster.Problem, e *cluster.Env, info *KernelInfo, g denseMatrix) (cluster.Run, error) {
	f, constant, err := a.newWeightedKMeans(blocks.Grace(ctx, a.PassCost(p)), p, e, g)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	edges, weight := weighEdges(p.Len(), p.K, p.Constraints, a.Weight, func() float64 { return a.autoWeight(ctx, p, info, e.Workers) })
	f.setPairs(newSparseMatrix(p.Len(), edges), a.PairTerm)
	name := graphTermName(a.Objective)
	if a.Objective == RatioAssociation {
		name = distortionName
	}
	own := *info
	own.PairWeight = weight
	w := runOptions{
		objective: a.Objective, shift: a.Shift, init: a.Init, refine: a.Refine, constraints: p.Constraints, termName: name, constant: constant, info: &own, cost: a.PassCost(p),
	}
	if e.Effort.Searches() && f.pairWeights.Start != nil {
		w.starts = func(f *weightedKMeans) []startLabels {
			var cut startLabels
			if p.X != nil {
				cut = graphCutLabels(p, a.Objective, e)
			}
			return f.competingStarts(w, e, nil, func(ctx context.Context) ([]int32, error) {
				if info.WidthRule == widthHeldOut { // without pairs another width is found
					return resultLabels(e.FitUnconstrained(ctx, p, a))
				}
				return resultLabels(e.FitUnconstrained(ctx, p, onMatrix{a, info, g}))
			}, cut)
		}
	}
	return startRun(ctx, f, w, e)
}

// onMatrix is a KernelHMRF on a matrix that has been made.
type onMatrix struct {
	*KernelHMRF
	info   *KernelInfo
	matrix denseMatrix
}

// Start is that of the KernelHMRF without the work for the matrix.
func (a onMatrix) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	return a.startOnMatrix(ctx, p, e, a.info, a.matrix)
}

// newWeightedKMeans makes B from the kernel, and the node weights of the
// objective.
func (a *KernelHMRF) newWeightedKMeans(ctx context.Context, p *cluster.Problem, e *cluster.Env, g denseMatrix) (f *weightedKMeans, add float64, err error) {
	n := p.Len()
	if err := e.CheckMemory(fmt.Sprintf("the sums of %d rows over %d clusters", n, p.K), 16*float64(n)*float64(p.K), "a smaller {k}, or {method=kmeans}"); err != nil {
		return nil, 0, err
	}
	f = &weightedKMeans{matrix: g, k: p.K, alpha: make([]float64, n), selfWeight: make([]float64, n)}
	one := make([]float64, n)
	for i := range n {
		f.alpha[i], f.selfWeight[i], one[i] = p.W(i), g.Diagonal(i), 1
		if w := p.W(i); w > 0 {
			add += f.selfWeight[i] / w
		}
	}
	if a.Objective == RatioAssociation {
		return f, add, nil
	}
	degree := make([]float64, n)
	if err := g.Multiply(ctx, e.Workers, one, degree); err != nil {
		return nil, 0, err
	}
	for i := range n {
		if degree[i] += f.selfWeight[i]; a.Objective == RatioCut {
			f.selfWeight[i] -= degree[i]
			continue
		}
		if f.alpha[i] = degree[i]; degree[i] < 0 {
			return nil, 0, &cluster.ProblemError{Field: "x",
				Err:  fmt.Errorf("the affinities of row %d add up to %v; the normalized cut needs sums of at least 0", i, degree[i]),
				Hint: "{kernel=rbf} has no negative affinities; {objective=ratio-cut} and {objective=ratio-association} take any"}
		}
	}
	return f, objectiveConstant(a.Objective, p.K), nil
}

// newAffinityMatrix returns the given kernel, or the kernel of the rows: in
// memory if it fits, or by features if these are asked for.
func (a *KernelHMRF) newAffinityMatrix(ctx context.Context, p *cluster.Problem, e *cluster.Env, info *KernelInfo) (denseMatrix, error) {
	if p.Kernel != nil {
		m, err := affinity.SinglePrecision(p.Kernel)
		if err != nil {
			return nil, &cluster.ProblemError{Field: "kernel", Err: err}
		}
		return affinity.NewWeightedKernel(m, p.Weight), nil
	}
	k, rows := a.kernelFunc(), p.X
	if k.Width = info.Width; a.Kernel == Linear && a.Objective == RatioAssociation {
		rows = affinity.CentredRows(rows)
	}
	if a.Features > 0 {
		if err := e.CheckMemory(fmt.Sprintf("%d features of %d rows", a.Features, p.Len()), 24*float64(p.Len())*float64(min(a.Features, p.Len())), "use fewer {features}"); err != nil {
			return nil, err
		}
		x, err := k.Features(ctx, rows, a.Features, fixedRand(p), e.Workers)
		if err != nil {
			return nil, &cluster.ProblemError{Field: "x", Err: err}
		}
		info.Features, info.Residual = x.Cols, x.Residual
		return &affinity.WeightedFeatures{Features: &x.Dense, Weight: p.Weight}, nil
	}
	lazy, err := k.Over(ctx, rows, e.Workers)
	if err != nil {
		return nil, &cluster.ProblemError{Field: "x", Err: err}
	}
	n := float64(p.Len())
	most := float64(a.Memory) * (1 << 20)
	if e.Settings != nil && e.Settings.Memory > 0 { // with the same result, so that a small machine is only slower
		most = min(most, float64(e.Settings.Memory)/2)
	}
	if 4*n*n > most {
		return affinity.NewWeightedKernel(lazy, p.Weight), nil
	}
	m, err := lazy.Matrix(ctx, e.Workers)
	if err != nil {
		return nil, err
	}
	return affinity.NewWeightedKernel(m, p.Weight), nil
}
