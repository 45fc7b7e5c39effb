package simd

import "fmt"

// Measure64 writes the squared distance of row i of x to centre label[i] to
// dist[i]: Dist2, to the bit.
func (c *Centres) Measure64(x []float64, label []int32, dist []float64) { measure(c, x, label, dist) }

// Measure32 is Measure64 for rows in float32; each number is widened first.
func (c *Centres) Measure32(x []float32, label []int32, dist []float64) { measure(c, x, label, dist) }

func measure[T number](c *Centres, x []T, label []int32, dist []float64) {
	if len(x) != len(label)*c.d || len(dist) != len(label) {
		panic(fmt.Sprintf("simd: %d values and %d distances for %d rows of %d", len(x), len(dist), len(label), c.d))
	}
	for i, h := range label {
		if uint32(h) >= uint32(c.k) {
			panic(fmt.Sprintf("simd: row %d has label %d, there are %d", i, h, c.k))
		}
	}
	if len(label) > 0 {
		distRows(c.level, x, false, c.d, label, c.c, dist)
	}
}
