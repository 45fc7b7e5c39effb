package hierarchy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

var errNoRows = errors.New("rows must not be nil")

// Build returns what CoreDistances and Spanning return, for less: the search for
// the core distances finds most edges too. Progress, unless nil, is called on the
// calling goroutine with about the share of the work that is done, ascending: half of it is
// the search for neighbours. Where ctx ends, its error is returned soon.
func Build(ctx context.Context, x data.Rows, minPoints, workers int, progress func(share float64)) (core []float64, edges []Edge, err error) {
	if core, err = roomForCore(x, minPoints); err != nil || len(core) < 2 {
		return core, nil, errors.Join(err, ctx.Err())
	}
	index, err := affinity.NewIndex(ctx, x, minPoints, workers)
	if err != nil {
		return nil, nil, err
	}
	// One neighbour more than needed: where it is farther than the core distance,
	// no other row is at that distance.
	near, err := index.Neighbours(ctx, minPoints, workers, partOf(progress, 0, 0.5))
	if err != nil {
		return nil, nil, err
	}
	fillCore(core, near, minPoints)
	edges, err = spanning(ctx, index, near, core, workers, partOf(progress, 0.5, 1))
	return core, edges, err
}

// partOf returns what tells progress of a part of the work, which lasts from one share of all to another.
func partOf(progress func(share float64), from, to float64) func(share float64) {
	if progress == nil {
		return func(float64) {}
	}
	return func(share float64) { progress(from + float64((to-from)*share)) }
}

// spanningNeighbours is the number of neighbours that Spanning begins with.
const spanningNeighbours = 8

// Spanning returns the minimum spanning tree of the rows of x by their mutual
// reachability distances, given their core distances: n−1 edges, ascending by
// weight, A and B. Of edges of equal weight those with the lower A, then the
// lower B, are preferred.
func Spanning(ctx context.Context, x data.Rows, core []float64, workers int) ([]Edge, error) {
	if x == nil {
		return nil, errNoRows
	}
	if n := x.Len(); len(core) != n {
		return nil, fmt.Errorf("%d core distances for %d rows", len(core), n)
	}
	for i, y := range core {
		if !(y >= 0) || math.IsInf(y, 1) {
			return nil, fmt.Errorf("the core distance of row %d must be finite and at least 0, got %v", i, y)
		}
	}
	if len(core) < 2 {
		return nil, ctx.Err()
	}
	index, err := affinity.NewIndex(ctx, x, spanningNeighbours, workers)
	if err != nil {
		return nil, err
	}
	near, err := index.Neighbours(ctx, spanningNeighbours, workers, nil)
	if err != nil {
		return nil, err
	}
	return spanning(ctx, index, near, core, workers, partOf(nil, 0, 1))
}

func spanning(ctx context.Context, index *affinity.Index, near *affinity.Neighbours, core []float64, workers int, progress func(share float64)) (edges []Edge, err error) {
	if index.Tree() == nil && index.Rings() == nil {
		edges, err = prim(ctx, index, core, progress)
	} else {
		edges, err = boruvka(ctx, index, near, core, workers, progress)
	}
	if err != nil {
		return nil, err
	}
	sortEdges(edges)
	return edges, nil
}

// A link is an edge with its weight squared: what edges are compared by.
type link struct {
	weight2 float64
	a, b    int32 // a < b
}

func (e link) before(o link) bool {
	if e.weight2 != o.weight2 {
		return e.weight2 < o.weight2
	}
	return e.a < o.a || e.a == o.a && e.b < o.b
}

// noLink is after every link.
var noLink = link{math.Inf(1), math.MaxInt32, math.MaxInt32}

// edgeOf returns the edge of a link. The square root of a square is the number
// itself, so the weight is exact also where it is a core distance.
func edgeOf(l link, core []float64) Edge {
	return Edge{l.a, l.b, max(math.Sqrt(l.weight2), core[l.a], core[l.b])}
}

func sortEdges(edges []Edge) {
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
}
