package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// KernelKMeans is KERNEL-KMEANS (Kulis et al. 2008, algorithm 1) on rows:
// k-means in the space of a kernel. It minimises
//
//	J = Σ_i w_i ‖φ(x_i) − m_{l_i}‖²
//
// over labels l, m_c being the weighted mean of cluster c. It uses no
// knowledge. See SSKernelKMeans for what differs from the paper.
type KernelKMeans struct {
	Kernel string  `json:"kernel" enum:"rbf,linear,polynomial,cosine" help:"how alike two rows are"`
	Width  float64 `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: half the median distance of two rows"`
	Degree int     `json:"degree" help:"degree of the polynomial kernel"`
	Offset float64 `json:"offset" help:"what the polynomial kernel adds to the product"`
	First  string  `json:"start" enum:"farthest,random" help:"the first clusters: points far from each other, or at random"`
	Refine bool    `json:"refine" help:"move single points when batch steps are at their end"`
	Memory int     `json:"memory" help:"megabytes that the kernel matrix may take; a larger one is computed anew in each step, with the same result"`
}

// NewKernelKMeans returns it for the rbf kernel.
func NewKernelKMeans() *KernelKMeans {
	return &KernelKMeans{Kernel: "rbf", Degree: 2, Offset: 1, First: Farthest, Refine: true, Memory: 4096}
}

// Check refuses problems without rows, and parameters out of range.
func (a *KernelKMeans) Check(p *cluster.Problem) error {
	return a.hmrf().Check(p)
}

// Cost returns what one pass over the matrix costs.
func (a *KernelKMeans) Cost(p *cluster.Problem) float64 { return a.hmrf().Cost(p) }

func (a *KernelKMeans) hmrf() *KernelHMRF {
	return &KernelHMRF{Objective: RatioAssociation, Kernel: a.Kernel, Width: a.Width, Degree: a.Degree, Offset: a.Offset,
		Shift: "0", First: a.First, Refine: a.Refine, Memory: a.Memory}
}

// Start makes the first clusters.
func (a *KernelKMeans) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	q := *p
	q.Known = nil
	return a.hmrf().Start(ctx, &q, e)
}

// KernelHMRF is KERNEL-HMRF-KMEANS (the same paper, algorithm 2) on rows, and
// SS-KERNEL-KMEANS (algorithm 4) with their kernel as the affinities. For the
// ratio association it minimises equation (3),
//
//	J = Σ_i w_i ‖φ(x_i) − m_{l_i}‖² − Σ_c z_c'Wz_c / α(c)
//
// W being the given pairs as in SSKernelKMeans. (Dividing by the size of the
// cluster changes the optimum: this is not the objective (2) of HMRF-KMEANS,
// from which the paper derives it.) For the cuts it minimises J of
// SSKernelKMeans.
type KernelHMRF struct {
	Objective string  `json:"objective" enum:"ratio-association,normalized-cut,ratio-cut" help:"what is minimised"`
	Kernel    string  `json:"kernel" enum:"rbf,linear,polynomial,cosine" help:"how alike two rows are"`
	Width     float64 `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: half the median distance of two rows"`
	Degree    int     `json:"degree" help:"degree of the polynomial kernel"`
	Offset    float64 `json:"offset" help:"what the polynomial kernel adds to the product"`
	Weight    float64 `json:"weight" help:"weight of a pair; 0: n/(kC) for C pairs"`
	Shift     string  `json:"shift" help:"added to the kernel's diagonal: auto, exact (until it is positive definite) or a number; auto is exact for the ratio cut, else 0"`
	First     string  `json:"start" enum:"farthest,random" help:"the first clusters: components of must-links far from each other, or at random"`
	Refine    bool    `json:"refine" help:"move single points when batch steps are at their end"`
	Memory    int     `json:"memory" help:"megabytes that the kernel matrix may take; a larger one is computed anew in each step, with the same result"`
}

// NewKernelHMRF returns it for the rbf kernel and the ratio association.
func NewKernelHMRF() *KernelHMRF {
	return &KernelHMRF{Objective: RatioAssociation, Kernel: "rbf", Degree: 2, Offset: 1, Shift: ShiftAuto, First: Farthest, Refine: true, Memory: 4096}
}

func (a *KernelHMRF) kernel() affinity.Kernel {
	return affinity.Kernel{Kind: a.Kernel, Width: a.Width, Relative: 0.5, Degree: a.Degree, Offset: a.Offset}
}

