package density

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// plainJoin compares a point with all rows, by the definition: the core distance, then the least mutual reachability, the nearer row and the
// first among equals.
func plainJoin(m *Model, point []float64) (row int, reach float64) {
	x := m.Rows.Dense
	dist := make([]float64, x.Len())
	for j := range dist {
		dist[j] = math.Sqrt(orderedDist2(x.V[j*x.Cols:(j+1)*x.Cols], point))
	}
	sorted := slices.Sorted(slices.Values(dist))
	core := sorted[min(m.MinPoints, len(sorted)-1)]
	reach = math.Inf(1)
	for j, d := range dist {
		if y := max(d, core, m.Core[j]); y < reach || y == reach && d < dist[row] {
			row, reach = j, y
		}
	}
	return row, reach
}

// Points join the same rows by a k-d tree, by comparing many at a time with all rows, and one by one.
func TestPlacesAreThoseOfAllRows(t *testing.T) {
	for _, size := range []struct{ n, d int }{{30, 2}, {1500, 2}, {1500, 5}, {1200, 70}} {
		rng := rand.New(rand.NewPCG(uint64(size.n), uint64(size.d)))
		x := &data.Dense{Cols: size.d, V: make([]float64, size.n*size.d)}
		for i := range x.V {
			x.V[i] = math.Round(8*rng.NormFloat64())/8 + float64(4*(i/size.d%3)) // with ties
		}
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x}, New(), cluster.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Model.(*Model)
		points := &data.Dense{Cols: size.d, V: make([]float64, 200*size.d)}
		for i := range points.V {
			points.V[i] = math.Round(40*rng.NormFloat64())/8 + 4
		}
		copy(points.V[:3*size.d], x.V[5*size.d:8*size.d]) // rows of the fit
		single := make([]int, 50)
		for i := range single {
			m.Place(points, i, i+1, single[i:i+1])
		}
		if m.search.index != nil {
			t.Error("an index was built for a few points")
		}
		all := make([]int, 200)
		m.Place(points, 0, 200, all)
		if m.search.index == nil {
			t.Error("there is no index for many points")
		}
		if !slices.Equal(single, all[:50]) {
			t.Errorf("%d × %d: the index places points elsewhere", size.n, size.d)
		}
		if !slices.Equal(all[:3], r.Labels[5:8]) {
			t.Errorf("%d × %d: rows of the fit are in %v, now in %v", size.n, size.d, r.Labels[5:8], all[:3])
		}
		for i := range 200 {
			point := points.V[i*size.d : (i+1)*size.d]
			got := m.place(point)[0]
			if row, reach := plainJoin(m, point); int(got.row) != row || got.reach != reach {
				t.Fatalf("%d × %d: point %d joins row %d at %v, want row %d at %v", size.n, size.d, i, got.row, got.reach, row, reach)
			}
		}
	}
}
