package columns

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// Rows of shapeColumns and more numbers in one unit, whose means have more than levelShare of the variance, differ mostly by
// their level: they are compared by their shape. Deviations of such columns differ less than sameUnit-fold.
const (
	shapeColumns = 8
	levelShare   = 0.5
	sameUnit     = 5.0
	// Levels that two groups explain by more than levelGroups of their variance (of a uniform distribution it is .75, of a
	// normal one .64) are what sets the rows apart; and where nothing predicts what is left without them, there is no shape.
	levelGroups = 0.78
	leastShape  = 0.1
	shapeRows   = 300
	shapeLooked = 60
	// Rows of longRow columns and more, in which the squares of differences of neighbouring cells are less than smooth of
	// the variance, are ordered; a straight line is taken off them.
	longRow = 100
	smooth  = 0.25
	// Counts have so many columns, zeros and small values.
	countColumns = 10
	zeroShare    = 0.5
	rowsLooked   = 2000
	// Columns of other kinds beside so many times as many numbers do not hinder in few rows.
	otherKinds = 8
)

// decideShape finds out whether rows are better compared by their shape.
func (in *inference) decideShape(p *Plan, list []Column) {
	if scale := in.editedScale(); scale != "" {
		in.giveShape(p, list, scale)
		return
	}
	var used []*Column
	others := 0
	for i := range list {
		c := &list[i]
		switch {
		case !c.Used:
		case c.Role != Number:
			others++
		default:
			used = append(used, c)
		}
	}
	if len(used) < shapeColumns || in.ds.Beside != nil {
		return
	}
	without, strange := in.withoutStrangers(list, used, others) // the list, with what the others do not predict left out
	if strange {
		return
	}
	if without != nil {
		if used = numbersOf(list, without); len(used) < shapeColumns {
			return
		}
	}
	x, logged := in.sampleRows(used), false
	switch {
	case in.areCounts(used, x):
		p.Shape = Shares
		p.Notable = append(p.Notable, hint.Sprintf("counts with many zeros: rows are compared by the shares of their columns ({scale=standard} compares the counts)"))
	case in.bySize(p, used, x, &logged):
	case in.byLevel(p, used, x):
	case in.byLength(used, x):
		p.Shape = Direction
		p.Notable = append(p.Notable, LengthNote)
	}
	if p.Shape != "" {
		p.Plain = false
		for i := range without {
			if list[i].Used && !without[i].Used {
				list[i] = without[i]
			}
		}
		in.asTheyAre(used)
		if logged {
			in.logCounts(used)
		}
	}
}

// asTheyAre takes no logarithms that nobody asked for, and pulls no extremes in.
func (in *inference) asTheyAre(used []*Column) {
	for _, c := range used {
		in.undoLog(c)
		c.Spec.Clip = false
	}
}

// editedScale returns how rows are compared by the plan that was read; "" where it does not say.
func (in *inference) editedScale() string {
	for _, name := range in.ds.Columns { // all have the same
		if s := in.rules.Edits[name].Scale; s != "" {
			return s
		}
	}
	return ""
}

// giveShape compares rows as the plan that was read says.
func (in *inference) giveShape(p *Plan, list []Column, scale string) {
	if scale == None {
		return
	}
	var used []*Column
	for i := range list {
		if c := &list[i]; c.Used && c.Role == Number {
			used = append(used, c)
		}
	}
	p.Shape, p.Plain = Shape(scale), false
	p.Notable = append(p.Notable, hint.Sprintf("rows are compared by their shape, %s, as the plan says", scale))
	in.asTheyAre(used)
}

