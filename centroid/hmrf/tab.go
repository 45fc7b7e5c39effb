package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A tab knows by how much J changes while points of a list move about. Where
// bills serve it adds up what these points cost before and after, side by side;
// elsewhere it is told of every move.
type tab struct {
	r      *hmrfRun
	list   []frozen
	billed bool
	change float64
}

func (r *hmrfRun) newTab(ctx context.Context, list []frozen) (*tab, error) {
	t := &tab{r: r, list: list, billed: r.billable()}
	if !t.billed {
		return t, nil
	}
	cost, err := t.cost(ctx)
	t.change = -cost
	return t, err
}

// leave is to be called before point i leaves its cluster.
func (t *tab) leave(i int) {
	if h := t.r.labels[i]; h >= 0 && !t.billed {
		t.change -= t.r.costAt(i, h)
	}
}

// enter is to be called when point i has come to another.
func (t *tab) enter(i int) {
	if !t.billed {
		t.change += t.r.costAt(i, t.r.labels[i])
	}
}

// close returns by how much J has changed.
func (t *tab) close(ctx context.Context) (float64, error) {
	if !t.billed {
		return t.change, nil
	}
	cost, err := t.cost(ctx)
	return t.change + cost, err
}

// cost adds up what the points of the list cost, every pair of theirs once.
func (t *tab) cost(ctx context.Context) (sum float64, err error) {
	moods := t.r.moodsOf()
	for _, x := range t.list {
		moods[x.i] = listed
	}
	err = blocks.Each(ctx, t.r.e.Workers, len(t.list), func(lo, hi int) (s float64) {
		b := t.r.newBill()
		for _, x := range t.list[lo:hi] {
			s += b.share(int(x.i), moods)
		}
		return s
	}, func(_, _ int, s float64) { sum += s })
	for _, x := range t.list {
		moods[x.i] = 0
	}
	return sum, err
}

// costAt returns what point i costs in cluster h, pairs included, as the others
// stand.
func (r *hmrfRun) costAt(i int, h int32) float64 {
	if r.bill != nil {
		return r.bill.costAt(i, h)
	}
	return r.p.W(i)*r.gauge(i, int(h)) + r.penalties(i)[h]
}

// scaleOfJ returns how large the terms of J are, for what rounding may amount to.
func (r *hmrfRun) scaleOfJ() (s float64) {
	for _, t := range r.terms {
		s += max(t.Value, -t.Value)
	}
	return s
}
