package reliability

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// Two ways to halve the rows fit equally well: what is found hangs on the start, and is called fair at best. Where there is
// one, all starts find it.
func TestOtherMinimaThatFitAsWell(t *testing.T) {
	const n, d = 240, 30
	for _, c := range []struct {
		name string
		two  bool
	}{{"one way", false}, {"two ways", true}} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 33))
			x := &data.Dense{Cols: d, V: make([]float64, n*d)}
			for i := range n {
				side := [2]float64{float64(2*rng.IntN(2) - 1), float64(2*rng.IntN(2) - 1)}
				if !c.two {
					side[1] = side[0]
				}
				for f := range d {
					x.V[i*d+f] = 1.2*side[2*f/d] + rng.NormFloat64()
				}
			}
			r := judge(t, x, kmeans(t, x, 2), 2)
			switch {
			case r.OtherMinima == nil:
				t.Errorf("%s, seed %d: nothing was measured", c.name, seed)
			case c.two && (*r.OtherMinima >= oneColumn || r.Level == Good || !strings.Contains(strings.Join(r.Why, " "), "about as well")):
				t.Errorf("two ways, seed %d: starts agree %.2f, %s: %v", seed, *r.OtherMinima, r.Level, r.Why)
			case !c.two && (*r.OtherMinima < 0.95 || r.Level != Good):
				t.Errorf("one way, seed %d: starts agree %.2f, %s: %v", seed, *r.OtherMinima, r.Level, r.Why)
			}
		}
	}
}
