// Package steps spreads values that were recorded in steps, as whole numbers, scores and yes or no are, over their
// steps (uniform dequantisation).
//
// Rows that have the same few values in every column lie on a grid. A cluster for each point of the grid
// has no variance at all and the best of silhouettes, whether or not the columns have anything in common. Spread over its step, a
// grid that is filled evenly is one cloud, while points of it that hold far more rows than others stay dense.
package steps

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// A feature is recorded in steps where its values repeat, and the step is wide beside its deviation.
const (
	mostDistinct = 0.5 // of the rows
	leastStep    = 0.1 // deviations
)

// Spread returns the rows with the features that are recorded in steps spread evenly over them, and whether there
// are any. A value lies anywhere between the middles to the values beside it, no farther from where it was than the median
// step and the deviation of the feature. Sparse rows are returned as they are.
func Spread(x data.Rows, seed uint64) (data.Rows, bool) {
	n, d := x.Len(), x.Dim()
	if _, sparse := x.(*data.Sparse); sparse || n < 2 {
		return x, false
	}
	out, buf, column, any := &data.Dense{Cols: d, V: make([]float64, n*d)}, make([]float64, d), make([]float64, n), false
	for i := range n {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			out.V[i*d+v.Feature(q)] = y
		}
	}
	for f := range d {
		for i := range n {
			column[i] = out.V[i*d+f]
		}
		low, high, at := intervals(column)
		if low == nil {
			continue
		}
		any = true
		rng := rand.New(rand.NewPCG(seed, 0x57e9+uint64(f)))
		for i, y := range column {
			h := at[y]
			out.V[i*d+f] = y - low[h] + rng.Float64()*(low[h]+high[h])
		}
	}
	if !any {
		return x, false
	}
	return out, true
}

// intervals returns how far each value of a column reaches below and above itself, and the place of each value; nil
// where the column is not recorded in steps.
func intervals(column []float64) (low, high []float64, at map[float64]int) {
	n := len(column)
	at = map[float64]int{}
	mean, square := 0.0, 0.0
	for _, y := range column {
		if y-y != 0 {
			return nil, nil, nil
		}
		at[y] = 0
		if float64(len(at)) > max(2, mostDistinct*float64(n)) {
			return nil, nil, nil
		}
		mean += y / float64(n)
	}
	for _, y := range column {
		square += (y - mean) * (y - mean) / float64(n)
	}
	values := make([]float64, 0, len(at))
	for y := range at {
		values = append(values, y)
	}
	slices.Sort(values)
	for h, y := range values {
		at[y] = h
	}
	if len(values) < 2 {
		return nil, nil, nil
	}
	low, high = make([]float64, len(values)), make([]float64, len(values))
	step := make([]float64, len(values)) // to the nearer of the values beside it
	for h := range values {
		if h > 0 {
			low[h] = values[h] - values[h-1]
		}
		if h < len(values)-1 {
			high[h] = values[h+1] - values[h]
		}
		switch { // the outermost reach as far outwards as inwards
		case h == 0:
			low[h] = high[h]
		case h == len(values)-1:
			high[h] = low[h]
		}
		step[h] = min(low[h], high[h])
	}
	slices.Sort(step)
	deviation := math.Sqrt(square)
	if step[len(step)/2] < leastStep*deviation {
		return nil, nil, nil
	}
	most := min(step[len(step)/2], deviation)
	for h := range values {
		low[h], high[h] = min(low[h]/2, most), min(high[h]/2, most)
	}
	return low, high, at
}
