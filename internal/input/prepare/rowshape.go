package prepare

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// rowwise reports whether a scale looks at each row alone and takes missing cells as its mean.
func rowwise(s Scale) bool { return s == Rows || s == Detrend || s == Shares }

// shapeRows brings rows to their shape in place. A missing cell becomes 0, and so does a row without spread.
func (p *pass) shapeRows(x *data.Dense, rows []int) error {
	d := x.Cols
	return eachBlock(x.Len(), p.workers, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := x.V[i*d : (i+1)*d]
			if p.r.Scale != Shares {
				shapeRow(row, p.r.Scale == Detrend)
				continue
			}
			if f := shareRow(row); f >= 0 {
				at := i
				if rows != nil {
					at = rows[i]
				}
				return fault(p.ds, fmt.Sprintf("row %s, column %s is negative and has no share", p.ds.ID(at), p.columnName(p.r.Columns, f)), "use {scale=standard} or {scale=rows}")
			}
		}
		return nil
	})
}

// shapeRow subtracts the mean of a row, or with detrend its line of least squares, and divides it by its deviation.
func shapeRow(row []float64, detrend bool) {
	n, mean, at := 0.0, 0.0, 0.0
	for f, y := range row {
		if y == y {
			n++
			mean += (y - mean) / n
			at += (float64(f) - at) / n
		}
	}
	slope := 0.0
	if detrend {
		var xy, xx float64
		for f, y := range row {
			if y == y {
				t := float64(f) - at
				xy += t * (y - mean)
				xx += t * t
			}
		}
		if xx > 0 {
			slope = xy / xx
		}
	}
	square := 0.0
	for f, y := range row {
		if y != y {
			row[f] = 0
			continue
		}
		y -= mean + slope*(float64(f)-at)
		row[f] = y
		square += y * y
	}
	sd := math.Sqrt(square / max(n, 1))
	for f := range row {
		if sd <= 1e-12*math.Abs(mean) || !data.Finite(sd) {
			row[f] = 0
		} else {
			row[f] /= sd
		}
	}
}

// shareRow replaces each value by the square root of its share of the row, so that the distance of two rows is that of Hellinger. It
// returns the first negative value, -1 where there is none.
func shareRow(row []float64) int {
	sum := 0.0
	for f, y := range row {
		switch {
		case y != y:
			row[f] = 0
		case y < 0:
			return f
		default:
			sum += y
		}
	}
	for f, y := range row {
		if sum > 0 {
			row[f] = math.Sqrt(y / sum)
		}
	}
	return -1
}
