package columns

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quantity reads a cell of the column: a number as parseQuantity reads it, after the words that stand before each number of the
// column, or the middle of a range.
func (s Spec) quantity(text string) (quantity, bool) {
	text = s.withoutFlag(text)
	if s.Before != "" {
		rest, found := strings.CutPrefix(strings.Trim(plainDigits(text), blanks), s.Before)
		if !found {
			return quantity{}, false
		}
		text = rest
	}
	if s.Range {
		low, high, ok := rangeOf(text, s.Comma)
		if !ok {
			return quantity{}, false
		}
		low.value, low.unit = (low.value+high.value)/2, high.unit
		return low, true
	}
	return parseQuantity(text, s.Comma)
}

// betweenEnds are what may stand between the ends of a range.
var betweenEnds = []string{"–", "—", "~", " - ", " to ", " bis ", " à ", "..", "-"}

// rangeOf reads 48-72 min, 2 – 4, or a number alone, which is a range of nothing; high has the unit.
func rangeOf(text string, comma bool) (low, high quantity, ok bool) {
	if q, ok := parseQuantity(text, comma); ok {
		return q, q, true
	}
	text = plainDigits(text)
	for _, sign := range betweenEnds {
		left, right, found := strings.Cut(text, sign)
		if !found {
			continue
		}
		low, okLow := parseQuantity(left, comma)
		high, okHigh := parseQuantity(right, comma)
		if !okLow || !okHigh || low.value < 0 || low.value >= high.value || low.unit != "" && low.unit != high.unit || low.unit == clockUnit || high.unit == clockUnit || low.bound || high.bound {
			return low, high, false
		}
		return low, high, true
	}
	return low, high, false
}

// areRanges reports whether the texts are ranges, at least half of them with two ends. Pairs of numbers of always the same two
// lengths, such as 555-1234, are codes.
func areRanges(odd map[string]int, total int) bool {
	if len(odd) < fewGroups {
		return false
	}
	two, ranges := 0, 0
	lengths := map[[2]int]bool{}
	for s, k := range odd {
		low, high, ok := rangeOf(s, false)
		if !ok {
			continue
		}
		if ranges += k; low.value < high.value {
			two += k
			lengths[[2]int{digitsOf(low.value), digitsOf(high.value)}] = true
		}
	}
	if len(lengths) == 1 {
		for l := range lengths {
			if l[0] != l[1] {
				return false
			}
		}
	}
	order, _ := orderOf(odd)
	return float64(ranges) >= mostly*float64(total) && 2*two >= total && order == nil
}

func digitsOf(v float64) int { return int(math.Log10(max(v, 1))) }

// commonBefore returns the word or words that stand before the number of nearly all texts, each of which has a unit behind its
// number: 徒歩7分, ab 12 km. What has no unit may be a name: Room 12.
func commonBefore(odd map[string]int, total int) string {
	count := map[string]int{}
	for s, k := range odd {
		s = strings.Trim(plainDigits(s), blanks)
		at := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' })
		if at <= 0 {
			continue
		}
		before, _ := cutCurrency(s[:at], false)
		if trimmed := s[len(before):at]; trimmed != "" {
			before = s[:at-len(strings.TrimLeft(trimmed, blanks))]
		}
		rest := s[len(before):]
		if before == "" {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		apart := strings.ContainsRune(blanks+":=", last) || unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer)
		if !apart || !strings.ContainsFunc(before, unicode.IsLetter) {
			continue
		}
		if q, ok := parseQuantity(rest, false); !ok || q.unit == "" {
			continue
		}
		count[before] += k
	}
	for before, k := range count {
		if float64(k) >= mostly*float64(total) {
			return before
		}
	}
	return ""
}
