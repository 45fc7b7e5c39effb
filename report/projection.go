package report

import "math"

// A Projection puts rows on a plane. A row whose place is NaN is not drawn.
type Projection struct {
	X, Y  []float64
	Name  string     // how it was made
	Share float64    // of the variance, that the plane shows; 0: unknown
	Edges [][2]int32 // some of the edges of a graph
}

// hasPlace reports whether row i has a place on the plane.
func (m *Projection) hasPlace(i int) bool { return !math.IsNaN(m.X[i]) && !math.IsNaN(m.Y[i]) }
