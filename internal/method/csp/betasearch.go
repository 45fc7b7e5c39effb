package csp

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// betaShares are the shares of λ₁ that searchBeta tries. Where every node has many neighbours all over
// the graph, vectors live on the constrained nodes for any β above 0, and those
// below are of use: they let α be negative, but what is cheap still wins by how
// well it satisfies Q.
var betaShares = []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 1e-4, -0.1, -0.3, -1, -3, -10}

// patience is how many candidates in a row may be no better than the best.
const patience = 2

// searchBeta chooses β. Small graphs try every candidate. On larger ones the largest
// β whose vectors do not live on the constrained nodes alone is found by
// halving, for they do above some β and not below; then the candidates below it
// while they get better.
func (c *cspSolver) searchBeta(ctx context.Context) error {
	list := c.betaCandidates()
	last := slices.Min(list)
	list = slices.DeleteFunc(list, func(b float64) bool { return !c.leavesEnough(b) })
	slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(b, a) })
	seen := make([]*candidate, len(list))
	look := func(at int) (t *candidate, err error) {
		if seen[at] == nil {
			seen[at], err = c.solveAndScore(ctx, list[at])
		}
		return seen[at], err
	}
	from, all := 0, c.pencil.laplacian.Dim() <= denseNodes || c.exhaustive()
	for hi := len(list); !all && from < hi; {
		mid := (from + hi) / 2
		t, err := look(mid)
		if err != nil {
			return err
		}
		if (t.localised || t.clusters == nil) && !t.oneSided {
			from = mid + 1
		} else {
			hi = mid
		}
	}
	for at, idle := from, 0; at < len(list) && (all || c.best == nil || idle < patience); at++ {
		t, err := look(at)
		if err != nil {
			return err
		}
		if c.keepIfBetter(t) {
			idle = 0
		} else {
			idle++
		}
	}
	if len(list) > 0 { // where Q counts least, vectors are nearly those without constraints
		t, err := look(len(list) - 1)
		if err != nil {
			return err
		}
		c.keepIfBetter(t)
	}
	for _, t := range seen {
		if t != nil && t.clusters != nil && t.localised && !t.oneSided && c.localisedIsBetter(t) {
			c.best = t
		}
	}
	for _, t := range seen {
		if c.best == nil && t != nil && t.clusters != nil {
			c.best = t // of one sign, for want of another
		}
	}
	if c.best == nil {
		return c.infeasibleError(last, 0, true)
	}
	return c.refineBest(ctx)
}

// solveAndScore solves for one b, makes clusters and scores them.
func (c *cspSolver) solveAndScore(ctx context.Context, b float64) (*candidate, error) {
	t, err := c.solveAt(ctx, b, BetaAuto, 0, 1e-3, 60)
	if err != nil || len(t.vectors) < c.vectorsNeeded() {
		return t, err
	}
	if !t.localised {
		c.warmStart(t)
	}
	return t, c.discretiseAndScore(ctx, t, !c.exhaustive())
}

// warmStart lets the next iterations begin where this one ended.
func (c *cspSolver) warmStart(t *candidate) {
	if c.start == nil {
		return
	}
	fixed := c.vectorsNeeded() + 4 + len(c.spectrum.vectors)
	c.start = c.start[:min(fixed, len(c.start))]
	for _, s := range t.vectors {
		c.start = append(c.start, s.v)
	}
}

// keepIfBetter keeps t if it is better than the best so far, and says so.
func (c *cspSolver) keepIfBetter(t *candidate) bool {
	if t.clusters == nil || t.localised || t.oneSided {
		return false
	}
	if c.best != nil && !c.isBetter(t, c.best) {
		return false
	}
	c.best = t
	return true
}

// isBetter reports whether the clusters of t are better than those of best. Of two
// clusters those are that satisfy more, to a hundredth, or as much and cut less. Of
// more clusters the sum decides that clusterObjective has too: then one pair of a
// hundred weighs about as much as a hundredth of all edges, not more than any cut.
func (c *cspSolver) isBetter(t, best *candidate) bool {
	if c.Problem.K > 2 {
		return t.cut+c.violationCost(t.satisfied) < best.cut+c.violationCost(best.satisfied)
	}
	a, b := math.Round(100*t.satisfied), math.Round(100*best.satisfied)
	return a > b || a == b && t.cut < best.cut
}

// A localised candidate replaces the best of the others only if it satisfies a
// share of the constraints that is larger by minSatisfiedGain, and its cut is at
// most maxCutRatio times theirs. Most localised vectors say nothing about the
// other nodes, and their cuts are bad.
const (
	minSatisfiedGain = 0.2
	maxCutRatio      = 1.5
)

