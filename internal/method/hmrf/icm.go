package hmrf

import (
	"context"
	"slices"
)

// assignByICM assigns constrained points by iterated conditional modes (Besag
// 1986; Basu, Bilenko and Mooney 2003, section 3.2): one after the other, in
// random order, each goes where it costs least given the labels of the others, if
// that is strictly cheaper than where it is. A sweep need not visit points at
// their nearest centre whose pairs are all satisfied, as nothing is cheaper.
// After the first sweep only neighbours of points that moved are dirty. open
// lists the points that may move, in ascending order; in the very first
// assignment points without a label cost their neighbours nothing.
func (r *assignment) assignByICM(ctx context.Context, open []int32) (moved int, err error) {
	first := len(r.graph.Constrained) > 0 && r.labels[r.graph.Constrained[0]] < 0
	r.counts.Recount(r.labels)
	if !first {
		open = mergeSorted(open, r.graph.AlwaysVisit)
	}
	var dirty *dirtySet // not needed with one sweep
	if r.a.Sweeps != 1 {
		dirty = newDirtySet(len(r.labels))
	}
	for sweep := 1; len(open) > 0; sweep++ {
		visit := r.sweepOneByOne
		if !first && len(open) >= minInRounds && r.canUseMoveCost() {
			visit = r.sweepInRounds
		}
		changed, err := visit(ctx, open, dirty)
		if err != nil {
			return 0, err
		}
		moved += changed
		if first {
			r.countViolations()
			first = false
			open = slices.Clone(r.graph.Constrained)
		} else {
			open = nil
			if dirty != nil {
				open = dirty.takeSorted(r.graph.AlwaysVisit)
			}
		}
		if changed == 0 || sweep == r.a.Sweeps || sweep == maxSweeps {
			break
		}
	}
	if r.a.JointReassign && r.isJointReassignDue(moved) {
		m, err := r.jointReassign(ctx)
		return moved + m, err
	}
	return moved, nil
}

// sweepOneByOne visits the points of open one after the other, in random order.
func (r *assignment) sweepOneByOne(ctx context.Context, open []int32, n *dirtySet) (moved int, err error) {
	r.e.Rand.Shuffle(len(open), func(a, b int) { open[a], open[b] = open[b], open[a] })
	for at, i := range open {
		if at%4096 == 4095 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if h := r.cheapest(int(i)); h != r.labels[i] {
			r.moveTo(int(i), h, n)
			moved++
		}
	}
	return moved, nil
}

// maxSweeps bounds an assignment that rounding would continue for ever.
const maxSweeps = 100
