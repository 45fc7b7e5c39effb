package columns

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/present/hint"
)

// Rows of shapeColumns and more numbers in one unit, whose means have more than levelShare of the variance, differ mostly by
// their level: they are compared by their shape. Deviations of such columns differ less than sameUnit-fold.
const (
	shapeColumns = 8
	levelShare   = 0.5
	sameUnit     = 5.0
	// Rows of longRow columns and more, in which the squares of differences of neighbouring cells are less than smooth of
	// the variance, are ordered; a straight line is taken off them.
	longRow = 100
	smooth  = 0.25
	// Counts have so many columns, zeros and small values.
	countColumns = 10
	zeroShare    = 0.5
	rowsLooked   = 2000
)

// decideShape finds out whether rows are better compared by their shape.
func (in *inference) decideShape(p *Plan, list []Column) {
	var used []*Column
	for i := range list {
		c := &list[i]
		switch {
		case !c.Used:
		case c.Role != Number:
			return
		default:
			used = append(used, c)
		}
	}
	if len(used) < shapeColumns || in.ds.Beside != nil {
		return
	}
	x := in.sampleRows(used)
	switch {
	case in.areCounts(used, x):
		p.Shape = Shares
		p.Notable = append(p.Notable, hint.Sprintf("counts with many zeros: rows are compared by the shares of their columns ({scale=standard} compares the counts)"))
	case len(x) >= 20:
		share, differ := levelOf(x)
		if share <= levelShare || differ > sameUnit {
			return
		}
		p.Shape = RowShape
		how := "each row less its mean, divided by its deviation"
		if len(used) >= longRow && roughness(x) < smooth {
			p.Shape, how = TrendShape, "each row less a straight line, divided by its deviation"
		}
		p.Notable = append(p.Notable, hint.Sprintf("rows differ mostly by their level (%.0f %% of the variance) and are compared by their shape: %s ({scale=none} compares levels)", 100*share, how))
	}
	if p.Shape != "" {
		p.Plain = false
		for _, c := range used {
			if !slices.Contains(in.rules.Log, c.Name) {
				c.undoLog()
			}
			c.Spec.Clip = false
		}
	}
}

// sampleRows returns an even sample of rows of the columns; NaN is missing.
func (in *inference) sampleRows(used []*Column) [][]float64 {
	n := in.ds.X.Len()
	m := min(n, max(50, min(rowsLooked, 2_000_000/len(used))))
	x := make([][]float64, m)
	for s := range x {
		x[s] = make([]float64, len(used))
	}
	for f, c := range used {
		values, _ := c.Spec.Numbers(in.ds, c.At)
		for s := range x {
			x[s][f] = values[s*n/m]
		}
	}
	return x
}

// areCounts reports whether the table is counts: whole numbers from 0, mostly zeros, and 1 is the most
// frequent of the others.
func (in *inference) areCounts(used []*Column, x [][]float64) bool {
	if len(used) < countColumns {
		return false
	}
	cells, zeros, ones := 0, 0, 0
	other := map[float64]int{}
	for _, row := range x {
		for _, y := range row {
			switch {
			case y != y:
				continue
			case y < 0 || y != math.Trunc(y):
				return false
			case y == 0:
				zeros++
			case y == 1:
				ones++
			default:
				other[y]++
			}
			cells++
		}
	}
	most := 0
	for _, k := range other {
		most = max(most, k)
	}
	return cells > 0 && float64(zeros) > zeroShare*float64(cells) && ones >= most && len(other) > 2
}

// levelOf returns the share of the row means in the variance of a table, and how many times the deviations
// of columns differ.
func levelOf(x [][]float64) (share, differ float64) {
	d := len(x[0])
	mean, count := make([]float64, d), make([]float64, d)
	for _, row := range x {
		for f, y := range row {
			if y == y {
				mean[f] += y
				count[f]++
			}
		}
	}
	for f := range mean {
		mean[f] /= max(count[f], 1)
	}
	square := make([]float64, d)
	level, total := 0.0, 0.0
	for _, row := range x {
		sum, there := 0.0, 0.0
		for f, y := range row {
			if y == y {
				e := y - mean[f]
				square[f] += e * e
				sum += e
				there++
			}
		}
		if there > 0 {
			level += sum / there * sum / there
		}
	}
	low, high := math.Inf(1), 0.0
	for f, s := range square {
		v := s / max(count[f], 1)
		total += v
		low, high = min(low, v), max(high, v)
	}
	if !(total > 0) || !(low > 0) {
		return 0, math.Inf(1)
	}
	return level / float64(len(x)) * float64(d) / total, math.Sqrt(high / low)
}

// roughness returns the mean square of differences of neighbouring cells, divided by twice the variance of
// the rows: 1 where cells have no order.
func roughness(x [][]float64) float64 {
	steps, spread := 0.0, 0.0
	for _, row := range x {
		mean, there := 0.0, 0.0
		for _, y := range row {
			if y == y {
				mean += y
				there++
			}
		}
		mean /= max(there, 1)
		last := math.NaN()
		for _, y := range row {
			if y != y {
				continue
			}
			spread += (y - mean) * (y - mean)
			if last == last {
				steps += (y - last) * (y - last)
			}
			last = y
		}
	}
	if !(spread > 0) {
		return 1
	}
	return steps / (2 * spread)
}

// stemOf returns the name of a column without the number at its end; a name that is a number has stem "#".
func stemOf(name string) string {
	if _, err := strconv.ParseFloat(name, 64); err == nil {
		return "#"
	}
	return strings.TrimRight(name, "0123456789")
}
