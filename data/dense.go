package data

import "fmt"

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

func (m *Dense) Len() int { return length(m.Cols, len(m.V)) }
func (m *Dense) Dim() int { return m.Cols }

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

func (m *Dense32) Len() int { return length(m.Cols, len(m.V)) }
func (m *Dense32) Dim() int { return m.Cols }

// Row widens row i into buf.
func (m *Dense32) Row(i int, buf []float64) Vec {
	buf = buf[:m.Cols]
	for f, y := range m.V[i*m.Cols : (i+1)*m.Cols] {
		buf[f] = float64(y)
	}
	return Vec{Val: buf}
}

func checkShape(cols, values int) error {
	if cols < 1 {
		return fmt.Errorf("data: %d columns, at least 1 is needed", cols)
	}
	if values%cols != 0 {
		return fmt.Errorf("data: %d values do not fill rows of %d", values, cols)
	}
	return nil
}

func length(cols, values int) int {
	if cols == 0 {
		return 0
	}
	return values / cols
}
