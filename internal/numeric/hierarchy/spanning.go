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

// Spanning returns the minimum spanning tree of the rows of x by their mutual
// reachability distances, given their core distances: n−1 edges, ascending by
// weight, A and B. Of edges of equal weight those with the lower A, then the
// lower B, are preferred.
func Spanning(ctx context.Context, x data.Rows, core []float64, workers int) ([]Edge, error) {
	if x == nil {
		return nil, errNoRows
	}
	n := x.Len()
	if len(core) != n {
		return nil, fmt.Errorf("%d core distances for %d rows", len(core), n)
	}
	for i, y := range core {
		if !(y >= 0) || math.IsInf(y, 1) {
			return nil, fmt.Errorf("the core distance of row %d must be finite and at least 0, got %v", i, y)
		}
	}
	if n < 2 {
		return nil, ctx.Err()
	}
	table, err := affinity.NewDistances(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	edges, err := prim(ctx, table, core)
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

// prim grows the tree from row 0 on by the best link that leaves it.
func prim(ctx context.Context, table *affinity.Distances, core []float64) ([]Edge, error) {
	n := len(core)
	core2, dist2 := make([]float64, n), make([]float64, n)
	best, inside := make([]link, n), make([]bool, n)
	for i, y := range core {
		core2[i], best[i] = float64(y*y), noLink
	}
	edges := make([]Edge, 0, n-1)
	for u := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		inside[u] = true
		if len(edges) == n-1 {
			return edges, nil
		}
		table.Row(u, dist2)
		next := -1
		for v := range best {
			if inside[v] {
				continue
			}
			if l := (link{max(dist2[v], core2[u], core2[v]), int32(min(u, v)), int32(max(u, v))}); l.before(best[v]) {
				best[v] = l
			}
			if next < 0 || best[v].before(best[next]) {
				next = v
			}
		}
		edges = append(edges, edgeOf(best[next], core))
		u = next
	}
}

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
