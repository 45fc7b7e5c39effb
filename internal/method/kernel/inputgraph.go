package kernel

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/support/format"
)

// checkGraph refuses a missing graph, unless one can be made by joining rows with
// their knn nearest rows, and for the normalized cut negative degrees, by which
// nothing can be normalised.
func checkGraph(p *cluster.Problem, objective Objective, knn int) error {
	if knn < 0 {
		return fmt.Errorf("knn must not be negative, got %d", knn)
	}
	if p.Graph == nil && p.X != nil && knn > 0 {
		return nil
	}
	if objective != NormalizedCut {
		return nil
	}
	for i := range p.Graph.Len() {
		if d := p.Graph.Degree(i); d < 0 || math.IsInf(d, 0) {
			return &cluster.ProblemError{Field: "graph",
				Err:  fmt.Errorf("node %d has degree %v; the normalized cut needs finite degrees of at least 0", i, d),
				Hint: "{objective=ratio-cut} and {objective=ratio-association} take any degrees"}
		}
	}
	return nil
}

// withGraph returns p with a graph: its own, or the graph that joins each row
// with its knn nearest rows. That graph is made even if ctx has ended, if it
// takes some tenths of a second at most.
func withGraph(ctx context.Context, p *cluster.Problem, knn int, e *cluster.Env) (*cluster.Problem, error) {
	if p.Graph != nil {
		return p, nil
	}
	if err := e.CheckMemory(fmt.Sprintf("the %d nearest neighbours of %d rows", knn, p.Len()), affinity.KNNMemory(p.Len(), knn), "use a smaller {knn}"); err != nil {
		return nil, err
	}
	// The time of the search depends on the rows: at worst every pair is compared, four
	// numbers at a time.
	ctx = blocks.Grace(ctx, float64(p.Len())*float64(p.Len())/4*float64(p.X.Dim()))
	var shared *cluster.Shared
	if e.Settings != nil {
		shared = e.Settings.Shared
	}
	type neighbours struct{ knn int }
	made, err := shared.Do(ctx, p.Key(neighbours{knn}), func() (any, error) {
		near, err := affinity.KNN(ctx, p.X, knn, affinity.KNNOptions{Workers: e.Workers})
		if err != nil {
			return nil, err
		}
		return near.Graph(ctx, affinity.Weights{Kind: "self-tuning"})
	})
	if err != nil {
		return nil, err
	}
	q := *p
	q.Graph = made.(*data.Graph)
	return &q, nil
}

// isolatedNodes counts the nodes of g without edges to others.
func isolatedNodes(g *data.Graph) (count int) {
	for i := range g.Len() {
		alone := true
		to, w := g.Neighbours(i)
		for q, j := range to {
			alone = alone && (int(j) == i || w[q] == 0)
		}
		if alone {
			count++
		}
	}
	return count
}

// isolatedNote says what nodes without edges mean for the result.
func isolatedNote(count int) string {
	return format.Count(count, "node") + " without edges: where no constraint places them, their assignment is arbitrary"
}

// GraphInfo reports about the graph of a GraphCut; Result.Learned is one where it
// has something to report.
type GraphInfo struct {
	Isolated int `json:"isolated"` // nodes without edges
}

// Notes says what the nodes without edges mean.
func (s *GraphInfo) Notes() []string { return []string{isolatedNote(s.Isolated)} }
