package prepare

import "github.com/inklinghq/inkling/cluster/data"

// WidestColumn returns the column with the greatest variance in an even sample
// of the rows, and its share of the variance of all columns; 0 where there is
// none. The sample of a large table is runs of rows: single ones, far from each other,
// would have to be fetched one by one.
func WidestColumn(x data.Rows) (column int, share float64) {
	const most, run = 10_000, 8
	n, d := x.Len(), x.Dim()
	if _, sparse := x.(*data.Sparse); sparse || d < 2 || n < 2 {
		return 0, 0
	}
	m, at := min(n, most), func(s int) int { return s }
	if n > most {
		at = func(s int) int { return s/run*n/(most/run) + s%run }
	}
	mean, square, buf, full := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	for s := range m {
		for f, y := range x.Row(at(s), buf).Full(full) {
			mean[f] += y / float64(m)
		}
	}
	for s := range m {
		for f, y := range x.Row(at(s), buf).Full(full) {
			square[f] += float64((y - mean[f]) * (y - mean[f]))
		}
	}
	sum := 0.0
	for f, v := range square {
		if sum += v; v > square[column] {
			column = f
		}
	}
	if !(sum > 0) || !data.Finite(sum) {
		return 0, 0
	}
	return column, square[column] / sum
}
