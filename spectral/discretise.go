package spectral

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/constraint"
)

// discretise makes clusters of the vectors of t: by sign (u above 0 is one
// side, the rest the other), or by k-means on the rows of U = D^{-1/2}V, of
// sign(U), or of sign(U) weighted by the inverse costs. A k-way cut in two
// is by sign where that honours more, or as much and cuts less. A rough result
// is for comparisons.
func (c *search) discretise(ctx context.Context, t *attempt, rough bool) ([]int, error) {
	sides := signs(t.found[0].v)
	if c.a.twoWay(c.p.K) {
		return sides, nil
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
	of, err := space.cluster(ctx, c.p.K, starts, c.e, nil)
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

// byWord sends a point without edges where what is known of it says, -1 if
// nothing does.
func (c *search) byWord(of []int, point int) int {
	if c.p.Known.Empty() {
		return -1
	}
	pull := make([]float64, c.p.K)
	mark := func(list []constraint.Pair, factor float64) {
		for _, p := range list {
			other := p.I + p.J - point
			if (p.I != point && p.J != point) || other == point || c.field.node[other] < 0 {
				continue
			}
			pull[of[c.field.node[other]]] += factor * p.W
		}
	}
	mark(c.p.Known.Must, 1)
	mark(c.p.Known.Cannot, -1)
	mark(c.p.Known.Beliefs, 1)
	for _, l := range c.p.Known.Labels {
		if l.I != point {
			continue
		}
		for _, m := range c.p.Known.Labels {
			if at := c.field.node[m.I]; at >= 0 && m.Class == l.Class {
				pull[of[at]] += l.W * m.W
			}
		}
	}
	if most := slices.Max(pull); most > 0 || slices.Min(pull) < 0 {
		return slices.Index(pull, most)
	}
	return -1
}
