package report

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

// hasPlace reports whether row i has a place on the plane.
func (m *Projection) hasPlace(i int) bool { return !math.IsNaN(m.X[i]) && !math.IsNaN(m.Y[i]) }
