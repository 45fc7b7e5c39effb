package spectral

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// SweepNcut splits the nodes of g in two where that cuts least, of all splits by a
// threshold on u (Shi and Malik 2000, section 3).
func SweepNcut(g *data.Graph, u []float64) []int {
	vol := 0.0
	for i := range u {
		vol += g.Degree(i)
	}
	left, cut := 0.0, 0.0
	of, _ := BestSweep(u, func(of []int, i int) float64 {
		cut += CutChange(g, of, i)
		left += g.Degree(i)
		return cut/left + cut/(vol-left)
	})
	return of
}

// BestSweep takes the nodes by ascending u, all but the last, from side 0 to
// side 1, and returns the sides where cost was lowest, and that cost.
// cost is given the sides before node i crosses, and returns what they cost
// after.
func BestSweep(u []float64, objective func(of []int, i int) float64) (of []int, least float64) {
	n := len(u)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[a], u[b]) })
	of, least = make([]int, n), math.Inf(1)
	at := n
	for q, i := range order[:n-1] {
		if y := objective(of, i); y < least {
			least, at = y, q
		}
		of[i] = 1
	}
	for q, i := range order {
		if of[i] = 0; q <= at {
			of[i] = 1
		}
	}
	return of, least
}

// CutChange returns what node i adds to the cut between the sides by going from
// side 0 to side 1.
func CutChange(g *data.Graph, of []int, i int) (s float64) {
	to, w := g.Neighbours(i)
	for e, j := range to {
		switch {
		case int(j) == i:
		case of[j] == 1:
			s -= w[e]
		default:
			s += w[e]
		}
	}
	return s
}
