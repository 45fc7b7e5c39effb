package simd_test

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/simd"
)

func ExampleCentres_Assign64() {
	c := simd.Pack(2, 2, []float64{0, 0, 10, 10})
	x := []float64{1, 0, 9, 10, 5, 5} // the last row is as far from both
	dist, sum := make([]float64, 3), make([]float64, 4)
	var b simd.Block
	c.Assign64(x, nil, nil, &b, dist, sum)
	fmt.Println(b.Label, dist, sum)
	// Output: [0 1 0] [1 1 50] [6 5 9 10]
}
