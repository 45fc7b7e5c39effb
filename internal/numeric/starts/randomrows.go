package starts

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// RandomRows returns k different rows as centres, each set equally likely.
func RandomRows(p *cluster.Problem, e *cluster.Env) *lloyd.Centres {
	c := make([]float64, 0, p.K*p.X.Dim())
	for _, i := range SampleIndices(p.X.Len(), p.K, e.Rand.IntN) {
		c = append(c, data.Copy(p.X, i)...)
	}
	return lloyd.NewCentres(p.K, p.X.Dim(), c)
}

// SampleIndices draws k different numbers below n in O(k) memory (Floyd's algorithm).
func SampleIndices(n, k int, intN func(int) int) []int {
	chosen, out := make(map[int]bool, k), make([]int, 0, k)
	for top := n - k; top < n; top++ {
		i := intN(top + 1)
		if chosen[i] {
			i = top
		}
		chosen[i] = true
		out = append(out, i)
	}
	return out
}
