package report

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// values are the rows in the units of the table: before they were scaled, in the order of
// the points that were clustered.
type values struct {
	x    data.Rows
	rows []int     // of x, by point; nil: all
	fill []float64 // in place of missing cells; nil: there are none
}

// newValues returns the values of the points. Missing cells count as the mean of
// their column.
func (c *Clustering) newValues() *values {
	if c.Values == nil || c.Values.Dim() != c.Problem.X.Dim() {
		return &values{x: c.Problem.X}
	}
	v := &values{x: c.Values, rows: c.Rows}
	sum, n, missing := make([]float64, v.Dim()), make([]int, v.Dim()), false
	buf := make([]float64, v.Dim())
	for i := range v.Len() {
		row := v.Row(i, buf)
		for p, x := range row.Val {
			if f := row.Feature(p); math.IsNaN(x) {
				missing = true
			} else {
				sum[f] += x
				n[f]++
			}
		}
	}
	if missing {
		for f := range sum {
			sum[f] /= math.Max(1, float64(n[f]))
		}
		v.fill = sum
	}
	return v
}

func (v *values) Len() int {
	if v.rows != nil {
		return len(v.rows)
	}
	return v.x.Len()
}

func (v *values) Dim() int { return v.x.Dim() }

func (v *values) Row(i int, buf []float64) data.Vec {
	row := v.raw(i, buf)
	if v.fill == nil {
		return row
	}
	full := make([]float64, len(row.Val))
	for p, x := range row.Val {
		if full[p] = x; math.IsNaN(x) {
			full[p] = v.fill[row.Feature(p)]
		}
	}
	return data.Vec{Idx: row.Idx, Val: full}
}

// raw returns the row of point i as it was given.
func (v *values) raw(i int, buf []float64) data.Vec {
	if v.rows != nil {
		i = v.rows[i]
	}
	return v.x.Row(i, buf)
}

// cells returns point i in some columns, "" where a cell is missing.
func (v *values) cells(i int, columns []int, buf []float64) (out []string) {
	row := v.raw(i, buf)
	for _, f := range columns {
		text := ""
		if x := entry(row, f); !math.IsNaN(x) {
			text = quantity(x)
		}
		out = append(out, text)
	}
	return out
}