// Check refuses problems without rows, and parameters out of range.
func (a *KernelHMRF) Check(p *cluster.Problem) error {
	if p.X == nil {
		return cluster.Badf("x", "this method needs rows of numbers, not a graph; ss-kernel-kmeans and graph-cut take graphs")
	}
	if a.Memory < 0 {
		return fmt.Errorf("kernel: %d megabytes of memory, it must not be negative", a.Memory)
	}
	if err := a.kernel().Check(); err != nil {
		return err
	}
	return checkWay(a.Objective, a.Shift, a.First, a.Weight)
}

// Cost returns what one pass over the matrix costs.
func (a *KernelHMRF) Cost(p *cluster.Problem) float64 {
	return float64(p.Len()) * float64(p.Len()) * math.Sqrt(float64(p.X.Dim()))
}

// Start computes the kernel, or prepares for it, and makes the first clusters.
func (a *KernelHMRF) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	f, constant, err := a.flat(context.WithoutCancel(ctx), p, e)
	if err != nil {
		return nil, err
	}
	f.links = matrix(p.Len(), soft(p.Len(), p.K, p.Known, a.Weight))
	name := termName(a.Objective)
	if a.Objective == RatioAssociation {
		name = "distortion"
	}
	return startFlat(ctx, f, way{
		objective: a.Objective, shift: a.Shift, start: a.First, refine: a.Refine, known: p.Known, name: name, constant: constant,
	}, e)
}

// flat makes B of the kernel, and the node weights of the objective.
func (a *KernelHMRF) flat(ctx context.Context, p *cluster.Problem, e *cluster.Env) (f *flat, add float64, err error) {
	g, err := a.gram(ctx, p, e)
	if err != nil {
		return nil, 0, err
	}
	n := p.Len()
	f = &flat{b: g, k: p.K, alpha: make([]float64, n), self: make([]float64, n)}
	one := make([]float64, n)
	for i := range n {
		f.alpha[i], f.self[i], one[i] = p.W(i), g.diagonal(i), 1
		if w := p.W(i); w > 0 {
			add += f.self[i] / w
		}
	}
	if a.Objective == RatioAssociation {
		return f, add, nil
	}
	degree := make([]float64, n)
	if err := g.times(ctx, e.Workers, one, degree); err != nil {
		return nil, 0, err
	}
	for i := range n {
		if degree[i] += f.self[i]; a.Objective == RatioCut {
			f.self[i] -= degree[i]
			continue
		}
		if f.alpha[i] = degree[i]; degree[i] < 0 {
			return nil, 0, cluster.Badf("x", "row %d has affinities that add up to %v; the normalized cut needs them not to be negative: use the rbf kernel, or another objective", i, degree[i])
		}
	}
	return f, constant(a.Objective, p.K), nil
}

// gram returns the kernel of the rows, in memory where it may be.
func (a *KernelHMRF) gram(ctx context.Context, p *cluster.Problem, e *cluster.Env) (*gram, error) {
	k, err := a.kernel().Fit(ctx, sample(p.X, e.Rand), e.Rand, e.Workers)
	if errors.Is(err, affinity.ErrNoDistance) { // all rows are equal: any width will do
		k.Width, err = 1, nil
	}
	if err != nil {
		return nil, err
	}
	lazy, err := k.Over(ctx, p.X, e.Workers)
	if err != nil {
		return nil, &cluster.BadProblem{Field: "x", Err: err}
	}
	n := float64(p.Len())
	if 4*n*n > float64(a.Memory)*(1<<20) {
		return newGram(lazy, p.Weight), nil
	}
	m, err := lazy.Matrix(ctx, e.Workers)
	if err != nil {
		return nil, err
	}
	return newGram(m, p.Weight), nil
}

// some are rows of a table.
type some struct {
	data.Rows
	at []int
}

func (s some) Len() int                          { return len(s.at) }
func (s some) Row(i int, buf []float64) data.Vec { return s.Rows.Row(s.at[i], buf) }

// sample returns up to 500 rows, enough to tell how far rows are apart.
func sample(x data.Rows, rng *rand.Rand) data.Rows {
	const most = 500
	if x.Len() <= most {
		return x
	}
	return some{x, rng.Perm(x.Len())[:most]}
}
