package columns

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A quantity is a number as people write it in a cell.
type quantity struct {
	value float64
	unit  string // as written; "" where there is none; clockUnit of 3:45
	bound bool   // the cell says <0.5 or >100
	// point and comma say that the cell shows which sign divides the decimals.
	point, comma bool
	open         bool // 1.234 or 1,234: the column decides
}

// clockUnit is the unit of a duration with colons, in seconds.
const clockUnit = ":"

// blanks are the spaces that stand in and around numbers.
const blanks = " \t\u00a0\u202f\u2009"

// parseQuantity reads a number with a unit or currency before or after it, signs between
// thousands, a bound (<0.5), a minus sign or the parentheses of accountants. comma decides what
// 1.234 and 1,234 are; other numbers say themselves which sign divides the decimals.
func parseQuantity(s string, comma bool) (q quantity, ok bool) {
	s = strings.Trim(plainDigits(s), blanks)
	if s == "" || len(s) > 64 || isWords(s) {
		return q, false
	}
	if v, marks := starsOf(s); marks {
		q.value, q.unit = v, "★"
		return q, true
	}
	if s[0] == '\'' && len(s) > 1 { // as spreadsheets mark texts
		s = s[1:]
	}
	s, q.bound = cutBound(unusualForms(withoutAside(s)))
	s = sumOfMyriads(s)
	if v, isHeight := parseFeet(s); isHeight {
		q.value, q.unit = v, "ft"
		return q, true
	}
	if at := strings.IndexByte(s, '+'); at > 0 && s[at-1] >= '0' && s[at-1] <= '9' && !strings.ContainsAny(s[at+1:], "+0123456789") { // 1,000+, 10+ years
		s, q.bound = s[:at]+s[at+1:], true
	}
	sign := 1.0
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		sign, s = -1, strings.Trim(s[1:len(s)-1], blanks)
	} else if at := strings.LastIndexByte(s, ')'); strings.HasPrefix(s, "(") && at > 0 { // (1.234,50) €
		sign, s = -1, s[1:at]+s[at+1:]
	}
	s, sign = cutSign(s, sign)
	var money string
	if s, money = cutCurrency(s, true); money != "" {
		s = sumOfMyriads(s)
		if s, sign = cutSign(s, sign); strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
			sign, s = -sign, s[1:len(s)-1]
		}
	}
	end := strings.LastIndexAny(s, "0123456789")
	if s == "" || end < 0 || !(s[0] >= '0' && s[0] <= '9' || s[0] == '.' || s[0] == ',' || s[0] == 'P') {
		return quantity{}, false
	}
	if v, isClock := parseDuration(s); isClock && money == "" {
		q.value, q.unit = sign*v, clockUnit
		return q, true
	}
	if s[0] == 'P' {
		return quantity{}, false
	}
	body, tail := splitUnit(s)
	if tail == "-" || tail == "−" { // 12,50-
		sign, tail = -sign, ""
	}
	if tail == "." { // 5.
		tail = ""
	}
	if isOrdinal(body, tail) {
		tail = ""
	}
	factor := 1.0
	if q.unit, factor, ok = tailUnit(tail, money); !ok {
		return quantity{}, false
	}
	v, ok := q.parseDigits(body, comma)
	q.value = sign * v * factor
	return q, ok && !math.IsInf(q.value, 0)
}

