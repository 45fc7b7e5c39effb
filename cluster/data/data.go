// Package data holds the data to cluster, in memory and read-only: rows of
// numbers (dense, dense in single precision, sparse) and graphs.
//
// Work is done by whole rows or blocks of rows, never number by number: an
// algorithm gets one point from Rows as a Vec and passes the Vec to a plain
// function such as Dist2, Dot or Add. In comments n is the number of points, d
// the number of features, i a point and f a feature.
//
// A product that is added to a sum is written float64(x*y), which keeps the
// compiler from fusing the two where a machine could: the bits are then the
// same on every machine.
package data

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Rows is a read-only table of points.
type Rows interface {
	Len() int
	Dim() int
	// Row returns point i. It may use buf, of length Dim, as its storage: the
	// result is good until buf is used again, and must not be changed.
	Row(i int, buf []float64) Vec
}

// A FiniteChecker is Rows that are not in memory, and that know whether they hold a
// NaN or an infinity.
type FiniteChecker interface {
	CheckFinite() error
}

// CheckFinite returns a *NonFiniteError for the first NaN or infinity in x.
func CheckFinite(x Rows) error {
	switch x := x.(type) {
	case *Dense:
		if finite(x.V) {
			return nil
		}
	case *Dense32:
		if finite(x.V) {
			return nil
		}
	case *Sparse:
		if finite(x.Val) {
			return nil
		}
	}
	if c, ok := x.(FiniteChecker); ok {
		return c.CheckFinite()
	}
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		if err := x.Row(i, buf).CheckFinite(i); err != nil {
			return err
		}
	}
	return nil
}

// finite reports whether all of y are numbers.
func finite[T float32 | float64](y []T) bool {
	const blockLen = 1 << 16
	var bad atomic.Bool
	_ = blocks.Tasks(context.Background(), 0, (len(y)+blockLen-1)/blockLen, func(t int) {
		if !simd.Finite(y[t*blockLen : min((t+1)*blockLen, len(y))]) {
			bad.Store(true)
		}
	})
	return !bad.Load()
}

// Copy returns row i of x as a new dense slice.
func Copy(x Rows, i int) []float64 {
	r := make([]float64, x.Dim())
	x.Row(i, make([]float64, x.Dim())).Write(r)
	return r
}

// Finite reports whether y is a number that is neither NaN nor infinite.
func Finite(y float64) bool { return !math.IsNaN(y) && !math.IsInf(y, 0) }
