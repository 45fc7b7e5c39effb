package columns

import (
	"math"
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

// Numbers returns feature j of ds as a number or a date in days since 1970; NaN is a missing cell.
// bad are the rows of cells that are there but cannot be read.
func (s Spec) Numbers(ds *dataio.Dataset, j int) (out []float64, bad []int) {
	out = columnOf(ds, j)
	if s.Role == Date {
		for i, y := range out {
			if y == y {
				if v, ok := dateOfNumber(y); ok {
					out[i] = v
				} else {
					out[i], bad = math.NaN(), append(bad, i)
				}
			}
		}
	}
	rows, text := oddCells(ds, j)
	for q, i := range rows {
		v, ok := s.parse(text[q])
		if !ok {
			bad = append(bad, int(i))
			continue
		}
		out[i] = v
	}
	return out, bad
}

// parse reads one cell.
func (s Spec) parse(text string) (float64, bool) {
	if s.Role == Date {
		if isCode(text) {
			return math.NaN(), false
		}
		v, _, ok := parseDate(text, s.DayFirst)
		return v, ok
	}
	v, unit, ok := parseQuantity(text, s.Comma)
	if !ok || unit != "" && unit != s.Unit || math.IsInf(v, 0) {
		return math.NaN(), false
	}
	return v, true
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

// Texts returns feature j of ds as text; "" is a missing cell.
func Texts(ds *dataio.Dataset, j int) []string {
	numbers := columnOf(ds, j)
	out := make([]string, len(numbers))
	known := map[float64]string{}
	for i, y := range numbers {
		if y != y {
			continue
		}
		s, ok := known[y]
		if !ok {
			s = strconv.FormatFloat(y, 'f', -1, 64)
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

// ValuesOf returns feature j of ds as s reads it.
func (s Spec) ValuesOf(ds *dataio.Dataset, j int) *Values {
	if s.Role != Number && s.Role != Date {
		return &Values{Texts: Texts(ds, j)}
	}
	numbers, _ := s.Numbers(ds, j)
	return &Values{Numbers: numbers, Dates: s.Role == Date}
}
