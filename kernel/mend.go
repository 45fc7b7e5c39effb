package kernel

import (
	"cmp"
	"slices"
)

// mend takes pairs apart that are together and must not be. Either end may go:
// the one that gains most by it goes first, and where that mends the pair the
// other stays. A queue in the order of nodes would send away whichever end has
// the lower number, and knowledge would move as many nodes to a wrong place as
// to a right one.
func (r *refiner) mend() (moved int) {
	type wish struct {
		i    int32
		gain float64
	}
	var list []wish
	for i := range int32(len(r.label)) {
		if r.broken(i) {
			if _, gain := r.best(i, r.own); gain > 0 {
				list = append(list, wish{i, gain})
			}
		}
	}
	slices.SortFunc(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.i, b.i))
	})
	for _, w := range list {
		if !r.broken(w.i) {
			continue
		}
		if to, _ := r.best(w.i, r.own); to != r.label[w.i] {
			r.move(w.i, to, r.own)
			moved++
		}
	}
	return moved
}

// broken says whether i is together with a node that it must be apart from.
func (r *refiner) broken(i int32) bool {
	to, _ := r.l.apart.row(i)
	for _, j := range to {
		if r.label[j] == r.label[i] {
			return true
		}
	}
	return false
}
