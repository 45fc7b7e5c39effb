package affinity

import (
	"cmp"
	"math"
	"slices"
)

// A rowKey is a row and the number it is ordered by; no two keys are equal.
type rowKey struct {
	value float64
	row   int32
}

func (a rowKey) before(b rowKey) bool {
	return a.value < b.value || a.value == b.value && a.row < b.row
}

// selectFirst orders keys so that the first m are the least ones. (Hoare's
// selection; it sorts if that takes too many rounds.)
func selectFirst(keys []rowKey, m int) {
	for tries := 0; len(keys) > 24; tries++ {
		if tries == 64 {
			break
		}
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		if b.before(a) {
			a, b = b, a
		}
		if c.before(b) {
			b = c
			if b.before(a) {
				b = a
			}
		}
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].before(b) {
				i++
			}
			for b.before(keys[j]) {
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
	slices.SortFunc(keys, func(a, b rowKey) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.row, b.row)) })
}

// SelectNth returns element m of v sorted, and leaves no greater one before place
// m. (Hoare's selection.)
func SelectNth(v []float64, m int) float64 {
	lo, hi := 0, len(v)-1
	for tries := 0; lo < hi; tries++ {
		if tries == 64 { // unlucky
			slices.Sort(v[lo : hi+1])
			break
		}
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		mid := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < mid {
				i++
			}
			for v[j] > mid {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case m <= j:
			hi = j
		case m >= i:
			lo = i
		default:
			return v[m]
		}
	}
	return v[m]
}

// medianRoot returns the median of the square roots of v, which it reorders.
func medianRoot(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	h := len(v) / 2
	y := math.Sqrt(SelectNth(v, h))
	if len(v)%2 == 1 {
		return y
	}
	return (math.Sqrt(slices.Max(v[:h])) + y) / 2 // nth leaves the lesser half in front
}
