package lloyd

import "github.com/inklinghq/inkling/internal/compute/blocks"

// PendingMoves lists the points that have moved since the caller last asked for the
// labels of a run, so that a cluster.Relabeler need not go through all points. Where
// many have moved all labels are copied, on several workers.
type PendingMoves struct {
	rows []int32
	many bool // more than are worth a list
}

// manyMoves is the share of the points from which on moves are not listed.
const manyMoves = 1.0 / 16

// Add adds the points that have moved, of so many in all.
func (u *PendingMoves) Add(moves []Move, of int) {
	if u.many = u.many || float64(len(u.rows)+len(moves)) > manyMoves*float64(of); u.many {
		return
	}
	for _, m := range moves {
		u.rows = append(u.rows, m.Row)
	}
}

// AllLabels returns all labels.
func (u *PendingMoves) AllLabels(labels []int32, workers int) []int {
	out := make([]int, len(labels))
	u.many = true
	u.Update(out, labels, workers)
	return out
}

// Update changes the labels in out, as last returned, to the current ones.
func (u *PendingMoves) Update(out []int, labels []int32, workers int) {
	if u.many {
		blocks.Rows(workers, len(labels), func(lo, hi int) {
			for i, h := range labels[lo:hi] {
				out[lo+i] = int(h)
			}
		})
	} else {
		for _, i := range u.rows {
			out[i] = int(labels[i])
		}
	}
	u.rows, u.many = u.rows[:0], false
}
