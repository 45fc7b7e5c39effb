package centroid_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// Four points on a line, of which two are labelled; then a new one is placed.
func ExampleNewConstrained() {
	p := &cluster.Problem{
		X:           &data.Dense{Cols: 2, V: []float64{0, 0, 1, 0, 10, 0, 11, 0}},
		K:           2,
		Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 3, Class: 1, W: 1}}},
	}
	r, err := cluster.Fit(context.Background(), p, centroid.NewConstrained(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels, r.Objective.Sum(), r.Status)
	placed, err := cluster.Predict(context.Background(), r.Model, &data.Dense{Cols: 2, V: []float64{8, 1}}, 0)
	fmt.Println(placed, err)
	// Output:
	// [0 0 1 1] 1 converged
	// [1] <nil>
}

func ExampleKMeans() {
	x := &data.Dense{Cols: 1, V: []float64{1, 2, 3, 101, 102, 103}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	m := r.Model.(*centroid.Centres)
	fmt.Println(min(m.At(0)[0], m.At(1)[0]), max(m.At(0)[0], m.At(1)[0]))
	// Output: 2 102
}
