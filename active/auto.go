package active

import (
	"math"
	"slices"
)

// askForInfluence is ours. While there may be more groups, the next point is the one that
// most others of the largest cluster without a known point are similar to: that is how
// groups are found. Then it is the point of the highest uncertainty (the probability that
// it is not in its likeliest group), times the fourth root of the number of points that are
// similar to it, divided by the questions that placing it is expected to take: outliers are
// uncertain too, and say nothing about others.
func askForInfluence(s *asking) {
	density := s.pool.density()
	explore := func(b *neighbourhoods) int { return b.centreOfUnknownCluster(density) }
	placeByScore(s, explore, func(a int, p []float64) float64 {
		return (1 - slices.Max(p)) * math.Pow(max(0, density[a]), 0.25) / expectedQuestions(p)
	})
}

// centreOfUnknownCluster returns the point that most others are similar to in the largest
// cluster of the pool of which no point was placed; -1 where there is none, or all groups
// are known.
func (b *neighbourhoods) centreOfUnknownCluster(density []float64) int {
	if b.pool.cluster == nil || b.k > 0 && len(b.groups) >= b.k {
		return -1
	}
	known := map[int]bool{}
	size := map[int]int{}
	for a, h := range b.pool.cluster {
		if b.isOpen(a) {
			size[h]++
		} else {
			known[h] = true
		}
	}
	largest := -1
	for _, h := range b.pool.cluster {
		if !known[h] && (largest < 0 || size[h] > size[largest]) {
			largest = h
		}
	}
	if largest < 0 {
		return -1
	}
	return highest(density, func(a int) bool { return b.isOpen(a) && b.pool.cluster[a] == largest })
}
