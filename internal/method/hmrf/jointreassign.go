package hmrf

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// jointReassign tries to do better than single moves can. Two points that pairs
// hold away from their nearest centres may hold each other: neither can move
// while the other stays. So all held points, and those that violate a constraint,
// lose their labels and get new ones, the surest first: those with the largest
// difference between their two nearest centres. A point without a label costs the
// others nothing. Then every one of them may move once more. If J is not lower in
// the end, all labels are restored.
func (r *assignment) jointReassign(ctx context.Context) (moved int, err error) {
	list, err := r.findHeld(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	change, err := r.newObjectiveChange(ctx, list)
	if err != nil {
		return 0, err
	}
	for _, x := range list {
		change.beforeMove(int(x.point))
		r.moveTo(int(x.point), -1, nil)
	}
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b heldPoint) int {
		return cmp.Or(cmp.Compare(b.margin, a.margin), cmp.Compare(a.point, b.point))
	})
	for range 2 {
		if err := r.reassignHeld(ctx, order, change); err != nil {
			return 0, err
		}
	}
	fall, err := change.total(ctx)
	if err != nil {
		return 0, err
	}
	kept := fall < -roundingShare*r.totals.objectiveScale()
	for _, x := range list {
		if !kept {
			r.moveTo(int(x.point), x.label, nil)
		} else if r.labels[x.point] != x.label {
			moved++
		}
	}
	return moved, nil
}

// A heldPoint is held away from its nearest centre, or violates a constraint.
type heldPoint struct {
	point  int32
	label  int32   // its label
	margin float64 // by how much its nearest centre is cheaper than any other, at least
}

// findHeld lists the held points, in ascending order.
func (r *assignment) findHeld(ctx context.Context) (list []heldPoint, err error) {
	err = lloyd.LongBlocks(ctx, r.e.Workers, len(r.labels), func(lo, hi int) (part []heldPoint) {
		var cost pointCost
		var elsewhere func(i int, near int32) float64
		near, bad := r.near[lo:hi], r.violationCount[lo:hi]
		for at, h := range r.labels[lo:hi] {
			if h != near[at] || bad[at] > 0 {
				if cost == nil {
					cost, elsewhere = r.distortion.pointCost(), r.distortion.leastElsewhere()
				}
				i := lo + at
				part = append(part, heldPoint{int32(i), h, r.p.W(i) * max(0, elsewhere(i, near[at])-cost(i, int(near[at])))})
			}
		}
		return part
	}, func(_, _ int, part []heldPoint) { list = append(list, part...) })
	return list, err
}

// reassignHeld visits points in the given order. Where they would go is computed
// ahead for batches of them, if there are several goroutines; it is still right
// when their turn comes unless a neighbour has moved meanwhile.
func (r *assignment) reassignHeld(ctx context.Context, order []heldPoint, change *objectiveChange) error {
	ahead := r.e.Workers != 1 && r.canUseMoveCost() && len(order) >= minInRounds
	to := make([]int32, chunk*8)
	for lo := 0; lo < len(order); lo += len(to) {
		batch := order[lo:min(lo+len(to), len(order))]
		if ahead {
			err := blocks.Tasks(ctx, r.e.Workers, (len(batch)+chunk-1)/chunk, func(c int) {
				b := r.newMoveCost()
				for at := c * chunk; at < min((c+1)*chunk, len(batch)); at++ {
					to[at] = b.cheapest(int(batch[at].point))
				}
			})
			if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.reassignBatch(batch, to, ahead, change)
	}
	return nil
}

func (r *assignment) reassignBatch(batch []heldPoint, to []int32, ahead bool, change *objectiveChange) {
	marks := r.clearMarks()
	for at, x := range batch {
		i := int(x.point)
		var h int32
		if ahead && !r.hasMovedNeighbour(x.point) {
			h = to[at]
		} else {
			h = r.cheapest(i)
		}
		if h == r.labels[i] {
			continue
		}
		change.beforeMove(i)
		r.moveTo(i, h, nil)
		change.afterMove(i)
		marks[i] = hasMoved
	}
	for _, x := range batch {
		marks[x.point] = 0
	}
}

// maxAlwaysJoint is up to how many constrained points every assignment ends with
// jointReassign: it costs about as much as a sweep.
const maxAlwaysJoint = 10_000

// isJointReassignDue reports whether to call jointReassign after sweeps in which
// so many points moved. With many points, not while many still move by
// themselves, since it mostly does what they do anyway, and then ever more
// rarely; but always when none has moved, so that no run ends without it.
func (r *assignment) isJointReassignDue(moved int) bool {
	n := len(r.graph.Constrained)
	if moved == 0 || n <= maxAlwaysJoint {
		return true
	}
	if r.jointWait > 0 || moved > n/50 {
		r.jointWait = max(0, r.jointWait-1)
		return false
	}
	r.jointInterval = min(2*r.jointInterval+1, 15)
	r.jointWait = r.jointInterval
	return true
}
