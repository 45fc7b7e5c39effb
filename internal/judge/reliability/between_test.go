package reliability

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// Groups have a gap between them, pieces of one skewed or even cloud have none.
func TestGapBetweenClusters(t *testing.T) {
	t.Parallel()
	const n, d, k = 400, 6, 3
	for seed := range uint64(4) {
		for _, c := range []struct {
			name string
			gap  bool
			cell func(rng *rand.Rand, group, f int) float64
		}{
			{"groups", true, func(rng *rand.Rand, group, f int) float64 {
				return 2*float64((group+f)%k) + rng.NormFloat64()
			}},
			{"one normal cloud", false, func(rng *rand.Rand, _, f int) float64 { return rng.NormFloat64() }},
			{"one skewed cloud", false, func(rng *rand.Rand, _, f int) float64 { return math.Exp(rng.NormFloat64()) }},
		} {
			rng := rand.New(rand.NewPCG(seed, 77))
			x := &data.Dense{Cols: d, V: make([]float64, n*d)}
			for i := range n {
				group := rng.IntN(k)
				for f := range d {
					x.V[i*d+f] = c.cell(rng, group, f)
				}
			}
			r := judge(t, x, kmeans(t, x, k), k)
			if r.Between == nil {
				t.Errorf("%s, seed %d: nothing was measured", c.name, seed)
			} else if (*r.Between < noGap) != c.gap || c.gap && r.Level != Good {
				t.Errorf("%s, seed %d: %.2f times as dense between clusters, %s: %v", c.name, seed, *r.Between, r.Level, r.Why)
			}
		}
	}
}

// A few rows far out that take all clusters but one are no groups.
func TestExceptions(t *testing.T) {
	const n, k = 600, 5
	rng := rand.New(rand.NewPCG(5, 5))
	x := table(n, 4, func(rng *rand.Rand) float64 { return rng.NormFloat64() }, rng)
	for h := range k - 1 {
		x.V[h*4+h%4] = 500 * float64(1+h)
	}
	r := judge(t, x, kmeans(t, x, k), k)
	if r.Level != Low || r.Exceptions != k-1 || !strings.Contains(strings.Join(r.Why, " "), "exceptions rather than groups") {
		t.Errorf("%s, %d exceptions: %v", r.Level, r.Exceptions, r.Why)
	}
}
