package columns

import (
	"math"
	"strings"
)

// betweenFew are the signs between the few numbers of a cell, such as 120/80, 48.1, 11.5 and 30 x 40 x 50 cm; a blank stands between numbers
// with decimals alone.
var betweenFew = []string{"/", ";", ",", "x", " "}

// mostFew is how many numbers a size may have.
const mostFew = 4

// A few is what such a cell holds.
type few struct {
	numbers []float64
	units   []string
	whole   bool
}

// times are the signs between the numbers of a size, written alike.
var times = strings.NewReplacer("×", "x", "X", "x", "*", "x")

// fewOf reads a cell as numbers with a sign between them, and appends them to into.
func fewOf(cell, between string, into []float64) (f few, ok bool) {
	f.numbers, f.whole = into, true
	if len(cell) > 100 {
		return f, false
	}
	s := strings.Trim(plainDigits(cell), blanks)
	if n := len(s); n > 1 && (s[0] == '(' && s[n-1] == ')' || s[0] == '[' && s[n-1] == ']') {
		s = strings.Trim(s[1:n-1], blanks)
	}
	switch between {
	case "x":
		s = times.Replace(s)
	case " ":
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) }), " ")
	case ",":
		if !strings.Contains(s, ", ") && strings.Count(s, ".") != 2 {
			return f, false
		}
	}
	parts := strings.Split(s, between)
	if len(parts) < 2 || len(parts) > mostFew || len(parts) > 2 && between != "x" {
		return f, false
	}
	for _, part := range parts {
		part = strings.Trim(part, blanks)
		q, ok := parseQuantity(part, between != "," && !strings.Contains(part, "."))
		digits := strings.TrimLeft(part, "+-−")
		leading := len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
		if !ok || q.bound || q.unit == clockUnit || q.unit == "★" || leading || between == " " && (q.unit != "" || len(part)-strings.IndexByte(part+".", '.') < 3) {
			return f, false
		}
		f.numbers, f.units, f.whole = append(f.numbers, q.value), append(f.units, q.unit), f.whole && q.value == math.Trunc(q.value)
	}
	return f, true
}

// fewNumbersOf returns how many numbers all cells of a sample have, 0 where they differ or one is written otherwise.
func fewNumbersOf(sample []string, between string) (width int) {
	for _, cell := range sample {
		f, ok := fewOf(cell, between, nil)
		if !ok || width > 0 && len(f.numbers) != width {
			return 0
		}
		width = len(f.numbers)
	}
	return width
}

// areFew reports whether cells that can be read as width numbers each are that, and not dates, fractions, marks out of so many, phone numbers,
// lists of codes or single numbers: fewGroups different first numbers and as many second ones, each place with one unit at most, and of 120/80
// the first is larger.
func areFew(texts []string, between string, width int) bool {
	values, units := make([]map[float64]bool, width), make([]map[string]bool, width)
	for k := range width {
		values[k], units[k] = map[float64]bool{}, map[string]bool{}
	}
	filled, whole, falling, single := 0, true, 0, 0
	lowest, highest := make([]float64, width), make([]float64, width)
	for _, cell := range texts {
		if missingToken(cell) {
			continue
		}
		f, ok := fewOf(cell, between, nil)
		if !ok || len(f.numbers) != width {
			return false
		}
		if filled++; filled == 1 {
			copy(lowest, f.numbers)
			copy(highest, f.numbers)
		}
		whole = whole && f.whole
		if f.numbers[0] > f.numbers[1] {
			falling++
		}
		for k, y := range f.numbers {
			values[k][y], units[k][f.units[k]] = true, true
			lowest[k], highest[k] = min(lowest[k], y), max(highest[k], y)
		}
		if _, is := parseQuantity(cell, false); is {
			single++
		}
		if isPhone(cell) || isVersion(cell) {
			return false
		}
		if _, _, date := parseDate(cell, false); date {
			return false
		}
	}
	for k := range width {
		if len(units[k]) > 1 || len(values[k]) < fewGroups {
			return false
		}
	}
	within := func(k int, low, high float64) bool { return lowest[k] >= low && highest[k] <= high }
	switch {
	case filled < fewValues, float64(single) > (1-mostly)*float64(filled): // 120/100 may be a mark out of 100
		return false
	case between == "/" && (float64(falling) < mostly*float64(filled) || within(1, 1, 12) || within(0, 1900, 2100) || within(1, 1900, 2100)):
		return false
	case between == "/" || between == "x":
		return true
	case whole:
		list, _ := listOfCells(countValues(texts))
		return list == "" && between == ","
	}
	return true
}
