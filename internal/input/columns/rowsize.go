package columns

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// Rows of amounts that are not negative, such as what a household uses in each hour or how often each gene was read, differ by a factor
// before they differ by anything else: one is twice as large in all columns. What such factors explain is the variance of the row means
// among that of the logarithms. From levelShare on, and of counts from countShare on where the columns on their own would give less than
// half of that, rows are compared by their shares. Amounts that differ by factors have their longer tail above, in skewedShare of the columns, and
// the spread of a row grows with its mean: by a power of 1, of counts of a half and more, and of 0 where rows differ by what is added to all columns.
const (
	leastGrowth = 0.5
	countShare  = 0.2
	skewedShare = 0.8
)

// bySize decides whether rows that differ by factors are compared by their shares, or counts in many columns by their logarithms.
func (in *inference) bySize(p *Plan, used []*Column, x [][]float64, logged *bool) bool {
	if len(x) < 20 || !oneUnit(used) {
		return false
	}
	logs, whole, ok := logarithms(x)
	if !ok || skewedColumns(x) < skewedShare || spreadGrows(x) < leastGrowth {
		return false
	}
	share, differ := levelOf(logs)
	counts := whole && share > max(countShare, 2/float64(len(used)))
	if differ > sameUnit || share <= levelShare && !counts {
		return false
	}
	left, level := splitLevels(logs)
	if twoGroups(level) > levelGroups {
		return false
	}
	if counts && len(used) >= longRow && !slices.Contains(in.rules.Log, None) { // reads of genes, of which few tell groups apart
		p.Shape, *logged = RowShape, true
		p.Notable = append(p.Notable, "counts in many columns: rows are compared by the logarithms of their counts, each row less its mean, divided by its deviation ({scale=shares} compares shares)")
		return true
	}
	if shapeRelevance(left) < leastShape {
		return false
	}
	p.Shape = Shares
	p.Notable = append(p.Notable, hint.Sprintf("rows differ by their size (%.0f %% of the variance of the logarithms) and are compared by the shares of their columns ({scale=standard} compares the amounts)", 100*share))
	return true
}

// logCounts takes the logarithms of all columns, of those with zeros of the count and 1.
func (in *inference) logCounts(used []*Column) {
	for _, c := range used {
		values, _ := c.Spec.Numbers(in.ds, c.At)
		c.Spec.Log, c.Spec.LogScale = true, 0
		if describe(values).low <= 0 {
			c.Spec.LogScale = 1
		}
	}
}

// oneUnit reports whether all columns have one unit, or none.
func oneUnit(used []*Column) bool {
	return !slices.ContainsFunc(used, func(c *Column) bool { return c.Spec.Unit != used[0].Spec.Unit || c.Spec.Order != nil })
}

// logarithms returns the logarithms of a table of amounts that are not negative, and whether all are whole. Zeros have that of
// half the least amount above them.
func logarithms(x [][]float64) (logs [][]float64, whole, ok bool) {
	least := math.Inf(1)
	whole = true
	for _, row := range x {
		for _, y := range row {
			if y < 0 {
				return nil, false, false
			}
			if y > 0 {
				least = min(least, y)
			}
			whole = whole && (y != y || y == math.Trunc(y))
		}
	}
	if math.IsInf(least, 1) {
		return nil, false, false
	}
	logs = make([][]float64, len(x))
	for i, row := range x {
		logs[i] = make([]float64, len(row))
		for f, y := range row {
			logs[i][f] = math.Log(y + least/2)
		}
	}
	return logs, whole, true
}

// spreadGrows returns the slope of the logarithm of the deviation of a row, over that of its mean.
func spreadGrows(x [][]float64) float64 {
	var means, spreads []float64
	for _, row := range x {
		sum, squares, there := 0.0, 0.0, 0.0
		for _, y := range row {
			if y == y {
				sum, squares, there = sum+y, squares+y*y, there+1
			}
		}
		mean := sum / max(there, 1)
		if variance := squares/max(there, 1) - mean*mean; mean > 0 && variance > 0 {
			means, spreads = append(means, math.Log(mean)), append(spreads, math.Log(variance)/2)
		}
	}
	n, a, b := float64(len(means)), 0.0, 0.0
	for i := range means {
		a, b = a+means[i]/n, b+spreads[i]/n
	}
	both, square := 0.0, 0.0
	for i := range means {
		both += (means[i] - a) * (spreads[i] - b)
		square += (means[i] - a) * (means[i] - a)
	}
	if !(square > 0) {
		return 0
	}
	return both / square
}

// skewedColumns returns the share of the columns whose mean is above their median by more than a tenth of their deviation.
func skewedColumns(x [][]float64) float64 {
	skewed := 0
	for f := range x[0] {
		var values []float64
		sum, squares := 0.0, 0.0
		for _, row := range x {
			if y := row[f]; y == y {
				values = append(values, y)
				sum += y
			}
		}
		if len(values) == 0 {
			continue
		}
		mean := sum / float64(len(values))
		for _, y := range values {
			squares += (y - mean) * (y - mean)
		}
		slices.Sort(values)
		if mean-quantile(values, .5) > .1*math.Sqrt(squares/float64(len(values))) {
			skewed++
		}
	}
	return float64(skewed) / float64(len(x[0]))
}
