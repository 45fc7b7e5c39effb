package data

import "fmt"

// Sparse holds the numbers that are not zero, row by row (CSR): row i is
// Idx[Start[i]:Start[i+1]] and the same part of Val, its indices ascending.
type Sparse struct {
	Cols  int
	Start []int
	Idx   []int32
	Val   []float64
}

// NewSparse checks that the slices describe rows of cols features and returns
// them as a matrix; they are kept, not copied.
func NewSparse(cols int, start []int, idx []int32, val []float64) (*Sparse, error) {
	m := &Sparse{Cols: cols, Start: start, Idx: idx, Val: val}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

// Check returns an error for slices that do not describe rows.
func (m *Sparse) Check() error {
	if m == nil {
		return errNil
	}
	cols, start, idx, val := m.Cols, m.Start, m.Idx, m.Val
	if cols < 1 {
		return fmt.Errorf("%d columns, at least 1 is needed", cols)
	}
	if len(start) == 0 || start[0] != 0 || start[len(start)-1] != len(idx) || len(idx) != len(val) {
		return fmt.Errorf("row starts, %d indices and %d values do not fit together", len(idx), len(val))
	}
	for i := range len(start) - 1 {
		if start[i] > start[i+1] || start[i+1] > len(idx) {
			return fmt.Errorf("row %d has values %d to %d of %d", i, start[i], start[i+1], len(idx))
		}
		last := int32(-1)
		for _, f := range idx[start[i]:start[i+1]] {
			if f <= last || int(f) >= cols {
				return fmt.Errorf("row %d: index %d after %d, indices must ascend and stay below %d", i, f, last, cols)
			}
			last = f
		}
	}
	return nil
}

// Len returns the number of rows; a nil table has none.
func (m *Sparse) Len() int {
	if m == nil {
		return 0
	}
	return max(len(m.Start)-1, 0)
}

// Dim returns the number of features.
func (m *Sparse) Dim() int {
	if m == nil {
		return 0
	}
	return m.Cols
}

// Row returns row i without copying it. An empty row is the sparse zero
// vector: its Idx is not nil.
func (m *Sparse) Row(i int, _ []float64) Vec {
	lo, hi := m.Start[i], m.Start[i+1]
	if lo == hi {
		return Vec{Idx: noIndex}
	}
	return Vec{Idx: m.Idx[lo:hi:hi], Val: m.Val[lo:hi:hi]}
}

var noIndex = []int32{}

// Stored returns the number of values that m holds.
func (m *Sparse) Stored() int { return len(m.Val) }
