package scan

import (
	"errors"
	"strconv"
)

// ParseNumber parses a whole token as a decimal number or one of the words for NaN
// and infinity. A number too large for a float64 comes back infinite.
func ParseNumber(tok []byte) (float64, bool) {
	if y, next := ScanFloat(tok, 0); next == len(tok) {
		return y, true
	}
	for _, c := range tok {
		// Go's own syntax goes further: hexadecimals and underscores.
		if c == 'x' || c == 'X' || c == '_' {
			return 0, false
		}
	}
	y, err := strconv.ParseFloat(string(tok), 64)
	return y, err == nil || errors.Is(err, strconv.ErrRange)
}

// ParseNatural parses digits alone, at most 18 of them.
func ParseNatural(tok []byte) (int, bool) {
	if len(tok) == 0 || len(tok) > 18 {
		return 0, false
	}
	y := 0
	for _, c := range tok {
		c -= '0'
		if c > 9 {
			return 0, false
		}
		y = y*10 + int(c)
	}
	return y, true
}
