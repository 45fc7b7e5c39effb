package hmrf_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

// The point in the middle is nearer to the left. A must-link with the right is
// dearer to violate.
func ExampleNewPC() {
	p := &cluster.Problem{
		X:           &data.Dense{Cols: 1, V: []float64{0, 1, 2, 5, 9, 10, 11}},
		K:           2,
		Constraints: &constraint.Set{Must: []constraint.Pair{{I: 3, J: 4, W: 1}}},
	}
	for _, weight := range []float64{1, 20} {
		a := hmrf.NewPC()
		a.Weight = cluster.Fixed(weight)
		r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("weight", weight, "together:", r.Labels[3] == r.Labels[4])
	}
	// Output:
	// weight 1 together: false
	// weight 20 together: true
}

// The first feature has a large variance and no information: the metric gives it a
// small weight.
func ExampleNewMPC() {
	x := &data.Dense{Cols: 2}
	var known constraint.Set
	for i := range 40 {
		x.V = append(x.V, float64(i*37%40), float64(i%2)+0.1*float64(i%5))
		if i >= 2 && i < 12 {
			known.Must = append(known.Must, constraint.Pair{I: i, J: i - 2, W: 1})
		}
	}
	known.Cannot = []constraint.Pair{{I: 0, J: 1, W: 1}}
	a := hmrf.NewMPC()
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2, Constraints: &known}, a, cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i, h := range r.Labels {
		if h == r.Labels[i%2] {
			right++
		}
	}
	w := r.Model.(*hmrf.Model).Metric.Weights(0)
	fmt.Println(right, "of 40 right; the second feature weighs more:", w[1] > 100*w[0])
	// Output:
	// 40 of 40 right; the second feature weighs more: true
}
