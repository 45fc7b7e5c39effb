package layout

import (
	"math"
	"testing"
)

// However strongly a point is drawn, it does not fly off: the grid on which all repel each other spans the farthest points, and
// with one of them far away it would be too coarse for the others.
func TestNoPointFliesOff(t *testing.T) {
	s := newSettling(3, NeighbourOptions{Workers: 1})
	s.x, s.start, s.to, s.weight = []float64{0, 30, 31}, []int32{0, 1, 1, 2}, []int32{1, 0}, []float32{100, 100}
	s.fy[1] = 1e9 // pushed away
	for range 5 {
		before := [3][2]float64{{s.x[0], s.y[0]}, {s.x[1], s.y[1]}, {s.x[2], s.y[2]}}
		s.step(12, 1, 1000)
		for i, was := range before {
			if far := math.Hypot(s.x[i]-was[0], s.y[i]-was[1]); !(far <= longestStep*(1+1e-12)) {
				t.Fatalf("point %d moves by %v", i, far)
			}
		}
	}
}
