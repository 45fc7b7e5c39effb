package columns

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A reading is how the numbers of a column are written.
type reading struct {
	spec   Spec
	read   int            // odd cells that are numbers
	bounds int            // of them, such as <0.5
	below  int            // of them, such as <LOD
	mixed  []string       // currencies that are not converted
	scaled []string       // units that are brought to Unit by the ratio of medians
	units  map[string]int // cells by unit
	left   []string       // texts that are not numbers

	known map[string]quantity // what was read so, by text; those that are no number have NaN
}

// readNumbers finds how the numbers among the odd cells of a column are written. plain are
// the cells that are plain numbers, NaN for others. Where few are numbers as they stand, they may follow a word, or be ranges.
func readNumbers(plain []float64, odd map[string]int) *reading {
	r := readAs(Spec{}, plain, odd)
	read, total := r.read, 0
	for _, y := range plain {
		if y == y {
			read++
			total++
		}
	}
	for _, k := range odd {
		total += k
	}
	if float64(read) >= mostly*float64(total) {
		return r
	}
	if before := commonBefore(odd, total); before != "" {
		return readAs(Spec{Before: before}, plain, odd)
	}
	if areRanges(odd, total) {
		return readAs(Spec{Range: true}, plain, odd)
	}
	return r
}

// readAs reads the odd cells after what the spec says stands before numbers, or as ranges.
func readAs(spec Spec, plain []float64, odd map[string]int) *reading {
	spec.Role, spec.Reading = Number, currentReading
	r := &reading{spec: spec, units: map[string]int{}, known: make(map[string]quantity, len(odd))}
	if r.spec.Flags = r.flags(plain, odd); r.spec.Flags != nil {
		clear(r.known)
	}
	if r.decideComma(plain, odd); r.spec.Comma {
		clear(r.known)
	}
	for s, k := range odd {
		q, ok := r.quantity(s)
		if !ok || isCode(s) && s[0] == '0' {
			r.left = append(r.left, s)
			continue
		}
		r.units[q.unit] += k
	}
	slices.Sort(r.left)
	r.decideUnits(odd)
	for s, k := range odd {
		q, ok := r.quantity(s)
		if !ok {
			continue
		}
		if _, known := r.spec.Units[q.unit]; q.unit == "" || q.unit == r.spec.Unit || known {
			r.read += k
			if q.bound {
				r.bounds += k
			}
		} else {
			r.left = append(r.left, s)
		}
	}
	r.takeBelow(plain, odd)
	r.known = nil
	return r
}

// quantity reads a cell as the spec says, once.
func (r *reading) quantity(text string) (quantity, bool) {
	q, known := r.known[text]
	if !known {
		ok := false
		if q, ok = r.spec.quantity(text); !ok {
			q = quantity{value: math.NaN()}
		}
		r.known[text] = q
	}
	return q, q.value == q.value
}

// decideComma decides what 1.234 and 1,234 are, by the cells that show which sign divides
// decimals. Where none does, a sign before three digits divides thousands in amounts of
// money, and otherwise the comma does.
func (r *reading) decideComma(plain []float64, odd map[string]int) {
	points, commas, openPoints, openCommas, money := 0, 0, 0, 0, 0
	for s, k := range odd {
		q, ok := r.quantity(s)
		switch {
		case !ok:
		case q.point:
			points += k
		case q.comma:
			commas += k
		case q.open && strings.Contains(s, ","):
			openCommas += k
		case q.open:
			openPoints += k
			if isCurrency(q.unit) {
				money += k
			}
		}
	}
	fractions, three := 0, 0
	for _, y := range plain {
		if y == y && y != math.Trunc(y) {
			fractions++
			text := formatNumber(y)
			if at := strings.IndexByte(text, '.'); len(text)-at-1 == 3 && math.Abs(y) >= 1 && math.Abs(y) < 1000 {
				three++
			}
		}
	}
	grouped := fractions > 0 && 10*three >= 7*fractions // as 1.234 among 1.234,50
	if !grouped {
		points += fractions
	}
	switch {
	case points != commas:
		r.spec.Comma = commas > points
	default:
		r.spec.Comma = money > openCommas
	}
	r.spec.Groups = r.spec.Comma && grouped
}

// decideUnits takes the most frequent unit and finds which others can be brought to it.
func (r *reading) decideUnits(odd map[string]int) {
	names := make([]string, 0, len(r.units))
	onlyMultiples, onlySizes, crores := true, true, haveCrores(r.units)
	for u := range r.units {
		if u != "" {
			names = append(names, u)
			onlyMultiples = onlyMultiples && multipleOf(u, crores) > 0
			onlySizes = onlySizes && sizes[u] > 0
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(r.units[b]-r.units[a], strings.Compare(a, b)) })
	if len(names) == 0 {
		return
	}
	r.spec.Units = map[string]Conversion{}
	if onlySizes && len(names) > 1 && (r.units["G"] > 0 || r.units["T"] > 0) {
		for _, u := range names {
			r.spec.Units[u] = Conversion{Factor: sizes[u]}
		}
		return
	}
	if onlyMultiples && (len(names) > 1 || r.units[""] > 0 || multiples[names[0]] > 0 && len(names[0]) > 1) {
		for _, u := range names {
			r.spec.Units[u] = Conversion{Factor: multipleOf(u, crores)}
		}
		return
	}
	r.spec.Unit = names[0]
	for _, u := range names[1:] {
		switch c, ok := convert(u, r.spec.Unit); {
		case u == "m" && r.spec.Unit == clockUnit: // 45m among 1h 5m
			r.spec.Units[u] = Conversion{Factor: minute}
		case timeWords[u] > 0 && r.spec.Unit == clockUnit: // 2d among 1d 5h
			r.spec.Units[u] = Conversion{Factor: timeWords[u]}
		case ok:
			r.spec.Units[u] = c
		case strings.EqualFold(u, r.spec.Unit):
			r.spec.Units[u] = Conversion{Factor: 1}
		case isCurrency(u) && isCurrency(r.spec.Unit):
			r.spec.Units[u] = Conversion{Factor: 1}
			r.mixed = append(r.mixed, u)
		case strings.Contains(u, "/") && strings.Contains(r.spec.Unit, "/"):
			if ratio := r.ratioOfMedians(odd, u); ratio > 0 {
				r.spec.Units[u] = Conversion{Factor: ratio}
				r.scaled = append(r.scaled, u)
			}
		}
	}
	if len(r.spec.Units) == 0 {
		r.spec.Units = nil
	}
}

// fewInUnit is how many cells of a unit a median needs.
const fewInUnit = 10

// ratioOfMedians returns the median of the cells in the column's unit divided by that of the cells
// in unit u, 0 where either has too few cells.
func (r *reading) ratioOfMedians(odd map[string]int, u string) float64 {
	var here, there []float64
	for s, k := range odd {
		q, ok := r.quantity(s)
		for ; ok && k > 0; k-- {
			switch q.unit {
			case u:
				there = append(there, q.value)
			case r.spec.Unit:
				here = append(here, q.value)
			}
		}
	}
	if len(here) < fewInUnit || len(there) < fewInUnit {
		return 0
	}
	slices.Sort(here)
	slices.Sort(there)
	ratio := quantile(here, .5) / quantile(there, .5)
	if !(ratio > 0) || math.IsInf(ratio, 0) {
		return 0
	}
	return ratio
}
