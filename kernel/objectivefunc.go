package kernel

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
)

// Pricer returns the objective that a, GraphCut or SSKernelKMeans, has on the
// graph of p, as a function of the labels: for whoever wants to compare a
// clustering of his own. Must-links that GraphCut would contract cost +Inf
// apart.
func ObjectiveFunc(p *cluster.Problem, a cluster.Algorithm) (func(labels []int) float64, error) {
	if p.Graph == nil {
		return nil, cluster.Problemf("graph", "there is none to price a clustering of")
	}
	var f *graphProblem
	var err error
	e, ctx := &cluster.Env{Workers: 1}, context.Background()
	switch a := a.(type) {
	case *GraphCut:
		f, err = newGraphProblem(ctx, e, p, a.Objective, true, a.Weight)
	case *SSKernelKMeans:
		f, err = newGraphProblem(ctx, e, p, a.Objective, false, a.Weight)
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
		terms, _ := f.objectiveTerms(ctx, 1, labels) // the context does not end
		return terms.Sum()
	}, nil
}
