package simd_test

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

func ExampleCentres_Nearest64() {
	c := simd.Pack(2, 2, []float64{0, 0, 10, 10})
	x := []float64{1, 0, 9, 10, 5, 5} // the last row is as far from both
	dist := make([]float64, 3)
	var b simd.Block
	c.Nearest64(x, &b)
	c.Measure64(x, b.Label, dist)
	fmt.Println(b.Label, dist)
	// Output: [0 1 0] [1 1 50]
}
