package spectral

import (
	"cmp"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// sweep splits the nodes of g in two where that cuts least, of all splits by a
// threshold on u (Shi and Malik 2000, section 3).
func sweep(g *data.Graph, u []float64) []int {
	n := g.Len()
	order, degree, vol := make([]int, n), make([]float64, n), 0.0
	for i := range order {
		order[i], degree[i] = i, g.Degree(i)
		vol += degree[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[a], u[b]) })
	of := make([]int, n)
	left, cut, least, at := 0.0, 0.0, 3.0, n
	for q, i := range order[:n-1] {
		to, w := g.Neighbours(i)
		for e, j := range to {
			switch {
			case int(j) == i:
			case of[j] == 1:
				cut -= w[e]
			default:
				cut += w[e]
			}
		}
		of[i] = 1
		left += degree[i]
		if both := cut/left + cut/(vol-left); both < least {
			least, at = both, q
		}
	}
	for q, i := range order {
		if of[i] = 0; q <= at {
			of[i] = 1
		}
	}
	return of
}
