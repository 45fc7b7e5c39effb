package lloyd

// PendingMoves lists the points that have moved since the labels of a run were last
// asked for, so that a cluster.Relabeler need not go through all.
type PendingMoves []int32

// Add adds the points that have moved.
func (u *PendingMoves) Add(moves []Move) {
	for _, m := range moves {
		*u = append(*u, m.Row)
	}
}

// AllLabels tells all labels.
func (u *PendingMoves) AllLabels(labels []int32) []int {
	*u = (*u)[:0]
	out := make([]int, len(labels))
	for i, h := range labels {
		out[i] = int(h)
	}
	return out
}

// Update brings what was told up to date.
func (u *PendingMoves) Update(told []int, labels []int32) {
	for _, i := range *u {
		told[i] = int(labels[i])
	}
	*u = (*u)[:0]
}
