package simd

import (
	"fmt"
	"math"
)

// Assign64 does what an iteration of k-means asks of a block of rows, in one
// pass over them: Nearest64, then Settle64 with the labels found. Where fixed,
// if not nil, holds a label of 0 or more, that row keeps it, and nothing is said of
// its Least, Most and Second.
func (c *Centres) Assign64(x []float64, fixed []int32, w []float64, b *Block, dist, sum []float64) {
	assign(c, x, fixed, w, b, dist, sum)
}

// Assign32 is Assign64 for rows in float32.
func (c *Centres) Assign32(x []float32, fixed []int32, w []float64, b *Block, dist, sum []float64) {
	assign(c, x, fixed, w, b, dist, sum)
}

// Settle64 writes the squared distance of row i of x to centre label[i] to
// dist[i], and adds w[i] times the row to row label[i] of sum, which has the
// shape of the centres. A nil w stands for ones; with a nil sum nothing is
// added.
func (c *Centres) Settle64(x []float64, label []int32, w, dist, sum []float64) {
	settle(c, x, label, w, dist, sum)
}

// Settle32 is Settle64 for rows in float32; each number is widened first.
func (c *Centres) Settle32(x []float32, label []int32, w, dist, sum []float64) {
	settle(c, x, label, w, dist, sum)
}

// AddRows64 adds w[i] times row i of x, of d numbers, to row label[i] of sum.
// A nil w stands for ones.
func AddRows64(sum []float64, d int, x []float64, label []int32, w []float64) {
	addRows(sum, d, x, label, w)
}

// AddRows32 is AddRows64 for rows in float32; each number is widened first.
func AddRows32(sum []float64, d int, x []float32, label []int32, w []float64) {
	addRows(sum, d, x, label, w)
}

// ones are the weights of rows without any.
var ones = func() (w [256]float64) {
	for i := range w {
		w[i] = 1
	}
	return w
}()

func assign[T number](c *Centres, x []T, fixed []int32, w []float64, b *Block, dist, sum []float64) {
	n := len(x) / c.d
	if n*c.d != len(x) || fixed != nil && len(fixed) != n || w != nil && len(w) != n {
		panic(fmt.Sprintf("simd: %d values in rows of %d, %d fixed labels, %d weights", len(x), c.d, len(fixed), len(w)))
	}
	b.start(n)
	const values = 1 << 17 // of rows that are still in cache when settled
	rows := max(1, values/c.d)
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		find(c, x, lo, hi, b)
		if fixed != nil {
			b.fix(fixed, lo, hi)
		}
		part := w
		if w != nil {
			part = w[lo:hi]
		}
		if groups(c, part, sum) {
			settleGroups(c, x[lo*c.d:hi*c.d], b.Label[lo:hi], dist[lo:hi], sum, b)
		} else {
			settle(c, x[lo*c.d:hi*c.d], b.Label[lo:hi], part, dist[lo:hi], sum)
		}
	}
}

func (b *Block) fix(fixed []int32, lo, hi int) {
	for i := lo; i < hi; i++ {
		if fixed[i] < 0 {
			continue
		}
		b.Label[i] = fixed[i]
		if b.Bounds {
			b.Least[i], b.Most[i], b.Second[i] = 0, math.Inf(1), 0
		}
	}
}

func settle[T number](c *Centres, x []T, label []int32, w, dist, sum []float64) {
	check(len(x), c.d, len(sum), c.k*c.d, label, w)
	dist = dist[:len(label)]
	for lo := 0; lo < len(label); lo += len(ones) {
		hi := min(lo+len(ones), len(label))
		rows := x[lo*c.d : hi*c.d]
		if sum == nil {
			distRows(c.level, rows, false, c.d, label[lo:hi], c.c, dist[lo:hi])
		} else {
			settleRows(c.level, rows, c.d, label[lo:hi], c.c, dist[lo:hi], weights(w, lo, hi), sum)
		}
	}
}

func addRows[T number](sum []float64, d int, x []T, label []int32, w []float64) {
	check(len(x), d, len(sum), len(sum), label, w)
	for lo := 0; lo < len(label); lo += len(ones) {
		hi := min(lo+len(ones), len(label))
		sumRows(level, x[lo*d:hi*d], d, label[lo:hi], weights(w, lo, hi), sum)
	}
}

func weights(w []float64, lo, hi int) []float64 {
	if w == nil {
		return ones[:hi-lo]
	}
	return w[lo:hi]
}

// check panics where a kernel would touch memory that is not its own: shape is
// the length that sum must have unless it is nil.
func check(values, d, sum, shape int, label []int32, w []float64) {
	switch {
	case d < 1 || values != len(label)*d:
		panic(fmt.Sprintf("simd: %d values for %d rows of %d", values, len(label), d))
	case w != nil && len(w) != len(label):
		panic(fmt.Sprintf("simd: %d weights for %d rows", len(w), len(label)))
	case sum != 0 && sum != shape || shape%d != 0:
		panic(fmt.Sprintf("simd: sums of length %d, want %d in rows of %d", sum, shape, d))
	}
	k := uint32(shape / d)
	for i, h := range label {
		if uint32(h) >= k {
			panic(fmt.Sprintf("simd: row %d has label %d, there are %d", i, h, k))
		}
	}
}
