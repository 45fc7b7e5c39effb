package kernel

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
)

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
		f, err = newGraphProblem(p, a.Objective, true, a.Weight)
	case *SSKernelKMeans:
		f, err = newGraphProblem(p, a.Objective, false, a.Weight)
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
