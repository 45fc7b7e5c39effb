package infer

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// integralFrom is the least value of a variable's largest entry that counts as
// integral: the solution of the program is only known up to its gap.
const integralFrom = 0.999

// countFractional counts the variables without an integral label.
func (s *primalDual) countFractional() (count int) {
	for i := range int32(s.n) {
		y := labelRow(s.bestPoint, i, s.k)
		if y[largestEntry(y)] < integralFrom {
			count++
		}
	}
	return count
}

// largestEntry returns the label of the largest entry, the lowest on ties.
func largestEntry(y []float64) int32 {
	best := 0
	for a, v := range y {
		if v > y[best] {
			best = a
		}
	}
	return int32(best)
}

// roundedLabels returns the labels of least energy among the largest entries of the
// solution and some random roundings, the first of them on ties. Each rounding
// draws from a stream of its own.
func (s *primalDual) roundedLabels(ctx context.Context, rounds int, seed uint64, workers int) []int32 {
	best := make([]int32, s.n)
	for i := range best {
		best[i] = largestEntry(labelRow(s.bestPoint, int32(i), s.k))
	}
	least := s.energyOf(best)
	tries := make([][]int32, max(0, rounds))
	energy := make([]float64, len(tries))
	// Roundings that were not reached when ctx ended are nil, and skipped.
	_ = blocks.Tasks(ctx, workers, len(tries), func(t int) {
		y := s.randomRounding(rand.New(rand.NewPCG(seed, uint64(s.component)<<20|uint64(t))))
		energy[t] = s.energyOf(y)
		tries[t] = y
	})
	for t, y := range tries {
		if y != nil && energy[t] < least {
			best, least = y, energy[t]
		}
	}
	return best
}

// randomRounding rounds the solution at random after Kleinberg and Tardos: a
// label and a threshold are drawn, every variable still without a label whose
// entry for it reaches the threshold takes it, and so on until all have one. Two
// variables are separated with a probability of at most twice the distance of
// their rows.
func (s *primalDual) randomRounding(r *rand.Rand) []int32 {
	y, left := make([]int32, s.n), make([]int32, s.n)
	for i := range left {
		left[i] = int32(i)
	}
	// A variable takes a label with probability 1/k per draw.
	for most := 8 * s.k * (4 + int(math.Log2(float64(s.n)))); len(left) > 0 && most > 0; most-- {
		a, threshold := r.IntN(s.k), 1-r.Float64() // above 0
		kept := left[:0]
		for _, i := range left {
			if s.bestPoint[int(i)*s.k+a] >= threshold {
				y[i] = int32(a)
			} else {
				kept = append(kept, i)
			}
		}
		left = kept
	}
	for _, i := range left {
		y[i] = largestEntry(labelRow(s.bestPoint, i, s.k))
	}
	return y
}
