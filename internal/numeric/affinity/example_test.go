package affinity_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// Two groups on a line, as a kernel matrix of width 1.
func ExampleKernel() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 9, 10}}
	lazy, err := affinity.Kernel{Kind: "rbf", Width: 1}.Over(context.Background(), x, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := lazy.Matrix(context.Background(), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range m.Len() {
		fmt.Printf("%.2f\n", m.Row(i))
	}
	// Output:
	// [1.00 0.61 0.00 0.00]
	// [0.61 1.00 0.00 0.00]
	// [0.00 0.00 1.00 0.61]
	// [0.00 0.00 0.61 1.00]
}

// A width that comes from the data: half the median distance.
func ExampleKernel_Fit() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 9, 10}}
	rng := rand.New(rand.NewPCG(1, 0))
	k, err := affinity.Kernel{Kind: "rbf", Relative: 0.5}.Fit(context.Background(), x, rng, 0)
	fmt.Println(k.Width, err)
	// Output: 4.25 <nil>
}

// The nearest neighbour of every row, and the graph they make.
func ExampleKNN() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 9, 10}}
	nb, err := affinity.KNN(context.Background(), x, 1, affinity.KNNOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nb.Idx, nb.Dist2, nb.Recall)
	for _, join := range []bool{false, true} {
		g, err := nb.Graph(context.Background(), affinity.Weights{Kind: "binary", Join: join})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, parts := affinity.Components(g)
		fmt.Println(g.Edges(), "edges,", parts, "components")
	}
	// Output:
	// [1 0 3 2] [1 1 1 1] 1
	// 2 edges, 2 components
	// 3 edges, 1 components
}
