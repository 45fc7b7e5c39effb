package centroid

// untold lists the points that have moved since the labels of a run were last
// asked for, so that a cluster.Relabeler need not go through all.
type untold []int32

// note adds the points that have moved.
func (u *untold) note(moves []move) {
	for _, m := range moves {
		*u = append(*u, m.row)
	}
}

// all tells all labels.
func (u *untold) all(labels []int32) []int {
	*u = (*u)[:0]
	out := make([]int, len(labels))
	for i, h := range labels {
		out[i] = int(h)
	}
	return out
}

// news brings what was told up to date.
func (u *untold) news(told []int, labels []int32) {
	for _, i := range *u {
		told[i] = int(labels[i])
	}
	*u = (*u)[:0]
}
