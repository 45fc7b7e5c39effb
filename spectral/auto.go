package spectral

import (
	"context"
	"math"
	"slices"
)

// shares of λ₁ that auto tries.
var shares = []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4}

// auto chooses β. Small graphs try every candidate. On larger ones the largest
// β whose vectors do not live on the constrained nodes alone is found by
// halving, for they do above some β and not below; then the candidates below it
// while they get better.
func (c *search) auto(ctx context.Context) error {
	most := c.top.most()
	list := []float64{c.b(BetaOne)}
	for _, f := range shares {
		list = append(list, f*most)
	}
	slices.SortFunc(list, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	})
	seen := make([]*attempt, len(list))
	look := func(at int) (*attempt, error) {
		if seen[at] == nil {
			t, err := c.attempt(ctx, list[at])
			if err != nil {
				return nil, err
			}
			seen[at] = t
		}
		return seen[at], nil
	}
	from := 0
	if c.pencil.l.Dim() > denseNodes {
		for lo, hi := 0, len(list); lo < hi; {
			mid := (lo + hi) / 2
			t, err := look(mid)
			if err != nil {
				return err
			}
			if t.localised || t.of == nil {
				lo = mid + 1
			} else {
				hi = mid
			}
			from = lo
		}
	}
	for at := from; at < len(list); at++ {
		t, err := look(at)
		if err != nil {
			return err
		}
		was := c.best
		c.offer(t)
		if c.pencil.l.Dim() > denseNodes && was != nil && c.best == was && t.of != nil {
			break
		}
	}
	for _, f := range []float64{-0.1, -1, -10} { // nothing above 0 will do
		if c.best != nil {
			break
		}
		t, err := c.attempt(ctx, f*most)
		if err != nil {
			return err
		}
		c.offer(t)
		if c.best == nil && f == -10 && t.of != nil {
			c.best = t
		}
	}
	if c.best == nil {
		for _, t := range seen { // localised or not, it is all there is
			if t != nil && t.of != nil {
				c.best = t
			}
		}
	}
	if c.best == nil {
		return &Infeasible{Beta: -10 * most * c.pencil.vol, Most: most * c.pencil.vol, Trivial: c.pencil.zqz * c.pencil.vol, Wanted: c.needs()}
	}
	return c.polish(ctx)
}

// attempt tries one b and judges what comes of it.
func (c *search) attempt(ctx context.Context, b float64) (*attempt, error) {
	t, err := c.try(ctx, b, BetaAuto, 0, 1e-3, 60)
	if err != nil || len(t.found) < c.needs() {
		return t, err
	}
	if !t.localised {
		c.warm(t)
	}
	return t, c.judge(ctx, t)
}

// warm lets the next iterations begin where this one ended.
func (c *search) warm(t *attempt) {
	if c.start == nil {
		return
	}
	fixed := c.needs() + 4 + len(c.top.vectors)
	c.start = c.start[:min(fixed, len(c.start))]
	for _, s := range t.found {
		c.start = append(c.start, s.v)
	}
}

// offer keeps t if it is better than the best so far.
func (c *search) offer(t *attempt) {
	if t.of == nil || t.localised {
		return
	}
	if c.best == nil {
		c.best = t
		return
	}
	a, b := math.Round(100*t.honoured), math.Round(100*c.best.honoured)
	if a > b || a == b && t.cut < c.best.cut {
		c.best = t
	}
}

// polish brings the vectors of the best to full accuracy, and keeps its
// clusters if these get no better by it.
func (c *search) polish(ctx context.Context) error {
	was := c.best
	if was.Dim() <= denseNodes {
		return nil
	}
	c.start = nil
	for _, s := range was.found {
		c.start = append(c.start, s.v)
	}
	t, err := c.try(ctx, was.b, BetaAuto, 0, 1e-5, 60)
	if err != nil || len(t.found) < c.needs() || t.localised {
		return err
	}
	if err := c.judge(ctx, t); err != nil {
		return err
	}
	c.best = t
	return nil
}
