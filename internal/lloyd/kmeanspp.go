package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// KMeansPlusPlus adds rows to the centres in first, which may be empty, until there
// are k, each drawn with probability proportional to its weight times the
// squared distance to the nearest centre before it (k-means++, Arthur and
// Vassilvitskii 2007).
//
// When ctx ends it adds random rows instead, so that there is a start.
func KMeansPlusPlus(ctx context.Context, p *cluster.Problem, e *cluster.Env, first []float64) *Centres {
	d := p.X.Dim()
	pass := newPotentialPass(p)
	c := append(make([]float64, 0, p.K*d), first...)
	if len(c) == 0 {
		c = append(c, data.Copy(p.X, DrawCumulative(runningWeights(p.Weight, p.X.Len()), e.Rand.Float64()))...)
	}
	for done := 0; len(c) < p.K*d; {
		next := 0
		if err := pass.addCentres(ctx, e, p.X, c[done:]); err != nil {
			next = e.Rand.IntN(p.X.Len())
		} else {
			next = pass.drawRow(e.Rand.Float64())
		}
		done = len(c)
		c = append(c, data.Copy(p.X, next)...)
	}
	return NewCentres(p.K, d, c)
}
