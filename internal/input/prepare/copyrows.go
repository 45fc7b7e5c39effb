package prepare

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

type kind int

const (
	dense kind = iota
	dense32
	sparse
)

func kindOf(x data.Rows) kind {
	switch x.(type) {
	case *data.Dense:
		return dense
	case *data.Dense32:
		return dense32
	case *data.Sparse:
		return sparse
	}
	if x.Len() > 0 && x.Row(0, make([]float64, x.Dim())).Idx != nil {
		return sparse
	}
	return dense
}

// buffer returns storage for Row, where x needs it.
func buffer(x data.Rows) []float64 {
	switch x.(type) {
	case *data.Dense, *data.Sparse:
		return nil
	}
	return make([]float64, x.Dim())
}

// A copying says what changes while rows are copied.
type copying struct {
	keep    []int     // the rows to take; nil: all
	to      []int32   // column f goes to place to[f]; nil: stays
	fill    []float64 // by new place, instead of NaN; nil: no NaN is there
	workers int
}

func (c *copying) needed() bool { return c.keep != nil || c.to != nil || c.fill != nil }

func (c *copying) rowCount(x data.Rows) int {
	if c.keep != nil {
		return len(c.keep)
	}
	return x.Len()
}

func (c *copying) sourceRow(i int) int {
	if c.keep != nil {
		return c.keep[i]
	}
	return i
}

// newCell returns where and what the value y of column f becomes.
func (c *copying) newCell(f int, y float64) (int, float64) {
	if c.to != nil {
		f = int(c.to[f])
	}
	if c.fill != nil && math.IsNaN(y) {
		y = c.fill[f]
	}
	return f, y
}

// copyRows returns a copy of x with d columns.
func (c *copying) copyRows(x data.Rows, d int, k kind) data.Rows {
	switch k {
	case dense32:
		m := &data.Dense32{Cols: d, V: make([]float32, c.rowCount(x)*d)}
		c.eachRow(x, func(i int, v data.Vec) {
			row := m.V[i*d : (i+1)*d]
			for q, y := range v.Val {
				f, y := c.newCell(v.Feature(q), y)
				row[f] = float32(y)
			}
		})
		return m
	case sparse:
		return c.sparseRows(x, d)
	}
	m := &data.Dense{Cols: d, V: make([]float64, c.rowCount(x)*d)}
	c.eachRow(x, func(i int, v data.Vec) {
		row := m.V[i*d : (i+1)*d]
		if v.Idx == nil && c.to == nil && c.fill == nil {
			copy(row, v.Val)
			return
		}
		for q, y := range v.Val {
			f, y := c.newCell(v.Feature(q), y)
			row[f] = y
		}
	})
	return m
}

// eachRow hands each row to take to put, with its new number.
func (c *copying) eachRow(x data.Rows, put func(i int, v data.Vec)) {
	_ = eachBlock(c.rowCount(x), c.workers, func(_, lo, hi int) error {
		buf := buffer(x)
		for i := lo; i < hi; i++ {
			put(i, x.Row(c.sourceRow(i), buf))
		}
		return nil
	})
}

func (c *copying) sparseRows(x data.Rows, d int) *data.Sparse {
	n := c.rowCount(x)
	m := &data.Sparse{Cols: d, Start: make([]int, n+1)}
	c.eachRow(x, func(i int, v data.Vec) { m.Start[i+1] = len(v.Val) })
	for i := range n {
		m.Start[i+1] += m.Start[i]
	}
	m.Idx, m.Val = make([]int32, m.Start[n]), make([]float64, m.Start[n])
	c.eachRow(x, func(i int, v data.Vec) {
		lo, hi := m.Start[i], m.Start[i+1]
		for q, y := range v.Val {
			f, y := c.newCell(v.Feature(q), y)
			m.Idx[lo+q], m.Val[lo+q] = int32(f), y
		}
		if c.to != nil {
			sortRow(m.Idx[lo:hi], m.Val[lo:hi])
		}
	})
	return m
}

// sortRow sorts a sparse row by index.
func sortRow(idx []int32, val []float64) {
	type cell struct {
		f int32
		y float64
	}
	row := make([]cell, len(idx))
	for q := range row {
		row[q] = cell{idx[q], val[q]}
	}
	slices.SortFunc(row, func(a, b cell) int { return cmp.Compare(a.f, b.f) })
	for q, c := range row {
		idx[q], val[q] = c.f, c.y
	}
}
