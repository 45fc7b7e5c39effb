package lloyd

// PendingMoves lists the points that have moved since the caller last asked for the
// labels of a run, so that a cluster.Relabeler need not go through all points.
type PendingMoves []int32

// Add adds the points that have moved.
func (u *PendingMoves) Add(moves []Move) {
	for _, m := range moves {
		*u = append(*u, m.Row)
	}
}

// AllLabels returns all labels.
func (u *PendingMoves) AllLabels(labels []int32) []int {
	*u = (*u)[:0]
	out := make([]int, len(labels))
	for i, h := range labels {
		out[i] = int(h)
	}
	return out
}

// Update changes the labels in out, as last returned, to the current ones.
func (u *PendingMoves) Update(out []int, labels []int32) {
	for _, i := range *u {
		out[i] = int(labels[i])
	}
	*u = (*u)[:0]
}
