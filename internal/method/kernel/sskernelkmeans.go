package kernel

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
)

// SSKernelKMeans is SS-KERNEL-KMEANS on a graph (Kulis et al. 2009, algorithm 4):
// weighted kernel k-means on the kernel of table 3. It minimises
//
//	ratio cut, normalized cut  J = cut − Σ_c z_c'Wz_c / α(c)    (7), (8)
//	ratio association          J = −association − Σ_c z_c'Wz_c / α(c)    (9)
//
// where W holds the given pairs, +w for a must-link and −w for a cannot-link,
// soft and counted in both orders.
//
// Six things differ from the paper. Must-links are a penalty, not a reward (see
// PairTerm): W has minus the sum of a point's must-links on its diagonal. The weight w
// is measured on the graph, not n/(kC) for C pairs. The first clusters are those at
// which the multilevel search of GraphCut ends on the graph alone, unless the effort is
// low; the paper's farthest-first start (Init farthest), which ends in poor minima on
// sparse graphs, and others compete with it by J. The loop ends when it has converged
// or has reached its number of iterations (step 6 of algorithm 1 says "or" and
// would never end). A batch step that raises J, which is possible if K is not positive
// definite, is undone. And when batch steps have converged, moves of single
// points continue, unless Refine is off: they find improvements where a large
// shift keeps every point in its cluster in a batch step.
//
// A cluster that loses all its points stays empty. Time of a step and memory are
// linear in the size of the graph.
type SSKernelKMeans struct {
	Objective Objective      `json:"objective" help:"objective to minimise"`
	Weight    cluster.Number `json:"weight" rules:"auto,paper" help:"weight of a pair of weight 1: a number, auto: such that violating a pair costs as much as moving a typical point out of its cluster, or paper: n/(kC) for C pairs"`
	PairTerm  PairTerm       `json:"pair_term" help:"what pairs add to the objective: a cost of violated must-links, or as in the paper a reward for satisfied ones"`
	Shift     cluster.Number `json:"shift" rules:"auto,exact" help:"number added to the kernel's diagonal, exact: the least that makes the kernel positive definite, or auto: exact for the ratio cut, else 0"`
	Init      GraphInit      `json:"init" help:"first clusters: the end of a multilevel search, components of must-links far from each other, random labels, or auto: multilevel, at low effort farthest"`
	Refine    bool           `json:"refine" help:"move single points when batch steps have converged"`
	KNN       int            `json:"knn" help:"on rows: cluster the graph in which each row is joined with this many nearest rows; 0: take graphs only"`
}

// NewSSKernelKMeans returns it for the normalized cut.
func NewSSKernelKMeans() *SSKernelKMeans {
	auto := cluster.ByRule(cluster.RuleAuto)
	return &SSKernelKMeans{Objective: NormalizedCut, Weight: auto, PairTerm: PairPenalty, Shift: auto, Init: GraphInitAuto, Refine: true}
}

// Capabilities: a graph, and rows where KNN makes one of them; labels, links and beliefs.
func (a *SSKernelKMeans) Capabilities() cluster.Capabilities {
	c := cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputGraph},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs},
	}
	if a.KNN != 0 {
		c.Inputs = append(c.Inputs, cluster.InputRows)
	} else {
		c.Else = "{knn=10} joins each row with its ten nearest rows and cuts that graph"
	}
	return c
}

// Check refuses problems without a graph, and parameters out of range.
func (a *SSKernelKMeans) Check(p *cluster.Problem) error {
	if err := checkRunOptions(a.Objective, a.Shift, a.Init, a.Weight, a.PairTerm); err != nil {
		return err
	}
	return checkGraph(p, a.Objective, a.KNN)
}

// Deterministic reports whether every run starts in the same way: farthest-first,
// from points that must be together. With auto that depends on the effort.
func (a *SSKernelKMeans) Deterministic(p *cluster.Problem) bool {
	return a.Init == GraphInitFarthest && startDecided(p, InitFarthest, a.Shift, a.Objective)
}

// Start makes the graph, where there is none, and the first clusters.
func (a *SSKernelKMeans) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p, err := withGraph(ctx, p, a.KNN, e)
	if err != nil {
		return nil, err
	}
	g, err := newGraphProblem(ctx, e.Workers, p, a.Objective, pairOptions{weight: a.Weight, term: a.PairTerm})
	if err != nil {
		return nil, err
	}
	l := g.finest
	f := &weightedKMeans{matrix: graphMatrix{l.affinity}, k: p.K, alpha: l.alpha, selfWeight: slices.Clone(l.selfWeight)}
	f.setPairs(l.pairWeights, a.PairTerm)
	w := runOptions{
		objective: a.Objective, shift: a.Shift, init: InitFarthest, refine: a.Refine, constraints: p.Constraints,
		termName: graphTermName(a.Objective), constant: objectiveConstant(a.Objective, p.K),
		info: &KernelInfo{PairWeight: g.pairWeight, Isolated: isolatedNodes(p.Graph)},
	}
	if a.Init == GraphInitRandom {
		w.init = InitRandom
	}
	var multilevel startLabels
	if a.Init == GraphInitMultilevel || a.Init == GraphInitAuto && e.Effort.Searches() {
		multilevel = func(ctx context.Context) ([]int32, error) { return multilevelLabels(ctx, g, e) }
	}
	switch {
	case e.Effort.Searches() && l.pairWeights.Start != nil:
		w.starts = func(f *weightedKMeans) []startLabels {
			return f.competingStarts(w, e, multilevel, func(ctx context.Context) ([]int32, error) {
				return resultLabels(e.FitUnconstrained(ctx, p, a))
			}, graphCutLabels(p, a.Objective, e))
		}
	case multilevel != nil:
		w.starts = func(f *weightedKMeans) []startLabels {
			return []startLabels{multilevel, f.farthestFromPairs(p, e)}
		}
	}
	return startRun(ctx, f, w, e)
}
