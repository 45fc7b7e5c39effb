package columns

import (
	"math"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// columnOf returns the numbers of feature j, NaN where a cell is not a plain number.
func columnOf(ds *dataio.Dataset, j int) []float64 {
	n := ds.X.Len()
	out := make([]float64, n)
	if x, ok := ds.X.(*data.Dense); ok {
		for i := range out {
			out[i] = x.V[i*x.Cols+j]
		}
		return out
	}
	buf := make([]float64, ds.X.Dim())
	for i := range out {
		row := ds.X.Row(i, buf)
		for q, y := range row.Val {
			if row.Feature(q) == j {
				out[i] = y
			}
		}
	}
	return out
}

func oddCells(ds *dataio.Dataset, j int) (rows []int32, text []string) {
	if ds.Cells == nil {
		return nil, nil
	}
	return ds.Cells[j].Rows, ds.Cells[j].Text
}

// AsTheyStand reports whether Numbers is feature j of ds as it is: every cell a plain number or none at all.
func (s Spec) AsTheyStand(ds *dataio.Dataset, j int) bool {
	odd, _ := oddCells(ds, j)
	return s.Role == Number && s.Since == nil && !s.Groups && len(s.Sentinels) == 0 && len(odd) == 0
}

// Numbers returns feature j of ds as a number or a date in days since 1970; NaN is a missing cell.
// bad are the rows of cells that are there but cannot be read.
func (s Spec) Numbers(ds *dataio.Dataset, j int) (out []float64, bad []int) {
	if s.Since != nil {
		return s.timesSince(ds, j)
	}
	out = columnOf(ds, j)
	for i, y := range out {
		switch {
		case y != y:
		case s.Role == Date:
			v, ok := dateOfNumber(y)
			if !ok {
				v, bad = math.NaN(), append(bad, i)
			}
			out[i] = v
		case s.Groups:
			out[i] = ungrouped(y)
		}
	}
	rows, text := oddCells(ds, j)
	for q, i := range rows {
		v, ok := s.parse(text[q])
		if !ok && !s.isGone(text[q]) {
			bad = append(bad, int(i))
		}
		out[i] = v
	}
	if len(s.Sentinels) > 0 {
		for i, y := range out {
			if slices.Contains(s.Sentinels, y) {
				out[i] = math.NaN()
			}
		}
	}
	return out, bad
}

// sample returns m of the numbers of feature j, evenly spaced: what Numbers has at rows 0, n/m, 2n/m, …
func (s Spec) sample(ds *dataio.Dataset, j, m int) []float64 {
	n := ds.X.Len()
	x, dense := ds.X.(*data.Dense)
	if !dense || m >= n || s.Since != nil {
		all, _ := s.Numbers(ds, j)
		return evenly(all, m)
	}
	out := make([]float64, m)
	rows, text := oddCells(ds, j)
	for q := range out {
		i := q * n / m
		y := x.V[i*x.Cols+j]
		switch {
		case y != y:
			y = math.NaN()
			if at, odd := slices.BinarySearch(rows, int32(i)); odd {
				y, _ = s.parse(text[at])
			}
		case s.Role == Date:
			v, ok := dateOfNumber(y)
			if y = v; !ok {
				y = math.NaN()
			}
		case s.Groups:
			y = ungrouped(y)
		}
		if slices.Contains(s.Sentinels, y) {
			y = math.NaN()
		}
		out[q] = y
	}
	return out
}

// ungrouped undoes the reading of 1.234 as a number with decimals.
func ungrouped(y float64) float64 {
	if v := math.Round(y * 1000); y != math.Trunc(y) && math.Abs(y) < 1000 && math.Abs(v-y*1000) < 1e-6 {
		return v
	}
	return y
}

// isGone reports whether a cell says that there is no value.
func (s Spec) isGone(text string) bool {
	return s.Reading > 0 && (missingToken(text) && !slices.Contains(s.Kept, text) || slices.Contains(s.Gone, text))
}

// isSentinel reports whether a cell is a number that stands for a missing value.
func (s Spec) isSentinel(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && slices.Contains(s.Sentinels, v)
}

// parse reads one cell; NaN where it is not one.
func (s Spec) parse(text string) (float64, bool) {
	if s.Role == Date {
		if isCode(text) {
			return math.NaN(), false
		}
		v, _, ok := parseDate(text, s.DayFirst)
		if !ok {
			v = math.NaN()
		}
		return v, ok
	}
	if s.Order != nil {
		return s.placeInOrder(text)
	}
	if slices.Contains(s.Below, text) {
		return s.Least, true
	}
	q, ok := s.quantity(text)
	if !ok {
		return math.NaN(), false
	}
	if q.unit != "" && q.unit != s.Unit {
		c, known := s.Units[q.unit]
		if !known {
			return math.NaN(), false
		}
		q.value = decimal(q.value*c.Factor + c.Offset)
	}
	return q.value, true
}

// dateOfNumber reads a number as a date: 20240531, or a year.
func dateOfNumber(y float64) (days float64, ok bool) {
	if y != math.Trunc(y) {
		return 0, false
	}
	s := strconv.FormatFloat(y, 'f', 0, 64)
	switch len(s) {
	case 4:
		s += "-01-01"
	case 8:
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	days, _, ok = parseDate(s, false)
	return days, ok
}

// formatNumber returns a plain number as text.
func formatNumber(y float64) string { return strconv.FormatFloat(y, 'f', -1, 64) }

// rawTexts returns feature j of ds as text; "" is a missing cell.
func rawTexts(ds *dataio.Dataset, j int) []string {
	numbers := columnOf(ds, j)
	out := make([]string, len(numbers))
	known := map[float64]string{}
	for i, y := range numbers {
		if y != y {
			continue
		}
		s, ok := known[y]
		if !ok {
			s = formatNumber(y)
			if len(known) < 1<<16 {
				known[y] = s
			}
		}
		out[i] = s
	}
	rows, text := oddCells(ds, j)
	for q, i := range rows {
		out[i] = text[q]
	}
	return out
}

// Texts returns feature j of ds as the levels of a category; "" is a missing cell.
func (s Spec) Texts(ds *dataio.Dataset, j int) []string {
	out := rawTexts(ds, j)
	if s.Reading == 0 {
		return out
	}
	for i, t := range out {
		gone := t == "" || s.isGone(t)
		if s.Presence {
			gone = gone || len(s.Sentinels) > 0 && s.isSentinel(t)
			if out[i] = withValue; gone {
				out[i] = withoutValue
			}
			continue
		}
		if gone {
			out[i] = ""
		} else if level, ok := s.Same[t]; ok {
			out[i] = level
		}
	}
	return out
}

// ValuesOf returns feature j of ds as s reads it.
func (s Spec) ValuesOf(ds *dataio.Dataset, j int) *Values {
	if s.Role != Number && s.Role != Date {
		return &Values{Texts: s.Texts(ds, j)}
	}
	numbers, _ := s.Numbers(ds, j)
	return &Values{Numbers: numbers, Dates: s.Role == Date}
}
