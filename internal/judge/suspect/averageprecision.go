package suspect

import (
	"cmp"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// AveragePrecision returns how well scores rank the items that are wrong before the
// others: the mean, over the wrong items, of the share of wrong ones among all that
// rank at least as high. Items of one score share their rank. It is 0 where nothing
// is wrong.
func AveragePrecision(scores []float64, wrong []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	sum, found, total := 0.0, 0, 0
	for lo := 0; lo < len(order); {
		hi, here := lo, 0
		for hi < len(order) && scores[order[hi]] == scores[order[lo]] {
			if wrong[order[hi]] {
				here++
			}
			hi++
		}
		found += here
		sum += float64(here) * float64(found) / float64(hi)
		total += here
		lo = hi
	}
	if total == 0 {
		return 0
	}
	return sum / float64(total)
}

// Precision returns the average precision of r for the constraints s that it judges,
// by the true class of each point. Points whose truth is below 0 have no known class, and
// constraints on them do not count.
func (r *Report) Precision(s *constraint.Set, truth []int) float64 {
	var scores []float64
	var wrong []bool
	add := func(v Verdict, isWrong bool) { scores, wrong = append(scores, v.Wrong), append(wrong, isWrong) }
	for i, l := range s.Labels {
		if truth[l.I] >= 0 {
			add(r.Labels[i], truth[l.I] != l.Class)
		}
	}
	for i, p := range s.Must {
		if truth[p.I] >= 0 && truth[p.J] >= 0 {
			add(r.Must[i], truth[p.I] != truth[p.J])
		}
	}
	for i, p := range s.Cannot {
		if truth[p.I] >= 0 && truth[p.J] >= 0 {
			add(r.Cannot[i], truth[p.I] == truth[p.J])
		}
	}
	return AveragePrecision(scores, wrong)
}
