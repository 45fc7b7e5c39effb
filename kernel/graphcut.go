package kernel

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// GraphCut clusters a graph by ratio association, ratio cut or normalized cut
// with a multilevel descent: the graph is contracted step by step, the small
// graph that is left is clustered, and the clustering is carried back, with
// single nodes moving at each step while that lowers J. It minimises
//
//	J = cut + Σ w_ij   over the cannot-linked pairs that are together
//
// with must-links and labels honoured by contraction: their points are one node
// from the start. Beliefs enter as pairs do in equations (7) to (9) of the
// paper.
//
// It goes beyond the paper, which iterates kernel k-means on the whole graph
// (see SSKernelKMeans), and whose constraints are soft. Here a cannot-link costs
// more than a move can gain by breaking it, and that price is not divided by
// the mass of the cluster: divided, it makes every node welcome in a cluster
// that holds a broken pair. So a cannot-link is broken only where k clusters
// cannot honour all, or no single move mends it.
//
// Groups of nodes to be contracted hold no two ends of a cannot-link. After
// the way down, clusters that hold two groups and groups that hold two
// clusters are exchanged, on further contractions within the clusters.
type GraphCut struct {
	Objective string `json:"objective" enum:"normalized-cut,ratio-cut,ratio-association" help:"what is minimised"`
	Weight    string `json:"weight" help:"price of a broken cannot-link: a number, or auto: so dear that none is broken without need"`
	KNN       int    `json:"knn" help:"on rows: cut the graph in which each row is joined with this many nearest ones; 0: take graphs only"`
	Cycles    int    `json:"cycles" help:"how often the graph is contracted again within the clusters, at the most"`
}

// NewGraphCut returns the multilevel normalized cut with one more cycle.
func NewGraphCut() *GraphCut {
	return &GraphCut{Objective: NormalizedCut, Weight: WeightAuto, Cycles: 1}
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

// Check refuses problems without a graph, graphs without degrees where these
// are needed, and contradictory knowledge.
func (a *GraphCut) Check(p *cluster.Problem) error {
	if err := checkObjective(a.Objective); err != nil {
		return err
	}
	if a.Cycles < 0 {
		return fmt.Errorf("%d cycles, it must not be negative", a.Cycles)
	}
	if _, err := parseWeight(a.Weight); err != nil {
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

// checkGraph refuses a missing graph, unless one can be made by joining rows
// with their knn nearest, and for the normalized cut negative degrees, by which
// nothing can be normalised.
func checkGraph(p *cluster.Problem, objective string, knn int) error {
	if knn < 0 {
		return fmt.Errorf("%d nearest neighbours, it must not be negative", knn)
	}
	if p.Graph == nil && p.X != nil && knn > 0 {
		return nil
	}
	if objective != NormalizedCut {
		return nil
	}
	for i := range p.Graph.Len() {
		if d := p.Graph.Degree(i); d < 0 || math.IsInf(d, 0) {
			return cluster.Problemf("graph", "node %d has degree %v; the normalized cut needs degrees that are not negative (ratio-cut and ratio-association do not)", i, d)
		}
	}
	return nil
}

// coarsest returns to about how many nodes a graph of n is contracted.
func coarsest(n, k int) int { return min(n, max(20*k, 100)) }

// Start contracts the graph, clusters what is left, and carries the clustering
// back as it is.
//
// Where little is known the start is all that can be done without knowing it,
// and groups that must be together join the cluster that they have most links
// with. Then knowledge changes what it says must change, and the noise between
// one descent and another does not drown it. Where much is known, or classes
// are, it guides the contraction from the beginning.
func (a *GraphCut) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p, err := joined(ctx, p, a.KNN, e.Workers)
	if err != nil {
		return nil, err
	}
	f, err := newField(ctx, e, p, a.Objective, true, a.Weight)
	if err != nil {
		return nil, err
	}
	r := &cutRun{field: f, e: e, cycles: a.Cycles, told: make([]int, p.Len())}
	if f.fine.apart.start == nil && f.group == nil || muchKnown(p) {
		if err := f.join(ctx, e.Workers); err != nil {
			return nil, err
		}
		return r, r.startFrom(ctx, f.root)
	}
	label, err := a.blind(ctx, f, e)
	if err != nil {
		return nil, err
	}
	if err := f.join(ctx, e.Workers); err != nil {
		return nil, err
	}
	r.tree, r.cycles = &hierarchy{levels: []*level{f.root}}, 0
	r.part, err = newPartition(context.WithoutCancel(ctx), e.Workers, f.root, f.k, f.gather(label))
	return r, err
}

// joined returns p with a graph: its own, or that of its rows' knn nearest,
// which are found even when ctx has ended if that takes a second or so.
func joined(ctx context.Context, p *cluster.Problem, knn, workers int) (*cluster.Problem, error) {
	if p.Graph != nil {
		return p, nil
	}
	// How long the search takes depends on the rows; up to a million numbers of
	// any shape it has not been seen to take much longer.
	ctx = spare(ctx, 200*float64(p.Len())*float64(p.X.Dim()))
	near, err := affinity.KNN(ctx, p.X, knn, affinity.KNNOptions{Workers: workers})
	if err != nil {
		return nil, err
	}
	q := *p
	q.Graph, err = near.Graph(ctx, affinity.Weights{Kind: "self-tuning"})
	return &q, err
}

// blind clusters the nodes of f without knowledge of what must be together or
// apart, as well as it can be done before ctx ends.
func (a *GraphCut) blind(ctx context.Context, f *field, e *cluster.Env) ([]int32, error) {
	g, l := *f, *f.fine
	l.apart = csr{}
	g.fine, g.root, g.group = &l, &l, nil
	r := &cutRun{field: &g, e: e, cycles: a.Cycles}
	err := r.startFrom(ctx, &l)
	for was := 0.0; err == nil; {
		if _, err = r.refineAll(ctx); err != nil {
			break
		}
		now := r.part.quality()
		if r.cycles == 0 || r.cycles < a.Cycles && now-was <= 1e-7*abs(was) {
			return r.part.label, nil
		}
		was = now
		_, err = r.again(ctx)
	}
	if ctx.Err() == nil {
		return nil, err
	}
	return r.level0(), nil
}

// muchKnown tells whether what is known says more than the first clustering
// without it would: labels of two classes, or pairs for an eighth of the nodes.
func muchKnown(p *cluster.Problem) bool {
	return p.Constraints.Classes() > 1 || 8*(len(p.Constraints.Must)+len(p.Constraints.Cannot)) > p.Len()
}
