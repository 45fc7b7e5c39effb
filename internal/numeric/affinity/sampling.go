package affinity

import (
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// sampleRows returns m rows of x, drawn without replacement, in ascending order.
func sampleRows(x data.Rows, rng *rand.Rand, m int) data.Rows {
	return data.Subset(x, drawSorted(rng, x.Len(), m))
}

// drawSorted returns m of 0 to n−1, m ≤ n, ascending (Floyd's method).
func drawSorted(rng *rand.Rand, n, m int) []int {
	taken, rows := make(map[int]bool, m), make([]int, 0, m)
	for j := n - m; j < n; j++ {
		i := rng.IntN(j + 1)
		if taken[i] {
			i = j
		}
		taken[i] = true
		rows = append(rows, i)
	}
	slices.Sort(rows)
	return rows
}
