package columns

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// currencies are the signs and codes that may stand before a number.
var currencies = []string{"$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF", "JPY"}

// maxUnit bounds the bytes of a unit.
const maxUnit = 8

// parseQuantity reads a number with a unit or a currency and with signs between
// thousands; comma says that a comma stands for the point. The unit is empty where
// there is none.
func parseQuantity(s string, comma bool) (v float64, unit string, ok bool) {
	s = strings.TrimSpace(s)
	sign := 1.0
	if rest, minus := strings.CutPrefix(s, "-"); minus {
		sign, s = -1, rest
	} else if rest, minus := strings.CutPrefix(s, "−"); minus {
		sign, s = -1, rest
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	for _, c := range currencies {
		if rest, found := strings.CutPrefix(s, c); found {
			s, unit = strings.TrimLeft(rest, " \u00a0"), c
			break
		}
	}
	end := strings.LastIndexFunc(s, unicode.IsDigit)
	if end < 0 || s[end] > '9' {
		return 0, "", false
	}
	body, tail := s[:end+1], strings.TrimLeft(s[end+1:], " \u00a0\u202f")
	if tail != "" {
		if unit != "" || !isUnit(tail) {
			return 0, "", false
		}
		unit = tail
	}
	v, ok = parseGrouped(body, comma)
	return sign * v, unit, ok
}

// isUnit reports whether s can be a unit: short, without blanks, and no exponent.
func isUnit(s string) bool {
	if len(s) > maxUnit || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && !strings.ContainsRune("%‰°$€£¥/²³µ\"'", r) {
			return false
		}
	}
	return true
}

// parseGrouped reads digits with signs between thousands and a point, or a comma.
func parseGrouped(s string, comma bool) (float64, bool) {
	point, group := byte('.'), ","
	if comma {
		point, group = ',', "."
	}
	whole, part := s, ""
	if at := strings.IndexByte(s, point); at >= 0 {
		whole, part = s[:at], s[at+1:]
		if part == "" || !allDigits(part) {
			return 0, false
		}
	}
	plain := make([]byte, 0, len(s))
	run, sign := 0, rune(0) // digits of the group, and the sign between groups
	for _, r := range whole {
		switch {
		case r >= '0' && r <= '9':
			plain = append(plain, byte(r))
			run++
		case strings.ContainsRune(group+" '’\u00a0\u202f", r):
			if run == 0 || run > 3 || sign != 0 && (run != 3 || r != sign) {
				return 0, false
			}
			sign, run = r, 0
		default:
			return 0, false
		}
	}
	if sign != 0 && run != 3 || len(plain)+len(part) == 0 || len(plain) > 300 {
		return 0, false
	}
	plain = append(append(plain, '.'), part...)
	v, err := strconv.ParseFloat("0"+string(plain), 64)
	return v, err == nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isCode reports whether s is digits that are not a quantity: with a leading zero, or
// more than a float64 keeps.
func isCode(s string) bool {
	return allDigits(s) && (len(s) > 1 && s[0] == '0' || len(s) > 15)
}
