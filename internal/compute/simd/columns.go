package simd

import (
	"fmt"
	"math"
)

// Columns are n rows of d float64 numbers in panels of PanelRows, feature by
// feature, so that a row is compared with the 16 of a panel at once. What it computes for
// a pair is one chain of additions in the order of the features, none of them
// fused: the bits depend neither on the level nor on the place of the rows,
// and the order of the two rows does not matter.
//
// Rows that pad the last panel are NaN, and so is all that is computed of them.
type Columns struct {
	n, d int
	v    []float64
}

// NewColumns makes room for n rows of d features, all NaN until they are set.
func NewColumns(n, d int) *Columns {
	if n < 0 || d < 1 {
		panic(fmt.Sprintf("simd: columns of %d rows and %d features", n, d))
	}
	c := &Columns{n: n, d: d, v: aligned[float64]((n + PanelRows - 1) / PanelRows * PanelRows * d)}
	for i := range c.v {
		c.v[i] = math.NaN()
	}
	return c
}

// Len returns the number of rows, Dim of features, Panels of panels.
func (c *Columns) Len() int { return c.n }

func (c *Columns) Dim() int { return c.d }

func (c *Columns) Panels() int { return (c.n + PanelRows - 1) / PanelRows }

// Set copies x to row i. Calls for different rows may run at the same time.
func (c *Columns) Set(i int, x []float64) {
	if i < 0 || i >= c.n || len(x) != c.d {
		panic(fmt.Sprintf("simd: row %d of %d with %d of %d features", i, c.n, len(x), c.d))
	}
	at := i/PanelRows*PanelRows*c.d + i%PanelRows
	for _, y := range x {
		c.v[at] = y
		at += PanelRows
	}
}

// Row copies row i to x.
func (c *Columns) Row(i int, x []float64) {
	at := i/PanelRows*PanelRows*c.d + i%PanelRows
	for f := range x[:c.d] {
		x[f] = c.v[at]
		at += PanelRows
	}
}

// Dist2 writes Σ_f (x_f − c_f)² for the rows c of panels lo to hi to dst.
func (c *Columns) Dist2(x []float64, lo, hi int, dst []float64) {
	v := c.part(x, lo, hi, dst)
	if hi > lo {
		columnsDist(level, x, v, hi-lo, dst)
	}
}

// Near is Dist2, and sets bit j of mask[p] where row j of panel lo+p is not
// further than limit.
func (c *Columns) Near(x []float64, lo, hi int, limit float64, dst []float64, mask []uint16) {
	v := c.part(x, lo, hi, dst)
	if hi > lo {
		columnsNear(level, x, v, hi-lo, limit, dst, mask[:hi-lo])
	}
}

// Dot writes Σ_f x_f·c_f for the rows c of panels lo to hi to dst.
func (c *Columns) Dot(x []float64, lo, hi int, dst []float64) {
	v := c.part(x, lo, hi, dst)
	if hi > lo {
		columnsDot(level, x, v, hi-lo, dst)
	}
}

// NearBoxes writes Σ_f max(low_f − x_f, x_f − high_f, 0)² for the boxes between
// the rows of a panel of low and those of the same panel of high to dst, and
// returns a mask with bit j set where it is at most limit. Differences, squares
// and sums are rounded in the order of Dist2, and rounding keeps order: what it
// writes is at most the Dist2 of any row in the box, as computed.
func NearBoxes(x []float64, low, high *Columns, panel int, limit float64, dst *[PanelRows]float64) (mask uint16) {
	a, b := low.part(x, panel, panel+1, dst[:]), high.part(x, panel, panel+1, dst[:])
	columnsBox(level, x, a, b, limit, dst, &mask)
	return mask
}

// part checks the lengths, as the kernels do not, and returns the panels.
func (c *Columns) part(x []float64, lo, hi int, dst []float64) []float64 {
	if len(x) != c.d || len(dst) < (hi-lo)*PanelRows {
		panic(fmt.Sprintf("simd: %d of %d features, room for %d of %d panels", len(x), c.d, len(dst)/PanelRows, hi-lo))
	}
	return c.v[lo*PanelRows*c.d : hi*PanelRows*c.d]
}
