package dedupe

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A kind is what the cells of a field are. It decides how they are normalised and compared.
type kind int8

const (
	text kind = iota
	person
	email
	phone
	address
	date
	code
	number
	kindCount
)

var kindNames = [kindCount]string{"text", "person", "email", "phone", "address", "date", "code", "number"}

func (k kind) String() string { return kindNames[k] }

// Kinds returns the names of the kinds of fields, as they stand in Records.Kinds.
func Kinds() []string { return slices.Clone(kindNames[:]) }

// kindsOf returns the kind of each field: as given, else by the cells and the name.
func (r *Records) kindsOf() ([]kind, error) {
	out := make([]kind, len(r.Fields))
	for f := range out {
		name := ""
		if f < len(r.Kinds) {
			name = r.Kinds[f]
		}
		if name == "" {
			out[f] = detectKind(r.Fields[f], r.Cells[f])
			continue
		}
		k := slices.Index(kindNames[:], name)
		if k < 0 {
			return nil, &OptionError{"compare", fmt.Sprintf("the kind of %s must be one of %s, got %q", r.Fields[f], strings.Join(kindNames[:], ", "), name)}
		}
		out[f] = kind(k)
	}
	return out, nil
}

const (
	kindSample  = 2000 // cells that a kind is decided by
	mostOfCells = 0.7
)

// Parts of column names that speak for a kind, in a few languages.
var (
	phoneWords   = []string{"phone", "tel", "mobile", "mobil", "fax", "handy"}
	personWords  = []string{"name", "first", "last", "surname", "given", "family", "vorname", "nachname", "author", "prénom", "prenom", "nom", "nombre", "apellido", "person", "contact", "patient", "owner", "inhaber", "cognome"}
	thingWords   = []string{"company", "firm", "organi", "product", "file", "brand", "hotel", "restaurant", "user", "city", "country", "street", "place"}
	addressWords = []string{"address", "street", "adresse", "straße", "strasse", "rue", "road", "dirección", "direccion", "indirizzo", "addr"}
	codeWords    = []string{"zip", "post", "plz", "code", "isbn", "ean", "sku", "number", "nr", "ssn", "vat"}
)

func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

// detectKind decides by the cells, in doubt text; the name of the column decides only between kinds
// that look alike.
func detectKind(name string, cells []string) kind {
	name = strings.ToLower(name)
	step := max(1, len(cells)/kindSample)
	var total, emails, phones, marked, dates, numbers, fractions, coded, houses, letters float64
	length, sameLength := 0, true
	for i := 0; i < len(cells); i += step {
		cell := strings.TrimSpace(cells[i])
		tokens := normalise(cell, text).tokens
		if len(tokens) == 0 {
			continue
		}
		total++
		digits, other, words := shapeOf(cell)
		if isEmail(cell) {
			emails++
		}
		if _, ok := phoneDigits(cell); ok {
			phones++
			if strings.ContainsAny(cell, "+()/ ") || cell[0] == '0' {
				marked++
			}
		}
		if _, ok := parseDate(cell, true); ok {
			dates++
		}
		if v, ok := parseNumber(cell); ok {
			numbers++
			if v != math.Trunc(v) {
				fractions++
			}
			if length == 0 {
				length = len(cell)
			}
			sameLength = sameLength && length == len(cell)
		}
		if digits > 0 && words <= 2 && digits+other <= 24 {
			coded++
		}
		if digits > 0 && other >= 3 && words >= 2 {
			houses++
		}
		if digits == 0 && words <= 5 {
			letters++
		}
	}
	most := mostOfCells * total
	switch {
	case total == 0:
		return text
	case emails >= most:
		return email
	case dates >= most:
		return date
	case phones >= most && (hasWord(name, phoneWords) || marked >= 0.3*total && !hasWord(name, codeWords)):
		return phone
	case numbers >= most && sameLength && (length >= 5 || hasWord(name, codeWords)) && fractions == 0:
		return code
	case numbers >= most:
		if hasWord(name, codeWords) && fractions == 0 {
			return code
		}
		return number
	case houses >= 0.5*total && hasWord(name, addressWords):
		return address
	case coded >= most:
		return code
	case letters >= 0.9*total && hasWord(name, personWords) && !hasWord(name, thingWords):
		return person
	}
	return text
}

