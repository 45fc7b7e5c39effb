package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// GraphOptions is how a graph is made of rows.
type GraphOptions struct {
	KNN      int
	Affinity Affinity
	Width    float64
}

func (t GraphOptions) CheckProblem(p *cluster.Problem) error {
	if err := enum.Check("affinity", t.Affinity); err != nil {
		return err
	}
	switch {
	case t.KNN < 1:
		return fmt.Errorf("knn must be at least 1, got %d", t.KNN)
	case !(t.Width >= 0) || math.IsInf(t.Width, 0):
		return fmt.Errorf("width must be finite and at least 0 (0 chooses it), got %v", t.Width)
	case t.Affinity == RBF && t.Width > 0 && (t.Width < affinity.MinWidth || t.Width > affinity.MaxWidth):
		return fmt.Errorf("width must be from %v to %v, or 0, which chooses it, got %v", affinity.MinWidth, affinity.MaxWidth, t.Width)
	case p.Graph == nil && p.X == nil:
		return cluster.Problemf("graph", "this method needs a graph or rows of numbers, not a kernel")
	}
	for i, w := range p.Weight {
		if w > constraint.MaxWeight {
			return cluster.Problemf("weight", "the weight of point %d is %g, spectral methods take at most %g", i, w, float64(constraint.MaxWeight))
		}
	}
	if p.Graph == nil {
		return nil
	}
	total := 0.0
	for i := range p.Graph.Len() {
		to, w := p.Graph.Neighbours(i)
		for q, y := range w {
			if total += y; y < 0 {
				return cluster.Problemf("graph", "the edge %d-%d weighs %v; spectral methods need weights of 0 or more (ss-kernel-kmeans takes any)", i, to[q], y)
			}
		}
	}
	if math.IsInf(total, 0) {
		return &cluster.ProblemError{Field: "graph", Err: errors.New("the weights of the edges add up to more than the largest number"), Hint: "divide them all by the same number, which changes no cut"}
	}
	return nil
}

// PointGraph returns the graph of the problem, or the graph of nearest neighbours
// of its rows, whose components are joined.
func (t GraphOptions) PointGraph(ctx context.Context, p *cluster.Problem, e *cluster.Env) (*data.Graph, error) {
	if p.Graph != nil {
		return p.Graph, nil
	}
	if p.Len() == 1 {
		return data.NewGraph(1, nil)
	}
	if err := e.CheckMemory(fmt.Sprintf("the %d nearest neighbours of %d rows", t.KNN, p.Len()), affinity.KNNMemory(p.Len(), t.KNN), "use a smaller {knn}"); err != nil {
		return nil, err
	}
	near, err := affinity.KNN(ctx, p.X, t.KNN, affinity.KNNOptions{Seed: e.Rand.Uint64(), Workers: e.Workers})
	if err != nil && ctx.Err() == nil {
		err = &cluster.ProblemError{Field: "x", Err: err}
	}
	if err != nil {
		return nil, err
	}
	w := affinity.Weights{Kind: affinity.WeightKind(t.Affinity), Width: t.Width, Join: true}
	if t.Affinity == RBF && w.Width == 0 {
		w.Width = medianFarthest(near)
	}
	return near.Graph(ctx, w)
}

// medianFarthest returns the median distance to the farthest neighbour, 1 if that is 0.
func medianFarthest(near *affinity.Neighbours) float64 {
	far := make([]float64, near.N)
	for i := range far {
		_, d2 := near.NeighboursOf(i)
		far[i] = math.Sqrt(d2[len(d2)-1])
	}
	slices.Sort(far)
	if m := far[len(far)/2]; m > 0 {
		return m
	}
	return 1
}
