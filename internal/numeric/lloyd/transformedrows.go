package lloyd

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// TransformedRows are rows transformed by a metric that all clusters share: squared
// Euclidean distances between them are distances under the metric. Rows are
// transformed when they are read, so that this takes no memory.
type TransformedRows struct {
	data.Rows
	m    *metric.Learned
	root []float64 // the square roots of a diagonal metric, nil for a full one
}

// NewTransformedRows returns the rows of x transformed by m.
func NewTransformedRows(x data.Rows, m *metric.Learned) *TransformedRows {
	s := &TransformedRows{Rows: x, m: m}
	if m.Form().Shape == metric.Diagonal {
		s.root = SqrtWeights(m)
	}
	return s
}

// Row returns row i transformed, in buf.
func (s *TransformedRows) Row(i int, buf []float64) data.Vec {
	s.WriteRow(i, buf)
	return data.Vec{Val: buf}
}

// WriteRow writes row i, transformed, to dst.
func (s *TransformedRows) WriteRow(i int, dst []float64) {
	if x, ok := s.Rows.(*data.Dense); ok {
		row := x.V[i*x.Cols : (i+1)*x.Cols]
		if s.root == nil {
			s.m.Transform(0, data.Vec{Val: row}, dst)
			return
		}
		row, dst = row[:len(s.root)], dst[:len(s.root)]
		for f, r := range s.root {
			dst[f] = r * row[f]
		}
		return
	}
	v := s.Rows.Row(i, dst)
	if v.Idx == nil && &v.Val[0] == &dst[0] && s.m.Form().Shape == metric.Full {
		v.Val = slices.Clone(v.Val) // it is read while dst is written
	}
	s.m.Transform(0, v, dst)
}

// block returns rows lo to hi transformed.
func (s *TransformedRows) block(lo, hi int) []float64 {
	d := s.Dim()
	if x, ok := s.Rows.(StoredRows); ok {
		return (&TransformedRows{Rows: x.Load(lo, hi), m: s.m, root: s.root}).block(0, hi-lo)
	}
	z := make([]float64, (hi-lo)*d)
	for i := lo; i < hi; i++ {
		s.WriteRow(i, z[(i-lo)*d:(i-lo+1)*d])
	}
	return z
}

// SqrtWeights returns the square roots of the weights of a shared diagonal metric.
func SqrtWeights(m *metric.Learned) []float64 {
	w := m.Weights(0)
	for f := range w {
		w[f] = math.Sqrt(w[f])
	}
	return w
}

// IsDense reports whether rows are dense and of a type that the kernels read.
func IsDense(x data.Rows) bool {
	switch x.(type) {
	case *data.Dense, *data.Dense32, *TransformedRows, StoredRows:
		return true
	}
	return false
}