// withoutStrangers returns a copy of the list from which columns are left out that the others do not predict: those of other kinds, and
// numbers that are not as the others are. Of few rows, where that cannot be measured, those of other kinds beside many numbers. It returns nil
// where there are none, and strange where a column of another kind stays.
func (in *inference) withoutStrangers(list []Column, used []*Column, others int) (without []Column, strange bool) {
	series := seriesOf(used)
	beside := func(c *Column) bool { return series != "" && numbered(c.Name) != series }
	if in.plain || others == 0 && oneUnit(used) && !slices.ContainsFunc(used, in.oddSize(used)) && !slices.ContainsFunc(used, beside) {
		return nil, false
	}
	without = slices.Clone(list)
	if in.ds.X.Len() < relevanceRows {
		if otherKinds*others > len(used) {
			return nil, true
		}
		for i := range without {
			if c := &without[i]; c.Used && c.Role != Number {
				if in.givenRole(c.Name) != "" {
					return nil, true
				}
				c.leaveOut(in.ds)
				c.Irrelevant = false
				c.Why = "rows are compared by the numbers alone"
			}
		}
		return without, false
	}
	in.dropIrrelevant(without)
	odd := in.oddSize(used)
	for i := range without {
		c := &without[i]
		switch {
		case c.Used && c.Role != Number:
			return nil, true
		case !c.Used && list[i].Used && c.Role == Number && c.Spec.Unit == commonUnit(used) && !odd(&list[i]) && !beside(&list[i]):
			without[i] = list[i]
		}
	}
	return without, false
}

// seriesShare is the share of the columns that make a series: hour_0, hour_1, and so on.
const seriesShare = 0.75

// seriesOf returns what the names of nearly all columns are but for the numbers in them; "" where they have nothing in common.
func seriesOf(used []*Column) string {
	count := map[string]int{}
	for _, c := range used {
		count[numbered(c.Name)]++
	}
	for name, k := range count {
		if strings.Contains(name, "#") && k >= shapeColumns && float64(k) >= seriesShare*float64(len(used)) {
			return name
		}
	}
	return ""
}

// numbered returns a name with # in place of each number.
func numbered(name string) string {
	var b strings.Builder
	inside := false
	for _, r := range name {
		digit := r >= '0' && r <= '9'
		if digit && !inside {
			b.WriteByte('#')
		} else if !digit {
			b.WriteRune(r)
		}
		inside = digit
	}
	return b.String()
}

// numbersOf returns the numbers of a list that are used in it and without strangers.
func numbersOf(list, without []Column) (used []*Column) {
	for i := range list {
		if without[i].Used && list[i].Used && list[i].Role == Number {
			used = append(used, &list[i])
		}
	}
	return used
}

// commonUnit returns the unit that most columns have.
func commonUnit(used []*Column) string {
	count := map[string]int{}
	for _, c := range used {
		count[c.Spec.Unit]++
	}
	best := ""
	for u, k := range count {
		if k > count[best] || k == count[best] && u < best {
			best = u
		}
	}
	return best
}

// oddSize reports of a column whether its median is ten times farther from 0 than that of any other, or has another sign.
func (in *inference) oddSize(used []*Column) func(*Column) bool {
	median := map[*Column]float64{}
	at := map[int]*Column{}
	for _, c := range used {
		if sorted := present(c.Spec.sample(in.ds, c.At, rowsLooked)); len(sorted) > 0 {
			median[c] = quantile(sorted, .5)
		}
		at[c.At] = c
	}
	return func(one *Column) bool {
		most := 0.0
		for _, c := range used {
			if c.At != one.At {
				most = max(most, math.Abs(median[c]))
			}
		}
		return math.Abs(median[at[one.At]]) > 10*most
	}
}

// byLevel decides whether rows that differ mostly by their level are compared by their shape.
func (in *inference) byLevel(p *Plan, used []*Column, x [][]float64) bool {
	if len(x) < 20 {
		return false
	}
	share, differ := levelOf(x)
	if share <= levelShare || differ > sameUnit {
		return false
	}
	left, level := splitLevels(x)
	if twoGroups(level) > levelGroups || shapeRelevance(left) < leastShape {
		return false
	}
	p.Shape = RowShape
	how := "each row less its mean, divided by its deviation"
	if len(used) >= longRow && roughness(x) < smooth {
		p.Shape, how = TrendShape, "each row less a straight line, divided by its deviation"
	}
	p.Notable = append(p.Notable, hint.Sprintf("rows differ mostly by their level (%.0f %% of the variance) and are compared by their shape: %s ({scale=none} compares levels)", 100*share, how))
	return true
}

