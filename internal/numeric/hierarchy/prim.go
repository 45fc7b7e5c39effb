package hierarchy

import (
	"context"

	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// prim grows the tree from row 0 on by the best link that leaves it (Prim 1957),
// comparing all pairs.
func prim(ctx context.Context, index *affinity.Index, core []float64, progress func(share float64)) ([]Edge, error) {
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
		index.Distances(u, dist2)
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
		if len(edges)%1024 == 0 {
			progress(float64(len(edges)) / float64(n-1))
		}
		u = next
	}
}
