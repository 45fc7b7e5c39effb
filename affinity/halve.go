package affinity

import (
	"cmp"
	"slices"
)

// A key is a row and the number it is ordered by; no two keys are equal.
type key struct {
	y   float64
	row int32
}

func (a key) less(b key) bool { return a.y < b.y || a.y == b.y && a.row < b.row }

// halve orders keys so that the first m are the least ones. (Hoare's
// selection; should it be unlucky, it sorts.)
func halve(keys []key, m int) {
	for tries := 0; len(keys) > 24; tries++ {
		if tries == 64 {
			break
		}
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		if b.less(a) {
			a, b = b, a
		}
		if c.less(b) {
			b = c
			if b.less(a) {
				b = a
			}
		}
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].less(b) {
				i++
			}
			for b.less(keys[j]) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch { // all up to j are at most b, all from i on at least
		case m <= j:
			keys = keys[:j+1]
		case m >= i:
			keys, m = keys[i:], m-i
		default:
			return
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.row, b.row)) })
}
