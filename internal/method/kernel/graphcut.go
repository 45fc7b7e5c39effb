package kernel

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// GraphCut clusters a graph by ratio association, ratio cut or normalized cut with a multilevel
// method: the graph is contracted step by step, the small graph that is left is clustered, and
// the clustering is projected back, with single nodes moving at each level while that lowers J. It minimises
//
//	J = cut + Σ w_ij   over the cannot-linked pairs that are together
//
// with must-links and labels satisfied by contraction: their points are one node
// from the start. Beliefs enter like pairs in equations (7) to (9) of the paper.
//
// It goes beyond the paper, which iterates kernel k-means on the whole graph (see SSKernelKMeans),
// and whose constraints are soft. Here a cannot-link costs more than a move can gain by violating it,
// and that cost is not divided by the mass of the cluster: divided, it would attract every node to a
// cluster that holds a violated pair. So a cannot-link is violated only if k clusters cannot satisfy all,
// or no single move repairs it.
//
// Groups of nodes to be contracted never hold both ends of a cannot-link. After the first refinement, clusters
// that hold two groups are split while two clusters of one group are merged, on further contractions within the clusters.
type GraphCut struct {
	Objective Objective      `json:"objective" help:"objective to minimise"`
	Weight    cluster.Number `json:"weight" rules:"auto" help:"cost of a violated cannot-link: a number, or auto: so high that none is violated without need"`
	KNN       int            `json:"knn" help:"on rows: cut the graph in which each row is joined with this many nearest rows; 0: take graphs only"`
	Cycles    int            `json:"cycles" help:"maximum number of further contractions of the graph within the clusters"`
}

// NewGraphCut returns the multilevel normalized cut with one more cycle.
func NewGraphCut() *GraphCut {
	return &GraphCut{Objective: NormalizedCut, Weight: cluster.ByRule(cluster.RuleAuto), Cycles: 1}
}

// Capabilities: a graph, and rows where KNN makes one of them; labels, links and beliefs.
func (a *GraphCut) Capabilities() cluster.Capabilities {
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

// Check refuses problems without a graph, graphs without degrees where these are
// needed, and contradictory constraints.
func (a *GraphCut) Check(p *cluster.Problem) error {
	if err := enum.Check("objective", a.Objective); err != nil {
		return err
	}
	if a.Cycles < 0 {
		return fmt.Errorf("cycles must not be negative, got %d", a.Cycles)
	}
	if err := checkWeight(a.Weight); err != nil {
		return err
	}
	if err := checkGraph(p, a.Objective, a.KNN); err != nil {
		return err
	}
	if c := p.Constraints.Classes(); c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	_, err := constraint.Close(p.Len(), p.Constraints)
	return err
}

// Start contracts the graph, clusters what is left, and projects the clustering
// back without refining it.
//
// With few constraints the start is a complete clustering without constraints, after which groups
// that must be together join the cluster to which their edges are heaviest. Then the constraints change
// only what they have to, and random differences between two runs do not hide their effect. With many
// constraints, or labels of several classes, they guide the contraction from the beginning; unless the effort
// is low the other start competes with that one by J.
func (a *GraphCut) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p, err := withGraph(ctx, p, a.KNN, e)
	if err != nil {
		return nil, err
	}
	f, err := newGraphProblem(ctx, e.Workers, p, a.Objective, pairOptions{weight: a.Weight, contracted: true})
	if err != nil {
		return nil, err
	}
	r := &graphCutRun{graphProblem: f, env: e, cycles: a.Cycles, labels: make([]int, p.Len()), isolated: isolatedNodes(p.Graph)}
	beliefs, pairs := f.finest.pairWeights.Start != nil, f.finest.cannotCost.Start != nil || f.group != nil
	guided := !pairs || manyConstraints(p)
	if guided && !(e.Effort.Searches() && (pairs || beliefs)) {
		if err := f.contractMustLinks(ctx, e.Workers); err != nil {
			return nil, err
		}
		return r, r.startFromLevel(ctx, f.contracted)
	}
	label, err := a.clusterUnconstrained(ctx, p, f, e)
	if err != nil && (ctx.Err() == nil || blocks.Grace(ctx, stubWork(len(p.Graph.To))).Err() != nil) {
		return nil, err
	}
	if err := f.contractMustLinks(ctx, e.Workers); err != nil {
		return nil, err
	}
	if label == nil { // ctx has ended
		return r, r.startStub(ctx, f.contracted)
	}
	r.hierarchy, r.cycles = &hierarchy{levels: []*level{f.contracted}}, 0
	if r.partition, err = newPartition(context.WithoutCancel(ctx), e.Workers, f.contracted, f.k, f.groupLabels(label)); err != nil || !(guided || beliefs && e.Effort.Searches()) {
		return r, err
	}
	if err = r.competeWithGuided(ctx, a.Cycles); ctx.Err() != nil {
		err = nil // the partition is valid at any time
	}
	return r, err
}