// localisedIsBetter reports whether t, which is localised, replaces the best: if it
// is much better, or if there is no other.
func (c *cspSolver) localisedIsBetter(t *candidate) bool {
	switch b := c.best; {
	case b == nil:
		return true
	case b.localised:
		return t.satisfied > b.satisfied || t.satisfied == b.satisfied && t.cut < b.cut
	default:
		return t.satisfied >= b.satisfied+minSatisfiedGain && t.cut <= maxCutRatio*b.cut
	}
}

// refineBest computes the vectors of the best candidate to full accuracy, and makes
// clusters of them without the shortcuts of the search.
func (c *cspSolver) refineBest(ctx context.Context) error {
	was := c.best
	if was.Dim() <= denseNodes {
		return c.discretiseAndScore(ctx, was, false)
	}
	c.start = nil
	for _, s := range was.vectors {
		c.start = append(c.start, s.v)
	}
	t, err := c.solveAt(ctx, was.b, BetaAuto, 0, 1e-5, 60)
	if err != nil {
		return err
	}
	if len(t.vectors) < c.vectorsNeeded() || t.localised || t.oneSided {
		return c.discretiseAndScore(ctx, was, false)
	}
	if err := c.discretiseAndScore(ctx, t, false); err != nil {
		return err
	}
	if objective := c.clusterObjective(); objective != nil && objective(t.clusters) > objective(was.clusters) {
		return nil // another vector came first, now that all are exact
	}
	t.keepBetterClusters(was)
	c.best = t
	return nil
}

// solve finds the vectors for β.
func (c *cspSolver) solve(ctx context.Context) error {
	if c.pencil == nil {
		return c.Embed(ctx, eigen.Normalised)
	}
	if l := c.pencil.laplacian; l.Dim() > denseNodes {
		low, err := c.Env.Share(ctx, c.Problem.Key(*c.csp), func() (any, error) {
			return eigen.Smallest(ctx, l, eigen.Options{K: c.vectorsNeeded() + 5, Tol: 1e-3, Rel: 0.1, Seed: c.Seed, Workers: c.Env.Workers})
		})
		if err != nil {
			return err
		}
		c.start = append(append(c.start, low.(*eigen.Pairs).Vectors[1:]...), c.spectrum.vectors...)
	}
	if c.csp.Beta.Rule == BetaAuto {
		return c.searchBeta(ctx)
	}
	b := c.betaByRule(c.csp.Beta)
	got, err := c.solveAt(ctx, b, c.csp.Beta.String(), 1, 1e-6, 300)
	switch {
	case err != nil:
		return err
	case got.feasibleCount < c.vectorsNeeded():
		return c.infeasibleError(b, got.feasibleCount, got.countIsExact)
	case len(got.vectors) < c.vectorsNeeded():
		return &SolverError{Found: len(got.vectors), Feasible: got.feasibleCount, Needed: c.vectorsNeeded(), Beta: b * c.pencil.vol}
	}
	c.best = got
	return c.discretiseAndScore(ctx, got, false)
}

// leavesEnough reports whether enough vectors are feasible for b.
func (c *cspSolver) leavesEnough(b float64) bool {
	count, _ := c.spectrum.feasibleCount(c.pencil.withShift(b).b, c.pencil.zqz)
	return count >= c.vectorsNeeded()
}

// betaByRule returns β/vol by a rule.
func (c *cspSolver) betaByRule(beta cluster.Number) float64 {
	most := c.spectrum.largest()
	switch beta.Rule {
	case BetaOne:
		b := c.betweenEigenvalues(c.vectorsNeeded() - 1)
		if c.pencil.zqz > b || c.views != nil { // the trivial vector takes the place of one
			b = c.betweenEigenvalues(c.vectorsNeeded())
		}
		return b
	case BetaEq19:
		n := float64(c.pencil.laplacian.Dim())
		return most * (0.5 + 0.4*min(1, c.pencil.constraints.EntryCount()/(n*n)))
	}
	return beta.Value * most
}

// betweenEigenvalues returns 0.9λ + 0.1λ' for eigenvalue number m of Q̄, from 0, and the
// next. If the two are equal up to rounding, it
// returns 0.99λ.
func (c *cspSolver) betweenEigenvalues(m int) float64 {
	value := func(m int) float64 {
		if m < len(c.spectrum.values) {
			return max(c.spectrum.values[m], 0)
		}
		return 0
	}
	a, b := value(m), value(m+1)
	if b > (1-1e-6)*a {
		return 0.99 * a
	}
	return 0.9*a + 0.1*b
}
