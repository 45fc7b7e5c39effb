package centroid_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/cop"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// farBlobs are n rows of k tight groups around one point that is far from the
// origin, dense and sparse: in 6 of 12 features they hold numbers near far, in the
// others small ones or nothing.
func farBlobs(n, k int, far float64) (*data.Dense, *data.Sparse) {
	const d = 12
	r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	wide := &data.Dense{Cols: d, V: make([]float64, n*d)}
	thin := &data.Sparse{Cols: d, Start: []int{0}}
	for i := range n {
		h := i % k
		for f := range d {
			y := 0.0
			switch {
			case f%2 == 0:
				y = math.Round(far + 40*math.Cos(float64(7*h*(f+1))) + 3*r.NormFloat64())
			case r.IntN(3) == 0:
				y = r.NormFloat64()
			}
			if y != 0 {
				wide.V[i*d+f] = y
				thin.Idx, thin.Val = append(thin.Idx, int32(f)), append(thin.Val, y)
			}
		}
		thin.Start = append(thin.Start, len(thin.Val))
	}
	return wide, thin
}

// Rows far from the origin are as far from each other as they are: a sparse row
// has the labels, the objective and the predictions of the dense one, although its
// squared length is sixteen digits longer than what tells clusters apart.
func TestSparseRowsFarFromTheOrigin(t *testing.T) {
	for _, far := range []float64{0, 1e4, 1e6, 1e9} {
		for _, k := range []int{2, 5, 12} {
			wide, thin := farBlobs(240, k, far)
			known := &constraint.Set{}
			for i := 0; i+k < 60; i += 5 {
				known.Must = append(known.Must, constraint.Pair{I: i, J: i + k, W: 1})
				known.Cannot = append(known.Cannot, constraint.Pair{I: i, J: i + 1, W: 1})
			}
			for _, a := range []cluster.Algorithm{centroid.NewKMeans(), cop.New(), &cop.COP{Assignment: cop.AssignmentGreedy}, hmrf.NewPC()} {
				t.Run(fmt.Sprintf("%T/far=%g/k=%d", a, far, k), func(t *testing.T) {
					p := &cluster.Problem{X: wide, K: k}
					if _, plain := a.(*centroid.KMeans); !plain {
						p.Constraints = known
					}
					want := fit(t, p, a, nil)
					p.X = thin
					got := fit(t, p, a, nil)
					if !slices.Equal(got.Labels, want.Labels) {
						t.Error("sparse rows have other labels than dense ones")
					}
					if a, b := got.Objective.Sum(), want.Objective.Sum(); math.Abs(a-b) > 1e-6*b {
						t.Errorf("sparse rows cost %v, dense ones %v", a, b)
					}
					placed := make([]int, thin.Len())
					got.Model.Place(thin, 0, thin.Len(), placed)
					again := make([]int, thin.Len())
					got.Model.Place(wide, 0, thin.Len(), again)
					if !slices.Equal(placed, again) {
						t.Error("the model places sparse rows elsewhere than dense ones")
					}
				})
			}
		}
	}
}

// Learned metrics stand the distance from the origin as well: no stage raises the
// objective, and none claims another than labels and model have.
func TestMetricsFarFromTheOrigin(t *testing.T) {
	for _, far := range []float64{1e6, 1e9} {
		wide, thin := farBlobs(240, 5, far)
		known := &constraint.Set{}
		for i := 0; i+5 < 60; i += 5 {
			known.Must = append(known.Must, constraint.Pair{I: i, J: i + 5, W: 1})
			known.Cannot = append(known.Cannot, constraint.Pair{I: i, J: i + 1, W: 1})
		}
		for _, form := range []metric.FormName{"diagonal", "per-cluster-diagonal", "full", "per-cluster-full"} {
			a, s := hmrf.NewMPC(), cluster.Default()
			a.Metric, s.Audit, s.Restarts = form, true, 3
			for _, x := range []data.Rows{wide, thin} {
				if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 5, Constraints: known}, a, s); err != nil {
					t.Errorf("%s, %T near %g: %v", form, x, far, err)
				}
			}
		}
	}
}
