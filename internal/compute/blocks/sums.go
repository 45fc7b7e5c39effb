package blocks

import "context"

// Rows calls do on every block of 0 ≤ i < n from several goroutines. The blocks
// must be independent of each other.
func Rows(workers, n int, do func(lo, hi int)) {
	_ = Tasks(context.Background(), workers, (n+Len-1)/Len, func(t int) {
		do(t*Len, min(n, (t+1)*Len))
	})
}

// Sums adds to out what the blocks of 0 ≤ i < n sum up: do adds to sums, as long
// as out and zero at first, what a block contributes. Blocks are added in order,
// so that the bits do not depend on the number of workers.
func Sums(workers, n int, do func(lo, hi int, sums []float64), out []float64) {
	_ = Each(context.Background(), workers, n, func(lo, hi int) []float64 {
		sums := make([]float64, len(out))
		do(lo, hi, sums)
		return sums
	}, func(_, _ int, sums []float64) {
		for i, y := range sums {
			out[i] += y
		}
	})
}
