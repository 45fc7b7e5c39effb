package table

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// isMissing reports whether a cell says that there is no value.
func isMissing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == '?'
	case 2, 3, 4:
		switch strings.ToLower(string(b)) {
		case "na", "nan", "null", "none", "n/a", "#n/a", "<na>":
			return true
		}
	}
	return false
}

// isPlain reports whether a number is written as a quantity is: not with a leading
// zero, a plus, more digits than a float64 keeps, or as the hexadecimal 43e99 of a hash is.
func isPlain(s []byte) bool {
	i := 0
	if len(s) > 0 && s[0] == '-' {
		i = 1
	}
	if len(s) > i && s[i] == '+' {
		return false
	}
	if len(s) > i+1 && s[i] == '0' && s[i+1] >= '0' && s[i+1] <= '9' {
		return bytes.IndexByte(s, '.') >= 0
	}
	return (len(s) < 16 || bytes.ContainsAny(s, ".eE")) && !isHexadecimal(s)
}

// isHexadecimal reports whether a cell is several digits, one e, and digits, or one digit, an e and four digits or more: a
// number of hexadecimal digits, which nobody writes for a quantity.
func isHexadecimal(s []byte) bool {
	e := 0
	for i, c := range s {
		switch {
		case c >= '0' && c <= '9':
		case (c == 'e' || c == 'E') && e == 0 && (i > 1 || i == 1 && len(s) > 5):
			e = i
		default:
			return false
		}
	}
	return e > 0 && e < len(s)-1
}

// IsUnknownLabel reports whether a label says that there is none.
func IsUnknownLabel(b []byte) bool {
	return len(b) == 0 || len(b) == 1 && b[0] == '?' || len(b) == 2 && b[0] == 'N' && b[1] == 'A'
}

// ParseCell parses a whole cell. Where it is no finite number the message says
// why, and the hint what to do.
func ParseCell(b []byte) (v float64, msg string, advice hint.Hint) {
	v, next := scan.ScanFloat(b, 0)
	if next == len(b) && next > 0 {
		return v, "", ""
	}
	word := strings.TrimLeft(strings.ToLower(string(b[:min(len(b), 16)])), "+-")
	if word == "inf" || word == "infinity" {
		return 0, source.Clip(b) + " is infinite, every value must be finite", ""
	}
	if _, err := strconv.ParseFloat(string(b), 64); errors.Is(err, strconv.ErrRange) {
		return 0, source.Clip(b) + " is too large for a number", ""
	}
	advice = columnHint
	if comma := strings.Replace(string(b[:min(len(b), 40)]), ",", ".", 1); comma != string(b) {
		if _, next := scan.ScanFloat([]byte(comma), 0); next == len(b) {
			advice = "write a decimal point, not a comma, and nothing between thousands"
		}
	}
	return 0, source.Clip(b) + " is not a number", advice
}

// notFinite says that a cell is a number that is not finite; "" where it is none.
func notFinite(s []byte) string {
	if len(s) < 3 || s[len(s)-1] > '9' && !bytes.EqualFold(s[len(s)-1:], []byte("f")) && !bytes.EqualFold(s[len(s)-1:], []byte("y")) {
		return ""
	}
	if isHexadecimal(s) {
		return ""
	}
	if _, msg, advice := ParseCell(s); msg != "" && advice == "" {
		return msg
	}
	return ""
}

// notNumbersHint is the hint for one or more columns that do not hold numbers:
// all of them at once, so that nobody has to find them one by one.
func notNumbersHint(names []string) hint.Hint {
	const most = 12
	if len(names) == 1 {
		return columnHint
	}
	more := ""
	if left := len(names) - most; left > 0 {
		names, more = names[:most], fmt.Sprintf(", and %d more", left)
	}
	return hint.Sprintf("no numbers in %s either%s; name them with {label-col}, {id} or {text}, or leave them out: {drop=%s}",
		strings.Join(names[1:], ", "), more, strings.Join(names, ","))
}

// What to do about cells that are no numbers, and about those that are missing.
const (
	columnHint  hint.Hint = "name the column with {label-col}, {id} or {text}, or leave it out with {drop}"
	missingHint hint.Hint = "use {missing=drop} or {missing=mean}"
)
