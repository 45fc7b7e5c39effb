package active

import (
	"math"
	"slices"
)

// askForInfluence is ours. While there may be more groups, the next point is the one that
// most others of the largest cluster without a known point are similar to: that is how
// groups are found. Then it is the point of the highest uncertainty (the probability that
// it is not in its likeliest group), times a root of its influence, divided by the
// questions that placing it is expected to take. Outliers are uncertain too, but say
// nothing about others, and neither does a point beside many that were placed.
func askForInfluence(s *asking) {
	density, total := s.pool.density(), s.pool.total()
	explore := func(b *neighbourhoods) int { return b.centreOfUnknownCluster(density) }
	power := 0.5
	if s.k == 2 {
		power = powerOfTwoGroups
	}
	placeByScore(s, explore, func(b *neighbourhoods) score {
		influence := b.influence(total)
		return func(a int, p []float64) float64 {
			return (1 - slices.Max(p)) * math.Pow(max(0, influence[a]), power) / expectedQuestions(p)
		}
	})
}

// powerOfTwoGroups is the power of the influence where there are two groups: there one
// question places a point, and its uncertainty counts for more. papers/evidence/ASK.md has
// what it gains.
const powerOfTwoGroups = 0.25

// influence returns for each point the covariance of its value with the sum of the values
// of all points, given those of the placed ones, in a Gaussian process with the kernel K
// of the pool:
//
//	Σ_b K_ab − K_aP (K_PP + σ²)⁻¹ Σ_b K_Pb
//
// It is the criterion of Σ-optimality of Ma, Garnett and Schneider (2013), Σ-Optimality for
// Active Learning on Gaussian Random Fields, not divided by the deviation of the point.
// total holds the sums over all points b.
func (b *neighbourhoods) influence(total []float64) []float64 {
	placed := b.placed()
	right := make([]float64, len(placed))
	for i, c := range placed {
		right[i] = total[c]
	}
	if err := b.pool.gram.Select(placed).Solve(right); err != nil { // the kernel is singular
		return total
	}
	out := slices.Clone(total)
	for a := range out {
		for i, c := range placed {
			out[a] -= float64(b.pool.similarity(a, c) * right[i])
		}
	}
	return out
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
