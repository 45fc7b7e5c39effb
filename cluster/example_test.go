package cluster_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

func ExampleFit() {
	x, err := data.NewDense(2, []float64{
		1, 1,
		1, 2,
		2, 1,
		8, 8,
		8, 9,
		9, 8,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("together:", r.Labels[0] == r.Labels[1], "apart:", r.Labels[0] != r.Labels[5])
	fmt.Printf("%s, objective %.3f\n", r.Status, r.Objective.Sum())

	y := &data.Dense{Cols: 2, V: []float64{0, 0, 10, 10}}
	placed, err := cluster.Predict(context.Background(), r.Model, y, 0)
	fmt.Println(placed[0] == r.Labels[0], placed[1] == r.Labels[5], err)
	// Output:
	// together: true apart: true
	// converged, objective 2.667
	// true true <nil>
}

// An observer hears of every stage, here of the only run.
func ExampleSettings_observe() {
	s := cluster.Default()
	s.Restarts = 1
	s.Observe = func(e cluster.Event) {
		if e.Objective == nil {
			fmt.Printf("%d %s\n", e.Iter, e.Stage)
			return
		}
		fmt.Printf("%d %s: %.2f\n", e.Iter, e.Stage, e.Objective.Sum())
	}
	a := centroid.NewKMeans()
	a.StartFrom(&data.Dense{Cols: 1, V: []float64{0, 10}})
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{1, 2, 9, 10}}, K: 2}
	if _, err := cluster.Fit(context.Background(), p, a, s); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 start: 6.00
	// 1 means
	// 1 assign: 1.00
}