// isWords reports whether s has nothing of a number: no digit, no mark that counts, and no sign that ASCII does not have.
func isWords(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= '0' && c <= '9' || c == '*' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unusualForms writes a number with a fraction of one sign, a power of ten, an error, the most that it can be or the parts of an angle as
// one writes it elsewhere: 7 ½, 3.2×10⁴, 20.3 ± 2.0, 4 out of 5, 45°12'33"N.
func unusualForms(s string) string {
	if v, ok := angleOf(s); ok {
		return formatNumber(v)
	}
	for _, sign := range []string{"±", "+/-"} {
		if value, _, found := strings.Cut(s, sign); found {
			s = strings.TrimRight(value, blanks)
		}
	}
	for _, words := range []string{" out of ", " of ", " von ", " sur ", " de ", " su ", " van ", " av "} {
		value, most, found := strings.Cut(s, words)
		most, _, _ = strings.Cut(most, " ") // 4.5 out of 5 stars
		if found && outOf["/"+most] > 0 {
			return value + "/" + most
		}
	}
	for _, sign := range []string{"×10", "x10", "·10", "× 10", "x 10", "*10"} {
		digits, power, found := strings.Cut(s, sign)
		raised := superscripts.Replace(strings.TrimPrefix(power, "^"))
		if found && raised != power && allDigits(strings.TrimLeft(raised, "+-")) && len(raised) < 5 {
			return strings.TrimRight(digits, blanks) + "e" + raised
		}
	}
	for _, f := range fractions {
		if whole, found := strings.CutSuffix(s, f.sign); found {
			if whole = strings.TrimRight(whole, blanks); whole == "" {
				whole = "0"
			}
			if allDigits(whole) && len(whole) < 10 {
				return whole + f.decimals
			}
		}
	}
	return s
}

// fractions are those that Unicode has a sign for.
var fractions = []struct{ sign, decimals string }{{"½", ".5"}, {"¼", ".25"}, {"¾", ".75"}, {"⅓", ".333333333333"}, {"⅔", ".666666666667"}, {"⅛", ".125"}, {"⅜", ".375"}, {"⅝", ".625"}, {"⅞", ".875"}, {"⅕", ".2"}, {"⅖", ".4"}, {"⅗", ".6"}, {"⅘", ".8"}}

var superscripts = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-", "⁺", "+", "−", "-")

// angleOf reads degrees, minutes and perhaps seconds, south and west of which are negative.
func angleOf(s string) (degrees float64, ok bool) {
	if !strings.Contains(s, "°") {
		return 0, false
	}
	sign := 1.0
	if rest, after := strings.CutSuffix(s, "S"); after {
		s, sign = rest, -1
	} else if rest, after := strings.CutSuffix(s, "W"); after {
		s, sign = rest, -1
	} else {
		s = strings.TrimRight(s, "NEOnord")
	}
	if rest, minus := strings.CutPrefix(s, "-"); minus {
		s, sign = rest, -1
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("°'\"′″’”"+blanks, r) })
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for q, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || v < 0 || part[0] < '0' || part[0] > '9' || q > 0 && v >= 60 || q == 0 && v > 360 {
			return 0, false
		}
		degrees += v / math.Pow(60, float64(q))
	}
	return sign * degrees, true
}

// starsOf counts the full stars of a mark such as ★★★☆☆.
func starsOf(s string) (stars float64, ok bool) {
	for _, r := range strings.ReplaceAll(s, "\ufe0f", "") {
		switch r {
		case '★', '⭐', '🌟':
			stars++
		case '½':
			stars += .5
		case '☆', '✩':
		default:
			return 0, false
		}
	}
	return stars, true
}

// isOrdinal reports whether digits and what follows them are 1st, 2nd, 3rd or 11th.
func isOrdinal(body, tail string) bool {
	if !allDigits(body) || len(tail) != 2 {
		return false
	}
	want := "th"
	if n := len(body); n < 2 || body[n-2] != '1' {
		switch body[n-1] {
		case '1':
			want = "st"
		case '2':
			want = "nd"
		case '3':
			want = "rd"
		}
	}
	return strings.EqualFold(tail, want)
}

// primes are the signs and words of feet and inches, written alike.
var primes = strings.NewReplacer(" feet", "'", "feet", "'", " ft", "'", "ft", "'", " inches", "\"", "inches", "\"", " in", "\"", "in", "\"", "′", "'", "’", "'", "″", "\"", "”", "\"", "''", "\"")

// parseFeet reads a height such as 6'2" or 6 ft 2 in in feet.
func parseFeet(s string) (feet float64, ok bool) {
	whole, rest, found := strings.Cut(primes.Replace(s), "'")
	inches := strings.Trim(strings.TrimSuffix(rest, "\""), blanks)
	if whole = strings.Trim(whole, blanks); !found || !allDigits(whole) || len(whole) > 2 || inches == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(inches, 64)
	if err != nil || !(v >= 0 && v < 12) || inches[0] < '0' || inches[0] > '9' {
		return 0, false
	}
	return float64(number(whole, 2)) + v/12, true
}

// cutBound takes < and > off the front, and signs of an estimate.
func cutBound(s string) (rest string, bound bool) {
	for _, sign := range []string{"<=", ">=", "=<", "=>", "<", ">", "≤", "≥", "⩽", "⩾"} {
		if rest, found := strings.CutPrefix(s, sign); found {
			return strings.TrimLeft(rest, blanks), true
		}
	}
	for _, words := range boundWords {
		if len(s) > len(words) && strings.EqualFold(s[:len(words)], words) {
			return strings.TrimLeft(s[len(words):], blanks), true
		}
	}
	for _, sign := range []string{"~", "≈", "ca. ", "ca ", "approx. ", "approx ", "about ", "env. ", "etwa ", "circa ", "c. "} {
		if rest, found := strings.CutPrefix(s, sign); found {
			return strings.TrimLeft(rest, blanks), false
		}
	}
	if rest, found := strings.CutPrefix(s, "c"); found && len(rest) == 4 && allDigits(rest) { // a year of copyright, or about
		return rest, false
	}
	return s, false
}

func cutSign(s string, sign float64) (string, float64) {
	for _, minus := range []string{"-", "−", "–", "\u2011"} {
		if rest, found := strings.CutPrefix(s, minus); found {
			return strings.TrimLeft(rest, blanks), -sign
		}
	}
	if rest, found := strings.CutPrefix(s, "+"); found {
		return strings.TrimLeft(rest, blanks), sign
	}
	return s, sign
}