// guidedMargin is the share of J by which a guided partition must be lower: smaller
// differences are chance, as between two runs, and hide what constraints do.
const guidedMargin = 0.05

// competeWithGuided refines the partition, and replaces it by one that constraints
// guide from the beginning if that has a clearly lower J.
func (r *graphCutRun) competeWithGuided(ctx context.Context, cycles int) error {
	_, err := newRefiner(r.partition, r.env.Workers).refine(ctx, refineRounds)
	var label []int32
	if err == nil {
		label, err = searchMultilevel(ctx, r.graphProblem, cycles, r.env)
	}
	if err != nil {
		return err
	}
	guided, err := newPartition(context.WithoutCancel(ctx), r.env.Workers, r.contracted, r.k, label)
	margin := guidedMargin * abs(objectiveConstant(r.objective, r.k)-r.partition.quality())
	if err == nil && guided.quality() > r.partition.quality()+margin {
		r.partition = guided
	}
	return err
}

// clusterUnconstrained clusters the nodes of f without must-links and cannot-links,
// as well as possible before ctx ends: in the first run of a search by the whole fit
// without constraints.
func (a *GraphCut) clusterUnconstrained(ctx context.Context, p *cluster.Problem, f *graphProblem, e *cluster.Env) ([]int32, error) {
	if e.Effort.Searches() && e.Run == 0 {
		return resultLabels(e.FitUnconstrained(ctx, p, a))
	}
	g, key := f.withoutConstraints(), p.Key(*a)
	if g.finest.pairWeights = f.finest.pairWeights; g.finest.pairWeights.Start != nil { // beliefs, which contract nothing
		key = g
	}
	label, err := e.Share(ctx, key, func() (any, error) { return searchMultilevel(ctx, g, a.Cycles, e) })
	return slices.Clone(label.([]int32)), err
}

// manyConstraints reports whether constraints should guide the first clustering:
// labels of two classes, or pairs for an eighth of the nodes.
func manyConstraints(p *cluster.Problem) bool {
	return p.Constraints.Classes() > 1 || 8*(len(p.Constraints.Must)+len(p.Constraints.Cannot)) > p.Len()
}

// ObjectiveFunc returns the objective that a, a GraphCut or an SSKernelKMeans,
// minimises on the graph of p, as a function of the labels, to compare other
// clusterings with. Labels that violate a must-link which GraphCut contracts cost
// +Inf.
func ObjectiveFunc(p *cluster.Problem, a cluster.Algorithm) (func(labels []int) float64, error) {
	if p.Graph == nil {
		return nil, cluster.Problemf("graph", "the problem has no graph, so it has no objective on graphs")
	}
	var f *graphProblem
	var err error
	switch a := a.(type) {
	case *GraphCut:
		f, err = newGraphProblem(context.Background(), 1, p, a.Objective, pairOptions{weight: a.Weight, contracted: true})
	case *SSKernelKMeans:
		f, err = newGraphProblem(context.Background(), 1, p, a.Objective, pairOptions{weight: a.Weight, term: a.PairTerm})
	default:
		err = fmt.Errorf("%T has no objective on graphs", a)
	}
	if err != nil {
		return nil, err
	}
	return func(labels []int) float64 {
		if !f.keepsGroups(labels) {
			return inf
		}
		terms, _ := f.objectiveTerms(context.Background(), 1, labels) // cannot fail: the context does not end
		return terms.Sum()
	}, nil
}
