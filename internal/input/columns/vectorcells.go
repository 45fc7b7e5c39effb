package columns

import (
	"math"
	"strconv"
	"strings"
)

// fewestBare is how many numbers a vector has at least that stands in no brackets.
const fewestBare = 3

// lineBlanks are the blanks and ends of lines between numbers.
const lineBlanks = blanks + "\r\n"

// A vector is what a cell such as [0.12, -0.5], 0.1;0.2;0.3 or array([0.1 0.2]) holds.
type vector struct {
	numbers  []float64
	brackets bool
	measured bool // a number has decimals, an exponent or a minus sign
	repeats  bool // a number stands twice
}

// vectorOf reads a cell as numbers with one sign between them, and appends them to into.
func vectorOf(cell string, into []float64) (v vector, ok bool) {
	v.numbers = into
	inner := strings.Trim(cell, lineBlanks)
	if at := strings.IndexByte(inner, '['); at > 0 && inner[at-1] == '(' && inner[len(inner)-1] == ')' { // array([0.1, 0.2], dtype=float32)
		if end := strings.LastIndexByte(inner, ']'); end > at {
			inner = inner[at : end+1]
		}
	}
	if n := len(inner); n > 1 && (inner[0] == '[' && inner[n-1] == ']' || inner[0] == '{' && inner[n-1] == '}' || inner[0] == '(' && inner[n-1] == ')' && strings.ContainsAny(inner, ",;")) {
		inner, v.brackets = strings.Trim(inner[1:n-1], lineBlanks), true
	}
	if inner == "" {
		return v, v.brackets
	}
	if c := inner[0]; !(c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'n' || c == 'N') {
		return v, false
	}
	between := byte(' ')
	for _, sign := range []byte(";|,") {
		if strings.IndexByte(inner, sign) >= 0 {
			between = sign
			break
		}
	}
	from := len(into)
	for rest := inner; rest != ""; {
		var part string
		if between == ' ' {
			end := strings.IndexAny(rest, lineBlanks)
			if end < 0 {
				end = len(rest)
			}
			part, rest = rest[:end], strings.TrimLeft(rest[end:], lineBlanks)
		} else {
			part, rest, _ = strings.Cut(rest, string(between))
			part = strings.Trim(part, lineBlanks)
		}
		y, measured, ok := elementOf(part, between != ',')
		if !ok {
			return v, false
		}
		for _, before := range v.numbers[from:min(len(v.numbers), from+100)] {
			v.repeats = v.repeats || before == y
		}
		v.numbers, v.measured = append(v.numbers, y), v.measured || measured
	}
	return v, v.brackets || len(v.numbers)-from >= fewestBare
}

// elementOf reads a number of a vector; measured reports whether it is more than digits.
func elementOf(s string, comma bool) (y float64, measured, ok bool) {
	switch s {
	case "nan", "NaN", "NA", "None", "null":
		return math.NaN(), false, true
	case "":
		return 0, false, false
	}
	commas := 0
	for at := range len(s) {
		switch c := s[at]; {
		case c >= '0' && c <= '9', c == '+':
		case c == ',':
			commas++
			measured = true
		case c == '-', c == '.', c == 'e', c == 'E':
			measured = true
		default:
			return 0, false, false
		}
	}
	if digits := strings.TrimLeft(s, "+-"); len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return 0, false, false
	}
	if commas > 0 {
		if !comma || commas > 1 || strings.IndexByte(s, '.') >= 0 {
			return 0, false, false
		}
		s = strings.Replace(s, ",", ".", 1)
	}
	y, err := strconv.ParseFloat(s, 64)
	return y, measured, err == nil
}

// vectorsOf decides by some cells of a column whether they are vectors: nine in ten are and have one length, and what stands in no brackets is
// no date, no phone number and no number with blanks between thousands. Whole numbers of which a cell has none twice may be a list of codes.
func vectorsOf(sample []string) division {
	lengths, bare, measured := map[int]int{}, 0, 0
	for _, cell := range sample {
		v, ok := vectorOf(cell, nil)
		if !ok {
			continue
		}
		if v.measured {
			measured++
		}
		if !v.brackets {
			if q, is := parseQuantity(cell, false); is && q.value == q.value || isPhone(cell) {
				continue
			}
			if _, _, date := parseDate(cell, false); date {
				continue
			}
			bare++
		}
		lengths[len(v.numbers)]++
	}
	width := 0
	for n, k := range lengths {
		if k > lengths[width] {
			width = n
		}
	}
	d := division{brackets: bare == 0, width: width}
	if width < 2 || float64(lengths[width]) < mostly*float64(len(sample)) || bare > 0 && (2*measured < len(sample) || lengths[width] < len(sample) || bare < lengths[width]) || wholeSets(sample) {
		return division{}
	}
	return d
}

// wholeSets reports whether the cells are lists of codes: of whole numbers that stand once in a cell, and combine as the values of lists do.
func wholeSets(texts []string) bool {
	for _, cell := range texts {
		if v, ok := vectorOf(cell, nil); ok && (v.measured || v.repeats) {
			return false
		}
	}
	between, _ := listOfCells(countValues(texts))
	return between != ""
}
