package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// An objectiveChange computes by how much the objective J changes while points of
// a list move. Where moveCost can be used it adds up what these points cost
// before and after, in parallel; elsewhere it follows every move.
type objectiveChange struct {
	r          *assignment
	list       []heldPoint
	byMoveCost bool
	change     float64
}

func (r *assignment) newObjectiveChange(ctx context.Context, list []heldPoint) (*objectiveChange, error) {
	t := &objectiveChange{r: r, list: list, byMoveCost: r.canUseMoveCost()}
	if !t.byMoveCost {
		return t, nil
	}
	cost, err := t.listCost(ctx)
	t.change = -cost
	return t, err
}

// beforeMove must be called before point i leaves its cluster.
func (t *objectiveChange) beforeMove(i int) {
	if h := t.r.labels[i]; h >= 0 && !t.byMoveCost {
		t.change -= t.r.costAt(i, h)
	}
}

// afterMove must be called when point i has a new cluster.
func (t *objectiveChange) afterMove(i int) {
	if !t.byMoveCost {
		t.change += t.r.costAt(i, t.r.labels[i])
	}
}

// total returns by how much J has changed.
func (t *objectiveChange) total(ctx context.Context) (float64, error) {
	if !t.byMoveCost {
		return t.change, nil
	}
	cost, err := t.listCost(ctx)
	return t.change + cost, err
}

// listCost adds up what the points of the list cost, every pair of theirs once.
func (t *objectiveChange) listCost(ctx context.Context) (sum float64, err error) {
	marks := t.r.clearMarks()
	for _, x := range t.list {
		marks[x.point] = onList
	}
	err = blocks.Each(ctx, t.r.e.Workers, len(t.list), func(lo, hi int) (s float64) {
		b := t.r.newMoveCost()
		for _, x := range t.list[lo:hi] {
			s += b.shareOfList(int(x.point), marks)
		}
		return s
	}, func(_, _ int, s float64) { sum += s })
	for _, x := range t.list {
		marks[x.point] = 0
	}
	return sum, err
}

// objectiveScale returns the sum of the absolute values of the terms of J, for
// rounding tolerances.
func (r *totals) objectiveScale() (s float64) {
	for _, t := range r.terms {
		s += max(t.Value, -t.Value)
	}
	return s
}
