package centroid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// A run with ShiftTol ends at the first iteration in which Σ_h ‖μ_h' − μ_h‖² is at most that share
// of the mean variance of the columns, computed here from the centres of runs that are cut off
// after one iteration more each.
func TestShiftEndsARun(t *testing.T) {
	x, _, err := example.Blobs(600, 5, 3, 1.5, 1, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	variance := 0.0
	for f := range x.Cols {
		sum, squares := 0.0, 0.0
		for i := range x.Len() {
			sum += x.V[i*x.Cols+f]
		}
		mean := sum / float64(x.Len())
		for i := range x.Len() {
			squares += (x.V[i*x.Cols+f] - mean) * (x.V[i*x.Cols+f] - mean)
		}
		variance += squares / float64(x.Len()) / float64(x.Cols)
	}
	first := &data.Dense{V: append([]float64(nil), x.V[:5*x.Cols]...), Cols: x.Cols}
	fit := func(iterations int, tol float64) *cluster.Result {
		a, s := centroid.NewKMeans(), cluster.Default()
		a.Centres, a.ShiftTol = first, tol
		s.Restarts, s.MaxIter, s.Tol, s.Audit = 1, iterations, 0, true
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 5}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	strict := fit(300, 0)
	centres := func(r *cluster.Result) []float64 { return r.Model.(*lloyd.Centres).C }
	var shifts []float64
	for n := 1; n <= strict.Iterations; n++ {
		was, now, sum := first.V, centres(fit(n, 0)), 0.0
		if n > 1 {
			was = centres(fit(n-1, 0))
		}
		for q := range now {
			sum += (now[q] - was[q]) * (now[q] - was[q])
		}
		shifts = append(shifts, sum/variance)
	}
	shifts = append(shifts, 0) // once more, where no row has moved
	if len(shifts) < 8 {
		t.Fatalf("only %d iterations: %v", len(shifts), shifts)
	}
	for _, tol := range []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-12} {
		want := 0
		for shifts[want] > tol {
			want++
		}
		got := fit(300, tol)
		if got.Iterations != want+1 || got.Status != cluster.Converged {
			t.Errorf("tolerance %v: %d iterations, %s; want %d: %v", tol, got.Iterations, got.Status, want+1, shifts)
		}
		for q, c := range centres(got) {
			if math.Float64bits(c) != math.Float64bits(centres(fit(want+1, 0))[q]) {
				t.Fatalf("tolerance %v: other centres", tol)
			}
		}
	}
}