// shapeOf counts the digits, the letters and the words of a cell.
func shapeOf(cell string) (digits, letters, words int) {
	inWord := false
	for _, r := range cell {
		switch {
		case unicode.IsDigit(r):
			digits++
			words += boolInt(!inWord)
			inWord = true
		case unicode.IsLetter(r):
			letters++
			words += boolInt(!inWord)
			inWord = true
		case r == ' ' || r == ',' || r == ';':
			inWord = false
		}
	}
	return digits, letters, words
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func isEmail(cell string) bool {
	at := strings.IndexByte(cell, '@')
	return at > 0 && at == strings.LastIndexByte(cell, '@') && strings.IndexByte(cell[at:], '.') > 1 && !strings.ContainsAny(cell, " \t")
}

// parseNumber reads a number with either decimal mark, a currency or a unit beside it, or
// minutes and seconds.
func parseNumber(cell string) (float64, bool) {
	cell = strings.TrimSpace(cell)
	if m, s, ok := strings.Cut(cell, ":"); ok && isDigits(m) && isDigits(s) && len(s) == 2 {
		a, _ := strconv.Atoi(m)
		b, _ := strconv.Atoi(s)
		return float64(60*a + b), len(m) <= 3
	}
	cell = strings.Trim(cell, "€$£¥% \u00a0")
	if unit := strings.IndexFunc(cell, unicode.IsLetter); unit > 0 && len(cell)-unit <= 3 {
		cell = strings.TrimSpace(cell[:unit])
	}
	if cell == "" || len(cell) > 20 || strings.Trim(cell, "0123456789.,'-+ ") != "" {
		return 0, false
	}
	cell = strings.ReplaceAll(strings.ReplaceAll(cell, "'", ""), " ", "")
	comma, point := strings.LastIndexByte(cell, ','), strings.LastIndexByte(cell, '.')
	switch {
	case comma >= 0 && point >= 0 && comma > point: // 1.234,50
		cell = strings.Replace(strings.ReplaceAll(cell, ".", ""), ",", ".", 1)
	case comma >= 0 && point >= 0:
		cell = strings.ReplaceAll(cell, ",", "")
	case comma >= 0 && strings.Count(cell, ",") == 1 && len(cell)-comma != 4:
		cell = strings.Replace(cell, ",", ".", 1)
	case comma >= 0:
		cell = strings.ReplaceAll(cell, ",", "")
	}
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// parseDate reads year, month and day, as yyyymmdd; dayFirst decides where both orders are possible.
func parseDate(cell string, dayFirst bool) (int, bool) {
	if t := strings.IndexAny(cell, "T "); t >= 8 && strings.Contains(cell[t:], ":") {
		cell = cell[:t]
	}
	var part [3]int
	var width [3]int
	at := 0
	for i, r := range cell {
		switch {
		case r >= '0' && r <= '9':
			if width[at] == 4 {
				return 0, false
			}
			part[at], width[at] = 10*part[at]+int(r-'0'), width[at]+1
		case (r == '-' || r == '/' || r == '.' || r == ' ') && i > 0:
			if width[at] == 0 {
				continue // 7. 9. 1954
			}
			if at++; at > 2 {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	if at != 2 || width[2] == 0 {
		return 0, false
	}
	y, m, d := part[0], part[1], part[2]
	if width[0] != 4 {
		y, m, d = part[2], part[1], part[0]
		if m > 12 || !dayFirst && d <= 12 {
			m, d = d, m
		}
		if width[2] == 2 {
			y += 1900
			if y < 1930 {
				y += 100
			}
		} else if width[2] != 4 {
			return 0, false
		}
	}
	if y < 1000 || y > 2999 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	return y*10000 + m*100 + d, true
}

// dayFirst reports whether dates with the year last have the day first, by those that can be read
// in one way only.
func dayFirst(cells []string) bool {
	day, month := 0, 0
	for i := 0; i < len(cells); i += max(1, len(cells)/kindSample) {
		a, okA := parseDate(cells[i], true)
		b, okB := parseDate(cells[i], false)
		if okA && okB && a == b {
			parts := strings.FieldsFunc(cells[i], func(r rune) bool { return !unicode.IsDigit(r) })
			if len(parts) > 1 && len(parts[0]) <= 2 {
				first, _ := strconv.Atoi(parts[0])
				second, _ := strconv.Atoi(parts[1])
				if first > 12 {
					day++
				} else if second > 12 {
					month++
				}
			}
		}
	}
	return day >= month
}

// Dates returns the cells of a column as yyyymmdd, 0 where a cell is no date. Times of day do not count.
func Dates(cells []string) []int {
	days, out := dayFirst(cells), make([]int, len(cells))
	for i, c := range cells {
		out[i], _ = parseDate(strings.TrimSpace(c), days)
	}
	return out
}
