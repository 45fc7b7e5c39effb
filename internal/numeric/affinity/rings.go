package affinity

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Rings are leaves for tables of many features, where boxes say little: rows are
// grouped around centres and sorted by their distance from their centre, and the
// distances of all rows to all centres are kept. RingBatch says what they rule out.
type Rings struct {
	Leaves
	Sieve  *simd.Sieve // the rows in the order of the leaves, in single precision; nil: none
	centre []int32     // of each leaf panel: that of its first row
	apart  []float64   // of each two centres
	away   [][]float64 // of each centre to each place
	nearby [][]float64 // the least of a leaf panel
}

// maxRings bounds the number of centres, rowsPerRing the rows for each of them.
const maxRings, rowsPerRing = 64, 256

// buildRings chooses centres, moves each to the mean of the rows nearest to it, and
// sorts the rows around them.
func buildRings(ctx context.Context, table *rowTable, workers int) (*Rings, error) {
	r := &Rings{Leaves: newLeaves(table)}
	m := max(1, min(maxRings, table.n/rowsPerRing))
	c := r.drawCentres(m)
	group, err := table.nearestCentres(ctx, m, c, workers)
	if err != nil {
		return nil, err
	}
	c = table.groupMeans(m, c, group)
	if group, err = table.nearestCentres(ctx, m, c, workers); err != nil {
		return nil, err
	}
	d, to := table.d, make([]float64, table.n)
	for i, g := range group {
		to[i] = simd.Dist2(table.denseRow(i), c[int(g)*d:(int(g)+1)*d])
	}
	slices.SortFunc(r.Order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(group[a], group[b]), cmp.Compare(to[a], to[b]), cmp.Compare(a, b))
	})
	return r, r.measure(ctx, m, c, group, workers)
}

// drawCentres draws rows of a sample, each with a chance in proportion to its squared
// distance from those drawn before (k-means++, Arthur and Vassilvitskii 2007).
func (r *Rings) drawCentres(m int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(r.table.n), 0x52494e47))
	sample := drawSorted(rng, r.table.n, min(r.table.n, 32*m))
	c, least := slices.Clone(r.table.denseRow(sample[rng.IntN(len(sample))])), make([]float64, len(sample))
	for q := range least {
		least[q] = math.Inf(1)
	}
	for d := r.table.d; len(c) < m*d; {
		last, sum := c[len(c)-d:], 0.0
		for q, i := range sample {
			least[q] = min(least[q], simd.Dist2(r.table.denseRow(i), last))
			sum += least[q]
		}
		next, at := rng.IntN(len(sample)), rng.Float64()*sum
		for q, y := range least {
			if at -= y; at < 0 {
				next = q
				break
			}
		}
		c = append(c, r.table.denseRow(sample[next])...)
	}
	return c
}

// measure copies the rows to their leaves and finds all distances to the centres c.
func (r *Rings) measure(ctx context.Context, m int, c []float64, group []int32, workers int) error {
	d, panels := r.table.d, r.NumLeafPanels()
	centres := simd.NewColumns(m, d)
	r.centre, r.apart = make([]int32, panels), make([]float64, m*m)
	for g := range m {
		centres.Set(g, c[g*d:(g+1)*d])
		for h := range m {
			r.apart[g*m+h] = math.Sqrt(simd.Dist2(c[g*d:(g+1)*d], c[h*d:(h+1)*d]))
		}
		r.away, r.nearby = append(r.away, make([]float64, r.table.n)), append(r.nearby, make([]float64, panels))
	}
	r.Sieve = r.table.newSieve(r.table.n)
	return blocks.Tasks(ctx, workers, panels, func(b int) {
		r.centre[b] = group[r.Order[b*LeafPanelRows]]
		for g := range m {
			r.nearby[g][b] = math.Inf(1)
		}
		lo, hi := r.LeavesOf(b)
		dist := make([]float64, centres.Panels()*simd.PanelRows)
		for l := lo; l < hi; l++ {
			r.fillLeaf(l)
			from, to := r.PlacesOf(l)
			for p := from; p < to; p++ {
				if r.Sieve != nil {
					r.Sieve.Set(p, r.table.denseRow(int(r.Order[p])))
				}
				centres.Dist2(r.table.denseRow(int(r.Order[p])), 0, centres.Panels(), dist)
				for g := range m {
					y := math.Sqrt(dist[g])
					r.away[g][p], r.nearby[g][b] = y, min(r.nearby[g][b], y)
				}
			}
		}
	})
}
