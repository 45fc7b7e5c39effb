package data_test

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

func ExampleNewDense() {
	x, err := data.NewDense(2, []float64{0, 0, 3, 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	origin := []float64{0, 0}
	for i := range x.Len() {
		fmt.Println(data.Dist2(x.Row(i, nil), origin, 0))
	}
	// Output:
	// 0
	// 25
}

// The second of these three rows has no values at all.
func ExampleNewSparse() {
	x, err := data.NewSparse(1000, []int{0, 2, 2, 3}, []int32{7, 900, 12}, []float64{1, 2, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Len(), "rows of", x.Dim(), "features,", x.Stored(), "values")
	fmt.Println(x.Row(0, nil).Idx, x.Row(0, nil).Val)
	// Output:
	// 3 rows of 1000 features, 3 values
	// [7 900] [1 2]
}

func ExampleNewGraph() {
	g, err := data.NewGraph(3, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 0, W: 0.5}, {U: 2, V: 1, W: 4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Edges(), "edges")
	fmt.Println(g.Neighbours(1))
	// Output:
	// 2 edges
	// [0 2] [1.5 4]
}

func ExampleCheckFinite() {
	x, _ := data.NewDense(2, []float64{1, 2, 3, 4})
	zero := 0.0
	x.V[3] /= zero
	fmt.Println(data.CheckFinite(x))
	// Output:
	// row 1, column 1 is +Inf; every value must be finite
}

// Rows that a program already has, for example embeddings.
func ExampleFromRows() {
	x, err := data.FromRows([][]float64{{0, 1}, {2, 3}, {4, 5}})
	fmt.Println(x.Len(), "rows of", x.Dim(), err)
	_, err = data.FromRows([][]float64{{0, 1}, {2}})
	fmt.Println(err)
	// Output:
	// 3 rows of 2 <nil>
	// row 1 has 1 values, row 0 has 2
}
