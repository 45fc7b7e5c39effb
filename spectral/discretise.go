package spectral

import (
	"context"
	"math"
)

// discretise makes clusters of the vectors of t: by sign (u above 0 is one
// side, the rest the other), or by k-means on the rows of U = D^{-1/2}V, of
// sign(U), or of sign(U) weighted by the inverse costs. A k-way cut in two
// is by sign where that honours more, or as much and cuts less. Where views
// are heeded with β auto, which goes by what is cut, so do thresholds and
// starts, as for Spectral. A rough result is for comparisons.
func (c *search) discretise(ctx context.Context, t *attempt, rough bool) ([]int, error) {
	sides := signs(t.found[0].v)
	if c.a.twoWay(c.p.K) {
		return c.split(sides, t), nil
	}
	u := make([][]float64, t.used)
	for f, s := range t.found[:t.used] {
		u[f] = make([]float64, len(s.v))
		for i, y := range s.v {
			u[f][i] = y / math.Sqrt(t.l.Degree[i])
			if c.a.Discretise != ByRows {
				u[f][i] = sign(y)
			}
			if c.a.Discretise == ByWeighted && s.cost > 0 {
				u[f][i] *= t.vol / s.cost
			}
		}
	}
	space := newPoints(u)
	starts := space.starts(c.p.K)
	if rough {
		starts = 2
	}
	of, err := space.cluster(ctx, c.p.K, starts, c.e, c.choice())
	if err == nil && c.choice() != nil {
		of, err = c.turned(ctx, t, of, starts)
	}
	if err != nil || c.p.K != 2 {
		return of, err
	}
	h1, c1 := c.worth(of)
	h2, c2 := c.worth(sides)
	if h2 > h1 || h2 == h1 && c2 < c1 {
		return sides, nil
	}
	return of, nil
}

func sign(y float64) float64 {
	if y > 0 {
		return 1
	}
	return -1
}

func signs(v []float64) []int {
	of := make([]int, len(v))
	for i, y := range v {
		if y > 0 {
			of[i] = 1
		}
	}
	return of
}
