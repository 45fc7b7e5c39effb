package lloyd

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Normalise scales c to length 1, and reports whether it could: not where c is 0.
func Normalise(c []float64) bool {
	l := math.Sqrt(dotProduct(c, c))
	if l == 0 || math.IsInf(l, 0) {
		return false
	}
	for f := range c {
		c[f] /= l
	}
	return true
}

func length2(v data.Vec) float64 { return data.Norm2(v.Val) }

// unitTolerance is how far a squared length may be from 1 to count as 1, so that rows
// of length 1, as those of TF-IDF, stay as they are to the bit.
const unitTolerance = 1e-12

// unitRow returns v scaled to length 1, in buf unless v has that length already. Rows
// are normalised here alone, in a fit and in a prediction.
func unitRow(v data.Vec, buf []float64) data.Vec {
	l2 := length2(v)
	if isUnit(v, l2) {
		return v
	}
	l := math.Sqrt(l2)
	if math.IsInf(l, 0) || l2 < 1e-290 { // squares beyond the range: scale first
		big := largestAbs(v)
		s := 0.0
		for _, y := range v.Val {
			s += (y / big) * (y / big)
		}
		l = big * math.Sqrt(s)
	}
	buf = buf[:len(v.Val)]
	for p, y := range v.Val {
		buf[p] = y / l
	}
	return data.Vec{Idx: v.Idx, Val: buf}
}

// isUnit reports whether v, of squared length l2, has length 1 or is zero; not where
// only its squares underflow.
func isUnit(v data.Vec, l2 float64) bool {
	return math.Abs(l2-1) <= unitTolerance || l2 == 0 && largestAbs(v) == 0
}

// largestAbs returns the largest absolute value of v.
func largestAbs(v data.Vec) (big float64) {
	for _, y := range v.Val {
		big = max(big, math.Abs(y))
	}
	return big
}

// unitRows returns x with every row of length 1; x itself if they are already. Rows that
// are not in memory do it themselves.
func unitRows(x data.Rows) data.Rows {
	if r, ok := x.(interface{ UnitRows() data.Rows }); ok {
		return r.UnitRows()
	}
	if AreUnit(x) {
		return x
	}
	if s, ok := x.(*data.Sparse); ok {
		scaled := make([]float64, x.Dim())
		out := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: slices.Clone(s.Val)}
		for i := range s.Len() {
			copy(out.Val[s.Start[i]:], unitRow(s.Row(i, nil), scaled).Val)
		}
		return out
	}
	return ScaleToUnit(x)
}

// AreUnit reports whether every row of x has length 1 or is zero.
func AreUnit(x data.Rows) bool {
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		if v := x.Row(i, buf); !isUnit(v, length2(v)) {
			return false
		}
	}
	return true
}

// ScaleToUnit returns dense rows scaled to length 1.
func ScaleToUnit(x data.Rows) *data.Dense {
	buf, scaled := make([]float64, x.Dim()), make([]float64, x.Dim())
	out := &data.Dense{Cols: x.Dim(), V: make([]float64, 0, x.Len()*x.Dim())}
	for i := range x.Len() {
		out.V = append(out.V, unitRow(x.Row(i, buf), scaled).Val...)
	}
	return out
}

// dotProduct returns Σ_f x_f·y_f, in four strands.
func dotProduct(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	f := 0
	for ; f+4 <= len(x); f += 4 {
		a, b := x[f:f+4:f+4], y[f:f+4:f+4]
		s[0] += float64(a[0] * b[0])
		s[1] += float64(a[1] * b[1])
		s[2] += float64(a[2] * b[2])
		s[3] += float64(a[3] * b[3])
	}
	for ; f < len(x); f++ {
		s[0] += float64(x[f] * y[f])
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}
