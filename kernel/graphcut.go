package kernel

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// GraphCut clusters a graph by ratio association, ratio cut or normalized cut
// with a multilevel descent: the graph is contracted step by step, the small
// graph that is left is clustered, and the clustering is carried back, with
// single nodes moving at each step while that lowers J. It minimises
//
//	J = cut + Σ_c Σ_{i,j ∈ c} w_ij / α(c)   over cannot-linked pairs (i, j)
//
// of the paper's equations (7) to (9), with must-links and labels honoured by
// contraction: their points are one node from the start.
//
// It goes beyond the paper, which iterates kernel k-means on the whole graph
// (see SSKernelKMeans). Cannot-links are dearer than there: one weighs as much
// as the paper gives to all pairs together, and no move breaks one that holds.
// What is known can still be violated where it contradicts itself for k
// clusters, never where it can be helped by a move.
//
// Groups of nodes to be contracted hold no two ends of a cannot-link. After
// the way down, clusters that hold two groups and groups that hold two
// clusters are exchanged, on a second contraction within the clusters.
type GraphCut struct {
	Objective string  `json:"objective" enum:"normalized-cut,ratio-cut,ratio-association" help:"what is minimised"`
	Weight    float64 `json:"weight" help:"price of a broken cannot-link; 0: so dear that none is broken without need"`
	Cycles    int     `json:"cycles" help:"how often the graph is contracted again within the clusters, at the most"`
}

// NewGraphCut returns the multilevel normalized cut with one more cycle.
func NewGraphCut() *GraphCut { return &GraphCut{Objective: NormalizedCut, Cycles: 3} }

// Check refuses problems without a graph, graphs without degrees where these
// are needed, and contradictory knowledge.
func (a *GraphCut) Check(p *cluster.Problem) error {
	if err := checkObjective(a.Objective); err != nil {
		return err
	}
	if a.Cycles < 0 {
		return fmt.Errorf("kernel: %d cycles, it must not be negative", a.Cycles)
	}
	if err := checkWeight(a.Weight); err != nil {
		return err
	}
	if err := checkGraph(p, a.Objective); err != nil {
		return err
	}
	if c := p.Known.Classes(); c > p.K {
		return cluster.Badf("known", "there are labels of %d classes, but k is %d", c, p.K)
	}
	_, err := constraint.Close(p.Len(), p.Known)
	return err
}

func checkWeight(w float64) error {
	if math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
		return fmt.Errorf("kernel: weight %v, it must be finite and not negative (0 chooses it)", w)
	}
	return nil
}

// checkGraph refuses a missing graph, and for the normalized cut negative
// degrees, by which nothing can be normalised.
func checkGraph(p *cluster.Problem, objective string) error {
	if p.Graph == nil {
		return cluster.Badf("graph", "this method needs a graph, not rows; --knn makes one of them")
	}
	if objective != NormalizedCut {
		return nil
	}
	for i := range p.Graph.Len() {
		if d := p.Graph.Degree(i); d < 0 || math.IsInf(d, 0) {
			return cluster.Badf("graph", "node %d has degree %v; the normalized cut needs degrees that are not negative (ratio-cut and ratio-association do not)", i, d)
		}
	}
	return nil
}

// coarsest returns to about how many nodes a graph of n is contracted.
func coarsest(n, k int) int { return min(n, max(20*k, 100)) }

// Start contracts the graph, clusters what is left, and carries the clustering
// back as it is.
func (a *GraphCut) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	f, err := newField(ctx, e, p, a.Objective, true, a.Weight)
	if err != nil {
		return nil, err
	}
	r := &cutRun{field: f, e: e, cycles: a.Cycles, told: make([]int, p.Len())}
	if err := r.contract(ctx, nil); err == nil || ctx.Err() == nil {
		return r, err
	}
	// There is no time: stretches of nodes will do.
	n := f.root.len()
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i * f.k / n)
	}
	r.tree = &hierarchy{levels: []*level{f.root}}
	r.part, err = newPartition(context.WithoutCancel(ctx), e.Workers, f.root, f.k, label)
	r.cycles = 0
	return r, err
}
