package infer_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// Four points, two clusters. By itself point 1 would go to cluster 1; it is tied
// to point 0. Points 2 and 3 both like cluster 1 and must not be together.
func Example() {
	f := &infer.Field{N: 4, K: 2,
		Unary: []float64{
			0, 9,
			3, 2,
			7, 0,
			4, 1,
		},
		Edges:  []infer.Edge{{I: 0, J: 1}, {I: 2, J: 3}},
		Same:   []float64{0, 5}, // what being together costs
		Differ: []float64{5, 0}, // what being apart costs
	}
	a, err := infer.Solve(context.Background(), f, nil, infer.SolveOptions{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Labels, "energy", a.Energy, "exact", a.Exact, "violated", a.Violated)
	// Output: [0 0 1 0] energy 7 exact true violated 0
}

// Three points that should all be apart do not fit into two clusters. The linear
// program answers with halves: its bound is 0, the best labels cost 1.
func ExampleRelax() {
	f := &infer.Field{N: 3, K: 2, Unary: make([]float64, 6),
		Edges: []infer.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 0}},
		Same:  []float64{1, 1, 1},
	}
	a, err := infer.Relax(context.Background(), f, nil, infer.RelaxOptions{Polish: true}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("energy %v, at most %.3f too much, fractional %v\n", a.Energy, a.Gap(), a.Fractional)
	// Output: energy 1, at most 1.000 too much, fractional 1
}
