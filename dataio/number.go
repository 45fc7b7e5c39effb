package dataio

import (
	"errors"
	"strconv"
)

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// decimal parses a decimal number, correctly rounded, or one of the words for
// NaN and infinity. A number too large for a float64 comes back infinite.
func decimal(tok []byte) (float64, bool) {
	i, negative := 0, false
	if len(tok) > 0 && (tok[0] == '-' || tok[0] == '+') {
		i, negative = 1, tok[0] == '-'
	}
	var mantissa uint64
	digits, point := 0, -1
	for ; i < len(tok); i++ {
		c := tok[i] - '0'
		if c <= 9 {
			mantissa = mantissa*10 + uint64(c)
			digits++
		} else if tok[i] == '.' && point < 0 {
			point = digits
		} else {
			break
		}
	}
	if i < len(tok) || digits == 0 || digits > 15 {
		return decimalSlow(tok)
	}
	// Both numbers are exact, so that one division rounds once.
	y := float64(mantissa)
	if point >= 0 {
		y /= powersOfTen[digits-point]
	}
	if negative {
		y = -y
	}
	return y, true
}

func decimalSlow(tok []byte) (float64, bool) {
	for _, c := range tok {
		// Go's own syntax goes further: hexadecimals and underscores.
		if c == 'x' || c == 'X' || c == '_' {
			return 0, false
		}
	}
	y, err := strconv.ParseFloat(string(tok), 64)
	return y, err == nil || errors.Is(err, strconv.ErrRange)
}

// natural parses digits alone, at most 18 of them.
func natural(tok []byte) (int, bool) {
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
