package starts

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// KMeansPlusPlus adds rows to the centres in first, which may be empty, until there
// are k, each drawn with probability proportional to its weight times the squared
// distance to the nearest centre before it (k-means++, Arthur and Vassilvitskii 2007).
// Above low effort several candidates are drawn each time, and the one that lowers the
// sum of these products most is taken (greedy k-means++, their section 6).
//
// When ctx ends it adds random rows instead, so that there is a start.
func KMeansPlusPlus(ctx context.Context, p *cluster.Problem, e *cluster.Env, first []float64) *lloyd.Centres {
	d := p.X.Dim()
	pass := newPotentialPass(p)
	c := append(make([]float64, 0, p.K*d), first...)
	if len(c) == 0 {
		c = append(c, data.Copy(p.X, DrawCumulative(runningWeights(p.Weight, p.X.Len()), e.Rand.Float64()))...)
	}
	count := 1
	if e.Effort.Searches() {
		count = candidateCount(p.K)
	}
	err := pass.addCentres(ctx, e, p.X, c)
	trial := newCandidatePass(p.X, pass, count)
	for len(c) < p.K*d {
		if err != nil {
			c = append(c, data.Copy(p.X, e.Rand.IntN(p.X.Len()))...)
			continue
		}
		drawn := make([]float64, 0, count*d)
		for range count {
			drawn = append(drawn, data.Copy(p.X, pass.drawRow(e.Rand.Float64()))...)
		}
		best := 0
		best, err = trial.chooseBest(ctx, e, p.X, drawn)
		c = append(c, drawn[best*d:(best+1)*d]...)
	}
	return lloyd.NewCentres(p.K, d, c)
}

// candidateCount is the number of candidates for each centre: Arthur and Vassilvitskii
// used as many in their experiments.
func candidateCount(k int) int { return 2 + int(math.Log(float64(k))) }
