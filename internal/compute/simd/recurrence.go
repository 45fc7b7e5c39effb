package simd

import "fmt"

// A Recurrence is a sparse matrix in float32, by rows, for steps of a recurrence on several vectors at
// once. They are held row by row, Wide or Narrow numbers each. Nothing is fused: the bits are the same at every level.
type Recurrence struct {
	start []int
	to    []int32
	w     []float32
}

// The numbers of vectors of a recurrence.
const (
	Narrow = 8
	Wide   = 16
)

// NewRecurrence keeps a square matrix: row i has w[q] in column to[q] for start[i] ≤ q < start[i+1].
func NewRecurrence(start []int, to []int32, w []float32) *Recurrence {
	n := len(start) - 1
	if start[0] != 0 || start[n] != len(to) || len(to) != len(w) {
		panic("simd: the rows of a matrix do not have all of its entries")
	}
	for i := range n {
		if start[i] > start[i+1] {
			panic(fmt.Sprintf("simd: row %d of a matrix ends before it begins", i))
		}
	}
	for _, j := range to { // the kernels do not look
		if j < 0 || int(j) >= n {
			panic(fmt.Sprintf("simd: column %d of a matrix with %d", j, n))
		}
	}
	return &Recurrence{start: start, to: to, w: w}
}

// Step sets rows lo to hi of next to f (b + M x) + (1−f) next, for p vectors.
func (m *Recurrence) Step(next, b, x []float32, p int, f float32, lo, hi int) {
	size := (len(m.start) - 1) * p
	next, b, x = next[:size], b[:size], x[:size]
	if lo >= hi {
		return
	}
	start := m.start[lo : hi+1]
	next, b = next[lo*p:hi*p], b[lo*p:hi*p]
	factors := [2]float32{f, 1 - f}
	if len(m.to) > 0 && vectorised() {
		if p == Wide {
			step16v(&next[0], &b[0], &x[0], &start[0], &m.to[0], &m.w[0], hi-lo, &factors[0])
			return
		}
		if p == Narrow {
			step8v(&next[0], &b[0], &x[0], &start[0], &m.to[0], &m.w[0], hi-lo, &factors[0])
			return
		}
	}
	for i := range hi - lo {
		for c := range p {
			s := b[i*p+c]
			for q := start[i]; q < start[i+1]; q++ {
				s += float32(m.w[q] * x[int(m.to[q])*p+c])
			}
			next[i*p+c] = float32(s*factors[0]) + float32(next[i*p+c]*factors[1])
		}
	}
}
