package starts

import (
	"context"
	"errors"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// contestRows bounds the rows that a contest looks at, contestSteps how
// far each start goes; rivals is the number of starts without constraints, and
// margin the standard errors by which one must beat the start from constraints.
const (
	contestRows  = 20_000
	contestSteps = 10
	rivals       = 3
	margin       = 0.5
)

// A trial is a start and what came of it after a few steps of plain k-means.
type trial struct {
	start    *lloyd.Centres
	ended    *lloyd.Centres
	cost     float64
	dist     []float64 // of each row of the sample to its centre, squared
	violated []bool    // the pairs that are violated, of those asked
}

// Contest returns the start that rows and pairs favour, first or one of those
// that rival makes. Each makes a few steps of plain k-means. The start itself is
// returned, not where it led.
//
// Few must-links make small neighbourhoods, whose centroids may be a worse start
// than none; then a start without constraints is taken. But the least distortion
// alone does not decide either: two local minima of k-means may differ by less
// than other rows of the same kind would make them differ, and the costlier one
// be far more accurate. So distortion and violations are both measured in their
// own standard errors (see overRows and evidence.standardErrors), and the sum decides.
// Where the rows cannot distinguish starts the pairs do, and the other way round.
// Nothing depends on scale, or on the cost of a violated pair.
//
// It costs some forty passes over at most 20,000 rows. Five steps distinguish
// starts less well than ten. papers/evidence/CURVES.md has the measurements.
func Contest(ctx context.Context, p *cluster.Problem, e *cluster.Env, first *lloyd.Centres, rival func(*cluster.Problem) *lloyd.Centres) *lloyd.Centres {
	q := *p
	if p.X.Len() > contestRows {
		q.X, q.Weight = SampleRows(p, e, contestRows)
	}
	starts := []*lloyd.Centres{first}
	for range rivals {
		starts = append(starts, rival(&q))
	}
	trials, err := tryAll(ctx, &q, e, starts)
	if err != nil {
		return first
	}
	asked, cheapest := askedPairs(p), 0
	for s, t := range trials {
		t.violated = asked.violatedPairs(t.ended, e.Workers)
		if t.cost < trials[cheapest].cost {
			cheapest = s
		}
	}
	best, least := first, math.Inf(1)
	for s, t := range trials {
		z := overRows(&q, t.dist, trials[cheapest].dist) + asked.standardErrors(t.violated, trials[cheapest].violated)
		if s == 0 {
			z -= margin
		}
		if z < least {
			best, least = t.start, z
		}
	}
	return best
}

// fewestBlocks is the number of blocks for each worker from which on one pass after the
// other occupies all workers.
const fewestBlocks = 4

// tryAll tries all starts: side by side where there are more workers than a pass over
// the rows occupies. Each then keeps its own rounded rows.
func tryAll(ctx context.Context, p *cluster.Problem, e *cluster.Env, starts []*lloyd.Centres) ([]*trial, error) {
	trials, errs, workers := make([]*trial, len(starts)), make([]error, len(starts)), 1
	if count := blocks.Workers(e.Workers); count > 1 && p.X.Len() < fewestBlocks*count*blocks.Len {
		workers = count
	}
	err := blocks.Tasks(ctx, workers, len(starts), func(s int) {
		own := e
		if workers > 1 {
			own = &cluster.Env{Workers: e.Workers, Effort: e.Effort, Run: e.Run, Settings: e.Settings}
		}
		trials[s], errs[s] = sharedTry(ctx, p, own, starts[s])
	})
	return trials, errors.Join(append(errs, err)...)
}

// try makes a few steps from c.
func try(ctx context.Context, p *cluster.Problem, e *cluster.Env, c *lloyd.Centres) (*trial, error) {
	r, err := lloyd.Start(ctx, lloyd.Space{Problem: p}, e, c, nil)
	if err != nil {
		return nil, err
	}
	for range contestSteps {
		for _, st := range r.Stages() {
			if _, err := st.Do(ctx); err != nil {
				return nil, err
			}
		}
	}
	dist, err := r.Distances(ctx)
	return &trial{start: c, ended: r.Centres(), cost: r.Cost(), dist: dist}, err
}

// sharedTry is try, which fits that share their results do once.
func sharedTry(ctx context.Context, p *cluster.Problem, e *cluster.Env, c *lloyd.Centres) (*trial, error) {
	if e.Settings == nil {
		return try(ctx, p, e, c)
	}
	t, err := e.Settings.Shared.Do(ctx, p.Key(newStartKey("try", c.C)), func() (any, error) { return try(ctx, p, e, c) })
	if err != nil {
		return nil, err
	}
	own := *t.(*trial)
	own.start = c
	return &own, nil
}
