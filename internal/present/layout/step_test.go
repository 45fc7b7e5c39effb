package layout

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// However strongly a point is drawn, it does not fly off: the grid on which all repel each other spans the farthest points, and
// with one of them far away it would be too coarse for the others.
func TestNoPointFliesOff(t *testing.T) {
	s := newSettling(3, NeighbourOptions{Workers: 1})
	s.x, s.springs = []float64{0, 30, 31}, simd.NewSprings([]int32{0, 4, 4, 8}, []int32{1, 0, 0, 0, 0, 2, 2, 2}, []float32{100, 0, 0, 0, 100, 0, 0, 0})
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

// Two points draw each other by the mean of q and √q, q = 1/(1+d²), times their difference.
func TestReachOfAttraction(t *testing.T) {
	for _, reach := range []float64{0, 0.25} {
		s := newSettling(2, NeighbourOptions{Workers: 1})
		s.x, s.reach = []float64{0, math.Sqrt(3)}, reach
		s.attract([]int32{1, 0}, []float64{1}) // p is 1/2
		s.step(1, 1, 1e-3)
		// √3 apart q is 1/4 and √q 1/2; the gain has fallen to 0.8.
		if want := 1e-3 * 0.8 * 4 * 0.5 * math.Sqrt(3) * (0.25 + reach*0.5) / (1 + reach); math.Abs(s.x[0]-want) > 1e-12 {
			t.Errorf("with a reach of %v it moves by %v, not %v", reach, s.x[0], want)
		}
	}
}

// Points that are sorted keep their rows, neighbours and places in the picture.
func TestSortedPointsKeepTheirRows(t *testing.T) {
	x := [][]float64{{0, 50}, {40, 0}, {1, 51}, {0, 1}, {41, 1}, {2, 53}}
	flat := make([]float64, 0, 2*len(x))
	s := newSettling(len(x), NeighbourOptions{Workers: 1})
	for i, v := range x {
		flat = append(flat, v...)
		s.x[i], s.y[i] = v[0], v[1]
	}
	s.sortByPlace()
	rows, err := data.NewDense(2, flat)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := affinity.KNN(context.Background(), rows, 1, affinity.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	nearest, p := s.nearestOf(nb, 1), s.picture()
	moved := false
	for at, i := range s.row {
		moved = moved || at != int(i)
		if want, _ := nb.NeighboursOf(int(i)); s.row[nearest[at]] != want[0] {
			t.Errorf("row %d has the neighbour %d, not %d", i, s.row[nearest[at]], want[0])
		}
		if p.X[i] != x[i][0] || p.Y[i] != x[i][1] {
			t.Errorf("row %d lies at %v, %v, not %v", i, p.X[i], p.Y[i], x[i])
		}
	}
	if !moved {
		t.Error("nothing was sorted")
	}
}

// The sample of many rows is spread over the table, and over those of rows that come in turn.
func TestSampleOfManyRows(t *testing.T) {
	const n, turn = 200_000, 20
	of, before := make([]int, turn), -1
	for i, row := range sampleOf(n) {
		if part := n / sampleRows; row <= before || row < i*part || row >= (i+1)*part {
			t.Fatalf("row %d is number %d, after %d", row, i, before)
		}
		before = row
		of[row%turn]++
	}
	if least := slices.Min(of); least < sampleRows/turn*9/10 {
		t.Errorf("one in %d rows is there %d times", turn, least)
	}
}
