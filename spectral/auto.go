package spectral

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// shares of λ₁ that auto tries. Where every node has many neighbours all over
// the graph, vectors live on the constrained nodes for any β above 0, and those
// below are of use: they let α be negative, but what is cheap still wins by how
// well it satisfies Q.
var shares = []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 1e-4, -0.1, -0.3, -1, -3, -10}

// patience is how many candidates in a row may be no better than the best.
const patience = 2

// auto chooses β. Small graphs try every candidate. On larger ones the largest
// β whose vectors do not live on the constrained nodes alone is found by
// halving, for they do above some β and not below; then the candidates below it
// while they get better.
func (c *search) auto(ctx context.Context) error {
	list := c.candidates()
	slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(b, a) })
	seen := make([]*attempt, len(list))
	look := func(at int) (t *attempt, err error) {
		if seen[at] == nil {
			seen[at], err = c.attempt(ctx, list[at])
		}
		return seen[at], err
	}
	from, all := 0, c.pencil.l.Dim() <= denseNodes || c.careful()
	for hi := len(list); !all && from < hi; {
		mid := (from + hi) / 2
		t, err := look(mid)
		if err != nil {
			return err
		}
		if t.localised || t.of == nil {
			from = mid + 1
		} else {
			hi = mid
		}
	}
	for at, idle := from, 0; at < len(list) && (all || idle < patience); at++ {
		t, err := look(at)
		if err != nil {
			return err
		}
		if c.offer(t) {
			idle = 0
		} else {
			idle++
		}
	}
	for _, t := range seen {
		if t != nil && t.of != nil && t.localised && c.outdoes(t) {
			c.best = t
		}
	}
	if c.best == nil {
		return c.infeasible(list[len(list)-1], 0, true)
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
	return t, c.judge(ctx, t, !c.careful())
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

// offer keeps t if it is better than the best so far, and says so.
func (c *search) offer(t *attempt) bool {
	if t.of == nil || t.localised {
		return false
	}
	if c.best != nil {
		a, b := math.Round(100*t.honoured), math.Round(100*c.best.honoured)
		if a < b || a == b && t.cut >= c.best.cut {
			return false
		}
	}
	c.best = t
	return true
}

// muchMore of what is asked, and a cut not dearer than atMost times, is what a
// localised candidate must have over the best of the others. Mostly a localised
// vector says nothing of the other nodes, and its cut is a bad one.
const (
	muchMore = 0.2
	atMost   = 1.5
)

// outdoes says whether localised t is so much better than the best that it is
// taken all the same; where there is no best, it is all there is.
func (c *search) outdoes(t *attempt) bool {
	switch b := c.best; {
	case b == nil:
		return true
	case b.localised:
		return t.honoured > b.honoured || t.honoured == b.honoured && t.cut < b.cut
	default:
		return t.honoured >= b.honoured+muchMore && t.cut <= atMost*b.cut
	}
}

// polish brings the vectors of the best to full accuracy, and makes its
// clusters with all care.
func (c *search) polish(ctx context.Context) error {
	was := c.best
	if was.Dim() <= denseNodes {
		return c.judge(ctx, was, false)
	}
	c.start = nil
	for _, s := range was.found {
		c.start = append(c.start, s.v)
	}
	t, err := c.try(ctx, was.b, BetaAuto, 0, 1e-5, 60)
	if err != nil {
		return err
	}
	if len(t.found) < c.needs() || t.localised {
		return c.judge(ctx, was, false)
	}
	if err := c.judge(ctx, t, false); err != nil {
		return err
	}
	if price := c.choice(); price != nil && price(t.of) > price(was.of) {
		return nil // another vector came first, now that all are exact
	}
	t.prefer(was)
	c.best = t
	return nil
}
