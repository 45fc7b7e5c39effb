package constraint

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Incomplete returns a copy of s with only the labels of the classes in keep.
// Pairs and names stay, and so do the numbers of the classes.
func Incomplete(s *Set, keep []int) *Set {
	out := s.clone()
	kept := make(map[int]bool, len(keep))
	for _, c := range keep {
		kept[c] = true
	}
	out.Labels = slices.DeleteFunc(out.Labels, func(l Label) bool { return !kept[l.Class] })
	return out
}

// FlipLabels returns a copy of s in which a fraction of the labelled points,
// the nearest whole number of them, has another class, drawn uniformly from
// the other k-1. Points with labels of several classes are left alone and not
// counted. Classes must be below k, and k at least 2 where a point is to be
// changed.
func FlipLabels(s *Set, fraction float64, k int, rng *rand.Rand) (*Set, error) {
	if err := checkFraction(fraction); err != nil {
		return nil, err
	}
	out := s.clone()
	if c := out.Classes(); c > k {
		return nil, fmt.Errorf("classes must be below k = %d, got %d", k, c-1)
	}
	points, err := singleClass(out.Labels)
	if err != nil {
		return nil, err
	}
	take := share(fraction, len(points))
	if take > 0 && k < 2 {
		return nil, fmt.Errorf("k must be at least 2 to change %d labels, got %d", take, k)
	}
	class := make(map[int]int, take)
	for _, p := range choose(len(points), take, rng) {
		l := points[p]
		h := rng.IntN(k - 1)
		if h >= l.Class {
			h++
		}
		class[l.I] = h
	}
	for at := range out.Labels {
		if h, ok := class[out.Labels[at].I]; ok {
			out.Labels[at].Class = h
		}
	}
	return out, nil
}

// singleClass returns the first label of each point of one class, in order.
func singleClass(labels []Label) ([]Label, error) {
	class := map[int]int{}
	for at, l := range labels {
		if l.Class < 0 {
			return nil, fmt.Errorf("the class of label %d must be at least 0, got %d", at, l.Class)
		}
		if c, ok := class[l.I]; ok && c != l.Class {
			class[l.I] = -1
		} else {
			class[l.I] = l.Class
		}
	}
	var out []Label
	for _, l := range labels {
		if class[l.I] >= 0 {
			out = append(out, l)
			class[l.I] = -1
		}
	}
	return out, nil
}

// FlipPairs returns a copy of s in which a fraction of the must-links and
// cannot-links together, the nearest whole number of them, is of the other
// kind. Pairs that stay come first, those that changed after them, each in
// their order. Beliefs and labels stay.
func FlipPairs(s *Set, fraction float64, rng *rand.Rand) (*Set, error) {
	if err := checkFraction(fraction); err != nil {
		return nil, err
	}
	out := s.clone()
	must, cannot := out.Must, out.Cannot
	all := len(must) + len(cannot)
	flip := make([]bool, all)
	for _, p := range choose(all, share(fraction, all), rng) {
		flip[p] = true
	}
	out.Must, out.Cannot = nil, nil
	for _, changed := range []bool{false, true} {
		for at := range all {
			if flip[at] != changed {
				continue
			}
			switch isMust := at < len(must); {
			case isMust && changed:
				out.Cannot = append(out.Cannot, must[at])
			case isMust:
				out.Must = append(out.Must, must[at])
			case changed:
				out.Must = append(out.Must, cannot[at-len(must)])
			default:
				out.Cannot = append(out.Cannot, cannot[at-len(must)])
			}
		}
	}
	return out, nil
}
