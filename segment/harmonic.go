package segment

import (
	"context"
	"errors"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// A harmonicProblem is a graph in which some nodes are labelled. pull and toward,
// if not nil, pull node i to segment toward[i] like an edge of weight pull[i].
type harmonicProblem struct {
	graph  *data.Graph
	known  []uint8
	k      int
	pull   []float64
	toward []uint8
}

// solve returns, for each segment and node, how much of the node belongs to the
// segment: 1 or 0 where it is labelled, the weighted mean of the neighbours
// elsewhere. It is the chance that a walk along the edges from the node first
// meets a stroke of that segment (Zhu et al. 2003, Grady 2006).
func (f *harmonicProblem) solve(ctx context.Context, tol float64, workers int) ([][]float64, int, error) {
	free, at := f.freeNodes()
	share := make([][]float64, f.k)
	for h := range share {
		share[h] = make([]float64, f.graph.Len())
		for i, l := range f.known {
			if int(l) == h {
				share[h][i] = 1
			}
		}
	}
	if len(free) == 0 {
		return share, 0, nil
	}
	g, extra, right := f.reduceToFree(free, at)
	l, err := eigen.NewLaplacian(g, eigen.Plain)
	if err != nil {
		return nil, 0, err
	}
	l.Workers = workers
	pre, err := eigen.NewAMG(l, extra)
	if err != nil {
		return nil, 0, err
	}
	pre.Workers = workers
	sum, err := eigen.NewSum(eigen.Term{Scale: 1, A: l}, eigen.Term{Scale: 1, A: eigen.Diagonal(extra)})
	if err != nil {
		return nil, 0, err
	}
	solver := eigen.Solver{A: sum, Pre: pre, Tol: tol, Max: 300, Workers: workers}
	x := make([]float64, len(free))
	rest := make([]float64, len(free))
	for i := range rest {
		rest[i] = 1
	}
	for h := range f.k - 1 { // the last one is the rest
		_, err := solver.Solve(ctx, x, right[h])
		var rough *eigen.NotSolvedError
		if err != nil && !errors.As(err, &rough) {
			return nil, 0, err
		}
		for p, i := range free {
			share[h][i] = min(max(x[p], 0), 1)
			rest[p] -= share[h][i]
		}
	}
	for p, i := range free {
		if rest[p] >= 0 {
			share[f.k-1][i] = rest[p]
			continue
		}
		for h := range f.k - 1 { // rounding made their sum exceed 1
			share[h][i] /= 1 - rest[p]
		}
	}
	return share, solver.Total.Iterations, nil
}

// freeNodes lists the nodes without a label, and the position of each in the
// list.
func (f *harmonicProblem) freeNodes() (free []int32, at []int32) {
	at = make([]int32, f.graph.Len())
	for i := range at {
		at[i] = -1
		if f.known[i] == unknown {
			at[i] = int32(len(free))
			free = append(free, int32(i))
		}
	}
	return free, at
}

// reduceToFree keeps the free nodes. Edges to labelled ones, and pulls, become the
// diagonal extra and the right sides.
func (f *harmonicProblem) reduceToFree(free, at []int32) (g *data.Graph, extra []float64, right [][]float64) {
	g = &data.Graph{Start: make([]int, len(free)+1)}
	extra = make([]float64, len(free))
	right = make([][]float64, f.k)
	for h := range right {
		right[h] = make([]float64, len(free))
	}
	for p, i := range free {
		to, w := f.graph.Neighbours(int(i))
		for e, j := range to {
			if h := f.known[j]; h != unknown {
				extra[p] += w[e]
				right[h][p] += w[e]
			} else {
				g.To, g.W = append(g.To, at[j]), append(g.W, w[e])
			}
		}
		if f.pull != nil && f.pull[i] > 0 {
			extra[p] += f.pull[i]
			right[f.toward[i]][p] += f.pull[i]
		}
		g.Start[p+1] = len(g.To)
	}
	return g, extra, right
}
