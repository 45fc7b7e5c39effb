package kernel

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/cluster"
)

// checkGraph refuses a missing graph, unless one can be made by joining rows
// with their knn nearest, and for the normalized cut negative degrees, by which
// nothing can be normalised.
func checkGraph(p *cluster.Problem, objective Objective, knn int) error {
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

// joined returns p with a graph: its own, or that of its rows' knn nearest,
// which are found even when ctx has ended if that takes a second or so.
func withGraph(ctx context.Context, p *cluster.Problem, knn, workers int) (*cluster.Problem, error) {
	if p.Graph != nil {
		return p, nil
	}
	// How long the search takes depends on the rows; up to a million numbers of
	// any shape it has not been seen to take much longer.
	ctx = graceContext(ctx, 200*float64(p.Len())*float64(p.X.Dim()))
	near, err := affinity.KNN(ctx, p.X, knn, affinity.KNNOptions{Workers: workers})
	if err != nil {
		return nil, err
	}
	q := *p
	q.Graph, err = near.Graph(ctx, affinity.Weights{Kind: "self-tuning"})
	return &q, err
}
