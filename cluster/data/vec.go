package data

import "fmt"

// A Vec is one point. It is dense when Idx is nil; otherwise Val[p] is the value
// of feature Idx[p], indices ascend, and every other feature is zero.
type Vec struct {
	Idx []int32
	Val []float64
}

// Feature returns the feature of Val[p].
func (v Vec) Feature(p int) int {
	if v.Idx != nil {
		return int(v.Idx[p])
	}
	return p
}

// Write writes v to dst, zeros included.
func (v Vec) Write(dst []float64) {
	if v.Idx == nil {
		copy(dst, v.Val)
		return
	}
	clear(dst)
	for p, f := range v.Idx {
		dst[f] = v.Val[p]
	}
}

// Full returns v, zeros included: Val if it is dense, else buf with v in it.
func (v Vec) Full(buf []float64) []float64 {
	if v.Idx == nil {
		return v.Val
	}
	v.Write(buf)
	return buf
}

// CheckFinite returns a *NonFiniteError for the first NaN or infinity in v, which is
// row i.
func (v Vec) CheckFinite(i int) error {
	for p, y := range v.Val {
		if y-y != 0 { // NaN and ±Inf only
			return &NonFiniteError{Row: i, Col: v.Feature(p), Value: y}
		}
	}
	return nil
}

// NonFiniteError is the error for a NaN or an infinity among the numbers.
type NonFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("row %d, column %d is %v; every value must be finite", e.Row, e.Col, e.Value)
}