// splitUnit parts the digits, with the signs in them and an exponent, from what follows.
func splitUnit(s string) (body, tail string) {
	end := 0
	for at, r := range s {
		if r >= '0' && r <= '9' {
			end = at + 1
			continue
		}
		if !strings.ContainsRune(".,'’_"+blanks, r) {
			break
		}
	}
	rest := s[end:]
	if len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') { // an exponent
		k := 1
		if rest[k] == '+' || rest[k] == '-' {
			k++
		}
		digits := k
		for k < len(rest) && rest[k] >= '0' && rest[k] <= '9' {
			k++
		}
		if k > digits {
			end += k
		}
	}
	return s[:end], strings.Trim(s[end:], blanks)
}

// tailUnit reads what stands after a number: a unit, a currency, a multiple such as Mio.
func tailUnit(tail, money string) (name string, factor float64, ok bool) {
	if tail == "" {
		return money, 1, true
	}
	for _, dash := range []string{".-", ",-", "-.", ".–", ",–", "-"} { // 1250,- €
		if rest, found := strings.CutPrefix(tail, dash); found && (rest == "" || isCurrency(strings.Trim(rest, blanks))) {
			tail = strings.Trim(rest, blanks)
			break
		}
	}
	rest, after := cutCurrency(tail, false)
	if after != "" {
		if money != "" {
			return "", 0, false
		}
		money = after
		tail = rest
	} else if rest, before := cutCurrency(tail, true); before != "" && money == "" && (rest == "" || perUnit(rest) != rest) {
		money, tail = before, rest
	}
	if tail == "" {
		return money, 1, true
	}
	if money != "" {
		tail = perUnit(tail)
	}
	if k, found := multiples[tail]; found && money != "" {
		return money, k, true
	}
	if k := indian[tail]; k > 0 && rupees[money] {
		return money, k, true
	}
	if tail == "m" && money != "" { // $1.2m
		return money, 1e6, true
	}
	if tail == ":1" && money == "" { // 20:1
		return tail, 1, true
	}
	if money != "" {
		if len(tail) > 1 && tail[0] == '/' && isUnit(tail[1:]) { // €12/kg
			return money + tail, 1, true
		}
		return "", 0, false
	}
	if !isUnit(tail) && outOf[tail] == 0 {
		return "", 0, false
	}
	return tail, 1, true
}

// parseDigits reads digits with signs between thousands and decimals.
func (q *quantity) parseDigits(s string, comma bool) (float64, bool) {
	exponent := ""
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		s, exponent = s[:at], s[at:]
	}
	points, commas := strings.Count(s, "."), strings.Count(s, ",")
	point := byte('.') // the sign that divides decimals; 0: none does
	switch {
	case points > 0 && commas > 0:
		if strings.LastIndexByte(s, ',') > strings.LastIndexByte(s, '.') {
			point = ','
		}
		q.point, q.comma = point == '.', point == ','
	case points > 1:
		point, q.comma = ',', true // points between thousands
	case commas > 1:
		q.point = true
	case points+commas == 1:
		at := strings.IndexAny(s, ".,")
		if grouped := at > 0 && at <= 3 && len(s)-at-1 == 3 && s[0] != '0' && exponent == ""; grouped {
			q.open = true
			if comma {
				point = ','
			}
		} else {
			point = s[at]
			q.point, q.comma = point == '.', point == ','
		}
	}
	plain, ok := ungroup(s, point)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(plain+exponent, 64)
	return v, err == nil
}

// ungroup takes the signs between thousands out of s; point divides its decimals.
func ungroup(s string, point byte) (string, bool) {
	whole, part := s, ""
	if at := strings.IndexByte(s, point); at >= 0 {
		whole, part = s[:at], s[at+1:]
		if part == "" && whole == "" || part != "" && !allDigits(part) {
			return "", false
		}
	}
	plain := make([]byte, 0, len(s)+1)
	run, sign, groups, short := 0, rune(0), 0, false
	for _, r := range whole {
		switch {
		case r >= '0' && r <= '9':
			plain = append(plain, byte(r))
			run++
		case strings.ContainsRune(".,'’_"+blanks, r):
			if run == 0 || run > 3 || groups > 0 && (run < 2 || r != sign) || groups == 0 && plain[0] == '0' {
				return "", false
			}
			short = short || groups > 0 && run == 2 // 12,34,567 as in India
			sign, run = r, 0
			groups++
		default:
			return "", false
		}
	}
	if groups > 0 && run != 3 || short && sign != ',' || len(plain)+len(part) == 0 || len(plain) > 300 {
		return "", false
	}
	return "0" + string(plain) + "." + part, true
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
