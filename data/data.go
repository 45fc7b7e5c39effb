// Package data holds what is clustered, in memory and read-only: rows of
// numbers (dense, dense in single precision, sparse) and graphs.
//
// Work is done by whole rows or blocks of rows, never number by number: an
// algorithm asks Rows for one point as a Vec and hands the Vec to a plain
// function such as Dist2, Dot or Add. In comments n is the number of points, d
// the number of features, i a point and f a feature.
//
// A product that is added to a sum is written float64(x*y), which keeps the
// compiler from fusing the two where a machine could: the bits are then the
// same on every machine.
package data

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// Rows is a read-only table of points.
type Rows interface {
	Len() int
	Dim() int
	// Row returns point i. It may use buf, of length Dim, as its storage: the
	// result is good until buf is used again, and must not be changed.
	Row(i int, buf []float64) Vec
}

// NonFiniteError is the error for a NaN or an infinity among the numbers.
type NonFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("row %d, column %d is %v; every value must be finite", e.Row, e.Col, e.Value)
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
	const some = 1 << 16
	var bad atomic.Bool
	_ = blocks.Tasks(context.Background(), 0, (len(y)+some-1)/some, func(t int) {
		var a, b, c, d T
		part := y[t*some : min((t+1)*some, len(y))]
		for ; len(part) >= 4; part = part[4:] {
			a += part[0] - part[0] // 0, or not a number for good
			b += part[1] - part[1]
			c += part[2] - part[2]
			d += part[3] - part[3]
		}
		for _, z := range part {
			a += z - z
		}
		if (a+b)+(c+d) != 0 {
			bad.Store(true)
		}
	})
	return !bad.Load()
}

// Dist2 returns Σ_f (v_f − c_f)². c2 is Σ_f c_f², which only a sparse v needs:
// its cost is then the number of values v holds, not the length of c, unless v is
// all but on the spot of c.
func Dist2(v Vec, c []float64, c2 float64) float64 {
	if v.Idx == nil {
		return simd.Dist2(v.Val, c[:len(v.Val)])
	}
	v2 := Norm2(v.Val)
	if d2 := SparseDist2(Dot(v, c), v2, c2); !Cancels(d2, v2, c2) {
		return d2
	}
	return sparseGap(v, c)
}

// SparseDist2 returns the squared distance of two points from their product
// and their squared lengths, as Dist2 does for a sparse row where that is good
// enough: a kernel that makes products in the order of Dot gives the same bits.
// Where it Cancels, the points have to be compared feature by feature.
func SparseDist2(dot, v2, c2 float64) float64 { return max(0, (c2+v2)-2*dot) }

// Cancels reports whether d2, which SparseDist2 made of two points of squared
// lengths v2 and c2, has lost so many of its sixteen digits to them that it should
// not be used: six or more. Points are then far from the origin and near each
// other, or equal.
func Cancels(d2, v2, c2 float64) bool { return d2 < 1e-6*(v2+c2) }

// sparseGap adds up the squared differences of a sparse v and c, feature by feature.
func sparseGap(v Vec, c []float64) (s float64) {
	next := int32(0)
	for p, f := range v.Idx {
		e := v.Val[p] - c[f]
		s += Norm2(c[next:f]) + float64(e*e)
		next = f + 1
	}
	return s + Norm2(c[next:])
}

// Dot returns Σ_f v_f·c_f.
func Dot(v Vec, c []float64) (s float64) {
	if v.Idx == nil {
		for f, y := range v.Val {
			s += float64(y * c[f])
		}
		return s
	}
	for p, f := range v.Idx {
		s += float64(v.Val[p] * c[f])
	}
	return s
}

// Norm2 returns Σ_f c_f², added up in four strands.
func Norm2(c []float64) float64 {
	var s0, s1, s2, s3 float64
	f := 0
	for ; f+4 <= len(c); f += 4 {
		s0 += float64(c[f] * c[f])
		s1 += float64(c[f+1] * c[f+1])
		s2 += float64(c[f+2] * c[f+2])
		s3 += float64(c[f+3] * c[f+3])
	}
	for ; f < len(c); f++ {
		s0 += float64(c[f] * c[f])
	}
	return (s0 + s1) + (s2 + s3)
}

// Add adds w·v to dst.
func Add(dst []float64, v Vec, w float64) {
	if v.Idx == nil {
		dst = dst[:len(v.Val)]
		for f, y := range v.Val {
			dst[f] += float64(w * y)
		}
		return
	}
	for p, f := range v.Idx {
		dst[f] += float64(w * v.Val[p])
	}
}

// Copy returns row i of x as a new dense slice.
func Copy(x Rows, i int) []float64 {
	r := make([]float64, x.Dim())
	x.Row(i, make([]float64, x.Dim())).Write(r)
	return r
}

// Finite reports whether y is a number that is neither NaN nor infinite.
func Finite(y float64) bool { return !math.IsNaN(y) && !math.IsInf(y, 0) }
