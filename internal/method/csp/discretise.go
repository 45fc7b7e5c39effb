package csp

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/method/spectral"
)

// discretise makes clusters of the vectors of t: by sign (u above 0 is one
// side, the rest the other), or by k-means on the rows of U = D^{-1/2}V, of
// sign(U), or of sign(U) weighted by the inverse costs. A k-way cut in two
// is by sign where that satisfies more, or as much and cuts less. Where views
// are used with β auto, which goes by what is cut, so do thresholds and
// starts, as for Spectral. A rough result is for comparisons.
func (c *cspSolver) discretise(ctx context.Context, t *candidate, rough bool) ([]int, error) {
	sides := signs(t.vectors[0].v)
	if c.csp.twoWay(c.Problem.K) {
		return c.bestThreshold(sides, t), nil
	}
	u := make([][]float64, t.used)
	for f, s := range t.vectors[:t.used] {
		u[f] = make([]float64, len(s.v))
		for i, y := range s.v {
			u[f][i] = y / math.Sqrt(t.laplacian.Degree[i])
			if c.csp.Discretise != ByRows {
				u[f][i] = sign(y)
			}
			if c.csp.Discretise == ByWeighted && s.cost > 0 {
				u[f][i] *= t.vol / s.cost
			}
		}
	}
	space := spectral.NewEmbedding(u)
	starts := space.KMeansStarts(c.Problem.K, c.Env.Effort)
	if rough {
		starts = 2
	}
	of, err := space.KMeans(ctx, c.Problem.K, starts, c.Env, c.clusterObjective())
	if err == nil && c.clusterObjective() != nil {
		of, err = c.clusterUnitRows(ctx, t, of, starts)
	}
	if err != nil || c.Problem.K != 2 {
		return of, err
	}
	h1, c1 := c.scoreClusters(of)
	h2, c2 := c.scoreClusters(sides)
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

// discretiseAndScore makes clusters of the vectors and scores them. Clusters that t has
// already stay if they are better.
func (c *cspSolver) discretiseAndScore(ctx context.Context, t *candidate, rough bool) error {
	was := *t
	of, err := c.discretise(ctx, t, rough)
	if err != nil {
		return err
	}
	t.clusters = of
	t.satisfied, t.cut = c.scoreClusters(of)
	t.keepBetterClusters(&was)
	return nil
}