// byLength decides whether numbers in one unit are vectors whose length says nothing.
func (in *inference) byLength(used []*Column, x [][]float64) bool {
	if len(x) < lengthRows || slices.ContainsFunc(used, func(c *Column) bool { return c.Spec.Log || c.Missing > 0 }) {
		return false
	}
	_, differ := levelOf(x)
	return differ <= sameUnit && LengthIsNoise(x)
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
		for s, y := range c.Spec.sample(in.ds, c.At, m) {
			x[s][f] = y
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

// splitLevels returns a table without the means of its columns and then of its rows, and the means of the rows.
func splitLevels(x [][]float64) (left [][]float64, level []float64) {
	left, level = make([][]float64, len(x)), make([]float64, len(x))
	mean := make([]float64, len(x[0]))
	for f := range mean {
		there := 0.0
		for _, row := range x {
			if row[f] == row[f] {
				mean[f] += row[f]
				there++
			}
		}
		mean[f] /= max(there, 1)
	}
	for i, row := range x {
		left[i] = make([]float64, len(row))
		there := 0.0
		for f, y := range row {
			if left[i][f] = y - mean[f]; y == y {
				level[i] += y - mean[f]
				there++
			}
		}
		level[i] /= max(there, 1)
		for f := range row {
			left[i][f] -= level[i]
		}
	}
	return left, level
}

// twoGroups returns the largest share of the variance of values that a cut into two groups explains, each of a twentieth of
// the values or more.
func twoGroups(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n, sum, total := len(v), 0.0, 0.0
	for _, y := range v {
		sum += y
	}
	mean := sum / float64(n)
	for _, y := range v {
		total += (y - mean) * (y - mean)
	}
	if !(total > 0) {
		return 0
	}
	best, below := 0.0, 0.0
	for i, y := range v[:n-1] {
		below += y - mean
		if a := i + 1; 20*a >= n && 20*(n-a) >= n {
			best = max(best, below*below*float64(n)/float64(a)/float64(n-a))
		}
	}
	return best / total
}

// shapeRelevance returns the mean R² of the columns of what is left without levels, each predicted by the rows that are
// nearest in the others (see candidate), less what the same columns have when each is shuffled on its own: rows
// without their mean predict a little of any column.
func shapeRelevance(left [][]float64) float64 {
	m, d := min(len(left), shapeRows), len(left[0])
	x := make([][]float64, m)
	for a := range x {
		x[a] = make([]float64, min(d, shapeLooked))
		for q := range x[a] {
			x[a][q] = left[a*len(left)/m][q*d/len(x[a])]
		}
	}
	found := meanRelevance(x)
	random := rand.New(rand.NewPCG(1, 1))
	for q := range x[0] {
		random.Shuffle(m, func(a, b int) { x[a][q], x[b][q] = x[b][q], x[a][q] })
	}
	shuffled, _ := splitLevels(x)
	return found - max(0, meanRelevance(shuffled))
}

func meanRelevance(x [][]float64) float64 {
	m := len(x)
	cands := make([]*candidate, len(x[0]))
	for q := range cands {
		c := &candidate{width: 1, x: make([]float64, m), there: make([]bool, m)}
		for a := range m {
			if y := x[a][q]; y == y {
				c.x[a], c.there[a] = y, true
			}
		}
		c.centre(m)
		cands[q] = c
	}
	predictAll(cands, cands, m)
	sum := 0.0
	for _, c := range cands {
		sum += c.r2
	}
	return sum / float64(len(cands))
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
