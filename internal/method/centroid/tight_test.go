package centroid_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// Where clusters are tight and far from the origin, the cost from sums would be
// rounding alone: audited fits see that it is measured. There are more centres
// than places, so that some lose their rows and are refilled.
func TestKeptSumsOfTightClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, spread := range []float64{0, 0.01, 0.1, 1} {
		n, d, places := 600, 12, 4
		x := &data.Sparse{Cols: d, Start: []int{0}}
		for i := range n {
			for f := range d {
				if f%places == i%places {
					x.Idx, x.Val = append(x.Idx, int32(f)), append(x.Val, 1e3*float64(1+f)+spread*r.NormFloat64())
				}
			}
			x.Start = append(x.Start, len(x.Idx))
		}
		a, s := centroid.NewKMeans(), cluster.Default()
		s.Audit, s.Restarts, s.Tol = true, 3, 0
		a.Init = "random"
		for _, rows := range []data.Rows{x, denseOf(x, false), denseOf(x, true)} {
			if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: rows, K: 7}, a, s); err != nil {
				t.Errorf("spread %g, %T: %v", spread, rows, err)
			}
		}
	}
}

// denseOf returns the rows of x as dense ones, in float32 if single.
func denseOf(x data.Rows, single bool) data.Rows {
	wide := &data.Dense{Cols: x.Dim()}
	for i := range x.Len() {
		wide.V = append(wide.V, data.Copy(x, i)...)
	}
	if !single {
		return wide
	}
	narrow := &data.Dense32{Cols: x.Dim()}
	for _, y := range wide.V {
		narrow.V = append(narrow.V, float32(y))
	}
	return narrow
}
