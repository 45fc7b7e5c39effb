package simd

import "fmt"

// TwoSum adds y to a sum that is held in two numbers, what it rounds to and the
// rest, and returns both. What rounding takes from sum + y goes to the rest
// (Knuth's sum of two numbers), and then as much of the rest as the sum can hold
// comes back. So what is added and taken away again leaves the sum as it was,
// unless numbers differ so much that two of them cannot hold it.
func TwoSum(sum, rest, y float64) (float64, float64) {
	b := sum + y
	part := b - sum
	left := (sum - (b - part)) + (y - part) + rest
	sum = b + left
	return sum, left - (sum - b)
}

// AddCompensated64 adds features lo to hi of rows of x, of d numbers each, to sums of
// two numbers: w[j] times row row[j] to row label[j] of sum and rest.
func AddCompensated64(sum, rest []float64, d, lo, hi int, x []float64, row, label []int32, w []float64) {
	addCompensated(sum, rest, d, lo, hi, x, row, label, w)
}

// AddCompensated32 is AddCompensated64 for rows in float32; each number is widened first.
func AddCompensated32(sum, rest []float64, d, lo, hi int, x []float32, row, label []int32, w []float64) {
	addCompensated(sum, rest, d, lo, hi, x, row, label, w)
}

// rowsReadAhead is how many row numbers a kernel reads beyond the last.
const rowsReadAhead = 32

func addCompensated[T number](sum, rest []float64, d, lo, hi int, x []T, row, label []int32, w []float64) {
	if d < 1 || lo < 0 || hi > d || len(sum)%d != 0 || len(sum) != len(rest) || len(row) != len(label) || len(row) != len(w) {
		panic(fmt.Sprintf("simd: features %d to %d of %d, sums of length %d and %d, %d rows, %d labels, %d weights",
			lo, hi, d, len(sum), len(rest), len(row), len(label), len(w)))
	}
	n, k := uint32(len(x)/d), uint32(len(sum)/d)
	for j, i := range row {
		if uint32(i) >= n || uint32(label[j]) >= k {
			panic(fmt.Sprintf("simd: row %d of %d with label %d of %d", i, n, label[j], k))
		}
	}
	if level != Plain {
		var some [256 + rowsReadAhead]int32
		for from := 0; from < len(row) && lo+8 <= hi; from += 256 {
			to := min(from+256, len(row))
			for j := copy(some[:], row[from:]); j < len(some); j++ {
				some[j] = row[to-1]
			}
			for f := lo; f+8 <= hi; f += 8 {
				compensatedRows(level, x, d, f, some[:], label[from:to], w[from:to], sum, rest)
			}
		}
		lo += (hi - lo) / 8 * 8
	}
	for j, i := range row {
		at := int(label[j]) * d
		for f := lo; f < hi; f++ {
			sum[at+f], rest[at+f] = TwoSum(sum[at+f], rest[at+f], float64(w[j]*float64(x[int(i)*d+f])))
		}
	}
}
