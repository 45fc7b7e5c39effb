package table

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Loggers and spreadsheets write units, or what was recorded, in lines below the header: they have words in all columns whose cells are
// numbers in the rows after them.
const (
	mostUnitLines = 2
	rowsBelow     = 12 // that are looked at
	fewestBelow   = 4
	runesOfUnit   = 24
)

// unitLines returns the length of the lines of units that text starts with, and how many they are.
func (t *Table) unitLines(text []byte, width int) (length, lines int) {
	var records [][][]byte
	var ends []int
	for i := 0; i < len(text) && len(records) < mostUnitLines+rowsBelow; {
		if k := t.EmptyLine(text, i); k > 0 {
			i += k
			continue
		}
		cells, next, n, bad := t.SplitRecord(text, i, nil)
		if bad != nil || n != 1 || len(cells) != width {
			break
		}
		record := make([][]byte, width)
		for j, c := range cells {
			record[j] = bytes.Clone(bytes.TrimSpace(c.TextIn(text)))
		}
		i = next
		records, ends = append(records, record), append(ends, next)
	}
	for lines < mostUnitLines && len(records)-lines > fewestBelow && t.areUnits(records[lines], records[min(len(records)-fewestBelow, mostUnitLines):], lines == 0) {
		length = ends[lines]
		lines++
	}
	return length, lines
}

// areUnits reports whether a record has words, at least two, where the rows below it have numbers, none of which occurs there; in
// the first such line one must be a unit.
func (t *Table) areUnits(record [][]byte, below [][][]byte, first bool) bool {
	words, units := 0, false
	for j, word := range record {
		numbers, there := 0, 0
		for _, row := range below {
			if len(row[j]) == 0 {
				continue
			}
			if there++; isNumber(row[j]) || t.commaCell(row[j]) {
				numbers++
			}
			if len(word) > 0 && bytes.Equal(row[j], word) {
				return false
			}
		}
		if there == 0 || 2*numbers <= there {
			continue
		}
		switch {
		case len(word) == 0, len(word) == 1 && word[0] == '-': // without a unit
		case isNumber(word), t.commaCell(word), isMissing(word), bytes.ContainsAny(word, "0123456789") && !bytes.ContainsAny(word, "/^()[]"), utf8.RuneCount(word) > runesOfUnit:
			return false
		default:
			words++
			units = units || isUnit(word)
		}
	}
	return words >= 2 && (units || !first)
}

// isUnit reports whether a word is a unit beyond doubt, in brackets or not.
func isUnit(word []byte) bool {
	s := strings.ToLower(strings.Trim(string(word), "()[] "))
	return strings.ContainsAny(s, "%°²³€$£µμ") || strings.Contains(s, "/") && len(s) < 16 || slices.Contains(unitWords, s)
}

// unitWords are units in lower case that have no sign of one.
var unitWords = strings.Fields("mm cm m km in ft mi g kg t lb mg ug l ml cl s sec min h hr hrs d ms deg degc degf celsius kelvin k pa hpa kpa mbar bar psi atm " +
	"v volt volts mv a ma amp w kw kwh mw wh j kj n nm hz khz mhz ghz db ppm ppb mol mmol umol usd eur gbp chf years days hours minutes seconds months percent count counts pcs lux rpm")
