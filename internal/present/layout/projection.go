// Package layout puts points on a plane, so that they can be drawn: rows by their principal
// components or by their nearest neighbours, the nodes of a graph by their edges and clusters. The same points get the
// same places on any number of workers; nothing is random.
package layout

import "math"

// A Projection puts rows on a plane. A row whose place is NaN is not drawn.
type Projection struct {
	X, Y  []float64
	Name  string     // how it was made
	Share float64    // of the variance, that the plane shows; 0: unknown
	Edges [][2]int32 // some of the edges of a graph
	Names []Landmark // rows that are named
}

// A Landmark is a row with its name on the plane.
type Landmark struct {
	Row  int
	Name string
}

// HasPlace reports whether row i has a place on the plane.
func (m *Projection) HasPlace(i int) bool { return !math.IsNaN(m.X[i]) && !math.IsNaN(m.Y[i]) }

// Unit returns the places in the square from -1 to 1, with one scale for both axes and
// the middle of the picture at 0. Points without a place stay NaN.
func (m *Projection) Unit() (x, y []float32) {
	left, right := bounds(m.X)
	bottom, top := bounds(m.Y)
	half := max(right-left, top-bottom) / 2
	if !(half > 0) || math.IsInf(half, 1) {
		half = 1
	}
	in := func(v []float64, middle float64) []float32 {
		out := make([]float32, len(v))
		for i, a := range v {
			if out[i] = float32((a - middle) / half); a == middle {
				out[i] = 0
			}
			if m.HasPlace(i) {
				out[i] = max(-1, min(1, out[i]))
			} else {
				out[i] = float32(math.NaN())
			}
		}
		return out
	}
	return in(m.X, (left+right)/2), in(m.Y, (bottom+top)/2)
}

// bounds returns the least and the greatest number of x, without those that are NaN.
func bounds(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
