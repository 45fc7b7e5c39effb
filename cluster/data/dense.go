package data

import (
	"errors"
	"fmt"
)

// Dense holds rows of Cols float64 numbers one after the other in V.
type Dense struct {
	Cols int
	V    []float64
}

// NewDense returns v as rows of cols numbers; v is kept, not copied.
func NewDense(cols int, v []float64) (*Dense, error) {
	if err := checkShape(cols, len(v)); err != nil {
		return nil, err
	}
	return &Dense{Cols: cols, V: v}, nil
}

// FromRows copies rows, all of the length of the first, to a table of their own.
func FromRows(rows [][]float64) (*Dense, error) {
	cols, v, err := concatenate(rows)
	if err != nil {
		return nil, err
	}
	return &Dense{Cols: cols, V: v}, nil
}

// Check returns an error for numbers that do not fill rows.
func (m *Dense) Check() error {
	if m == nil {
		return errNil
	}
	return checkShape(m.Cols, len(m.V))
}

// Len returns the number of rows; a nil table has none.
func (m *Dense) Len() int {
	if m == nil {
		return 0
	}
	return rowCount(m.Cols, len(m.V))
}

// Dim returns the number of features.
func (m *Dense) Dim() int {
	if m == nil {
		return 0
	}
	return m.Cols
}

// Row returns row i without copying it.
func (m *Dense) Row(i int, _ []float64) Vec {
	return Vec{Val: m.V[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]}
}

// Dense32 holds rows of Cols float32 numbers one after the other in V: half
// the memory of Dense. Arithmetic on its rows is done in float64.
type Dense32 struct {
	Cols int
	V    []float32
}

// NewDense32 returns v as rows of cols numbers; v is kept, not copied.
func NewDense32(cols int, v []float32) (*Dense32, error) {
	if err := checkShape(cols, len(v)); err != nil {
		return nil, err
	}
	return &Dense32{Cols: cols, V: v}, nil
}

// FromRows32 copies rows, all of the length of the first, to a table of their
// own.
func FromRows32(rows [][]float32) (*Dense32, error) {
	cols, v, err := concatenate(rows)
	if err != nil {
		return nil, err
	}
	return &Dense32{Cols: cols, V: v}, nil
}

// Check returns an error for numbers that do not fill rows.
func (m *Dense32) Check() error {
	if m == nil {
		return errNil
	}
	return checkShape(m.Cols, len(m.V))
}

// Len returns the number of rows; a nil table has none.
func (m *Dense32) Len() int {
	if m == nil {
		return 0
	}
	return rowCount(m.Cols, len(m.V))
}

// Dim returns the number of features.
func (m *Dense32) Dim() int {
	if m == nil {
		return 0
	}
	return m.Cols
}

// Row widens row i into buf.
func (m *Dense32) Row(i int, buf []float64) Vec {
	buf = buf[:m.Cols]
	for f, y := range m.V[i*m.Cols : (i+1)*m.Cols] {
		buf[f] = float64(y)
	}
	return Vec{Val: buf}
}

var errNil = errors.New("the table is nil")

func checkShape(cols, values int) error {
	if cols < 1 {
		return fmt.Errorf("%d columns, at least 1 is needed", cols)
	}
	if values%cols != 0 {
		return fmt.Errorf("%d values do not fill rows of %d", values, cols)
	}
	return nil
}

// concatenate puts rows of one length one after the other.
func concatenate[F float32 | float64](rows [][]F) (cols int, v []F, err error) {
	if len(rows) == 0 {
		return 0, nil, fmt.Errorf("there are no rows")
	}
	if cols = len(rows[0]); cols == 0 {
		return 0, nil, fmt.Errorf("row 0 is empty, at least 1 value is needed")
	}
	v = make([]F, 0, len(rows)*cols)
	for i, row := range rows {
		if len(row) != cols {
			return 0, nil, fmt.Errorf("row %d has %d values, row 0 has %d", i, len(row), cols)
		}
		v = append(v, row...)
	}
	return cols, v, nil
}

func rowCount(cols, values int) int {
	if cols < 1 {
		return 0
	}
	return values / cols
}
