package columns

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// boundWords stand before a number that is a bound: up to 8 mm, from $120.
var boundWords = []string{"up to ", "bis zu ", "bis ", "jusqu'à ", "jusqu’à ", "hasta ", "até ", "fino a ", "max. ", "max ", "min. ", "under ", "over ", "less than ", "more than ", "at least ", "at most ", "unter ", "über ", "mindestens ",
	"from ", "starting at ", "ab ", "à partir de ", "dès ", "desde ", "a partir de ", "a partire da ", "vanaf ", "från ", "fra ", "od ", "от ", "до ", "από "}

// perWords stand between an amount of money and what it is paid for: 12 € pro Nacht.
var perWords = []string{"/", "per ", "pro ", "par ", "por ", "je ", "a ", "za ", "за ", "на "}

// perUnit writes / night and per night as /night; other tails stay.
func perUnit(tail string) string {
	for _, word := range perWords {
		if rest, found := strings.CutPrefix(tail, word); found {
			return "/" + strings.Trim(rest, blanks)
		}
	}
	return tail
}

// withoutAside takes off what stands in parentheses behind a number and has a number too: 84.99 m² (25.7평), 12 (4.5 %).
func withoutAside(s string) string {
	at := strings.LastIndexByte(s, '(')
	if at <= 0 || s[len(s)-1] != ')' || !strings.ContainsAny(s[at:], "0123456789") {
		return s
	}
	before := strings.TrimRight(s[:at], blanks)
	if !strings.ContainsAny(before, "0123456789") || isPhone(s) {
		return s
	}
	return before
}

// eastern are the signs that multiply what stands before them in Chinese, Japanese and Korean numbers.
var eastern = map[rune]float64{'조': 1e12, '兆': 1e12, '억': 1e8, '億': 1e8, '亿': 1e8, '만': 1e4, '万': 1e4, '萬': 1e4, '천': 1e3, '千': 1e3, '백': 100, '百': 100}

// sumOfMyriads writes a number of several such parts, the largest first, in digits alone: 3억 2,000만원, 1億2千万円. A number with one sign stays, as its
// sign is a multiple.
func sumOfMyriads(s string) string {
	total, last, parts := 0.0, 1e16, 0
	rest := s
	for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		end := strings.IndexFunc(rest, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.' || r == ',') })
		if end < 0 {
			end = len(rest)
		}
		y, err := strconv.ParseFloat(strings.ReplaceAll(rest[:end], ",", ""), 64)
		if err != nil {
			return s
		}
		rest = rest[end:]
		factor, signs := 1.0, 0
		for {
			r, size := utf8.DecodeRuneInString(strings.TrimLeft(rest, blanks))
			k, is := eastern[r]
			if !is || signs > 0 && k <= factor {
				break
			}
			rest = strings.TrimLeft(rest, blanks)[size:]
			factor, signs = factor*k, signs+1
		}
		if factor >= last || signs == 0 && parts == 0 {
			return s
		}
		total, last, parts = total+y*factor, factor, parts+max(signs, 1)
		if signs == 0 {
			break
		}
		rest = strings.TrimLeft(rest, blanks)
	}
	if parts < 2 {
		return s
	}
	return formatNumber(total) + rest
}
