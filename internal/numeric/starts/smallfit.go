package starts

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// roughTolerance is the relative decrease of the cost at which the k-means on few rows
// ends: iterations on all rows follow.
const roughTolerance = 1e-5

// fitSmall clusters the few rows of s, from the centres in first and others by
// k-means++, and returns the centres in the same order; nil if ctx ends before there are
// any, or if the rows cannot be clustered.
func fitSmall(ctx context.Context, s lloyd.Space, e *cluster.Env, first []float64) *lloyd.Centres {
	set := cluster.Default()
	set.Seed, set.Restarts, set.Tol, set.Workers, set.Effort = e.Rand.Uint64(), 1, roughTolerance, e.Workers, e.Effort
	r, _ := cluster.Fit(ctx, s.Problem, smallFit{s, first}, set)
	if r == nil {
		return nil
	}
	return r.Model.(*lloyd.Centres)
}

// smallFit is k-means from a k-means++ start in a space whose rows are at hand.
type smallFit struct {
	space lloyd.Space
	first []float64
}

func (smallFit) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows}}
}

func (smallFit) Check(*cluster.Problem) error { return nil }

func (a smallFit) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r, err := lloyd.Start(ctx, a.space.WithProblem(p), e, KMeansPlusPlus(ctx, p, e, a.first), nil)
	if err != nil {
		return r, err
	}
	keep := make([]bool, p.K)
	for h := range len(a.first) / p.X.Dim() {
		keep[h] = true
	}
	return lloyd.SearchSwaps(r, e.Effort, keep, lloyd.AllSwaps), nil
}
