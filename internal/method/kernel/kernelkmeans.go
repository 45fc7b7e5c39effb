package kernel

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
)

// KernelKMeans is KERNEL-KMEANS (Kulis et al. 2009, algorithm 1) on rows: k-means
// in the space of a kernel. It minimises
//
//	J = Σ_i w_i ‖φ(x_i) − m_{l_i}‖²
//
// over labels l, where m_c is the weighted mean of cluster c. It uses no
// constraints. See SSKernelKMeans for differences from the paper. Unless the effort
// is low, a run that has converged goes on by swaps: one cluster is dissolved and
// another split in two, if that leads to a lower J.
type KernelKMeans struct {
	Kernel   KernelFunction `json:"kernel" help:"how similar two rows are"`
	Width    cluster.Number `json:"width" rules:"median,auto" help:"width of the rbf kernel exp(-d²/(2·width²)): a number, or median: half the median distance of two rows (auto is the same here)"`
	Degree   int            `json:"degree" help:"degree of the polynomial kernel"`
	Offset   float64        `json:"offset" help:"what the polynomial kernel adds to the product"`
	Init     Init           `json:"init" help:"first clusters: points far from each other, or random labels"`
	Refine   bool           `json:"refine" help:"move single points when batch steps have converged"`
	Features int            `json:"features" help:"approximate the kernel by this many features, for many rows: n·k·features steps a pass and no n × n matrix; 0: the kernel itself"`
	Memory   int            `json:"memory" help:"megabytes that the kernel matrix may take; a larger matrix is computed again in each step, with the same result"`
}

// NewKernelKMeans returns it for the rbf kernel.
func NewKernelKMeans() *KernelKMeans {
	return &KernelKMeans{Kernel: RBF, Width: cluster.ByRule(RuleMedian), Degree: 2, Offset: 1, Init: InitFarthest, Refine: true, Memory: 4096}
}

// Capabilities: rows or a kernel; no constraints.
func (a *KernelKMeans) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputKernel},
	}
}

// Check refuses problems without rows, and parameters out of range.
func (a *KernelKMeans) Check(p *cluster.Problem) error {
	return a.asKernelHMRF().Check(p)
}

// PassCost returns what one pass over the matrix costs.
func (a *KernelKMeans) PassCost(p *cluster.Problem) float64 { return a.asKernelHMRF().PassCost(p) }

// Escapes reports whether runs leave local minima, by swaps of clusters.
func (a *KernelKMeans) Escapes(p *cluster.Problem) bool {
	return swapsPay(RatioAssociation, p.K, false)
}

func (a *KernelKMeans) asKernelHMRF() *KernelHMRF {
	return &KernelHMRF{Objective: RatioAssociation, Kernel: a.Kernel, Width: a.Width, Degree: a.Degree, Offset: a.Offset,
		Weight: cluster.ByRule(cluster.RuleAuto), PairTerm: PairPenalty, Shift: cluster.Fixed(0), Init: a.Init, Refine: a.Refine, Features: a.Features, Memory: a.Memory}
}

// Start makes the first clusters.
func (a *KernelKMeans) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	q := *p
	q.Constraints = nil
	return a.asKernelHMRF().Start(ctx, &q, e)
}
