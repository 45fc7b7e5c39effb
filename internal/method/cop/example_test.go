package cop_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/cop"
)

// Two groups on a line. A must-link joins one point of each.
func ExampleNew() {
	p := &cluster.Problem{
		X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8, 9, 10}},
		K: 2,
		Constraints: &constraint.Set{
			Must:   []constraint.Pair{{I: 2, J: 3, W: 1}},
			Cannot: []constraint.Pair{{I: 2, J: 5, W: 1}},
		},
	}
	r, err := cluster.Fit(context.Background(), p, cop.New(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	together := func(i, j int) bool { return r.Labels[i] == r.Labels[j] }
	fmt.Println(together(2, 3), together(2, 5), together(0, 2), together(4, 5), r.Objective.Sum())
	// Output:
	// true false true true 39.25
}

// Three points with cannot-links between any two need more than two clusters.
func ExampleInfeasibleError() {
	p := &cluster.Problem{
		X:           &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8}},
		K:           2,
		Constraints: &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 2, J: 0, W: 1}}},
	}
	_, err := cluster.Fit(context.Background(), p, cop.New(), cluster.Default())
	var no *cop.InfeasibleError
	fmt.Println(errors.As(err, &no), no.Verdict.Answer, no.Points)
	// Output:
	// true no [1 0 2]
}
