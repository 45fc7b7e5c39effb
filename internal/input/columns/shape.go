package columns

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A shape is what the cells of a column look like that identify a row or a thing and say
// nothing about how alike rows are.
type shape struct {
	name string // in the plural, for people
	is   func(string) bool
}

// shapes are tried in turn; the first that nearly all cells have is it.
var shapes = []shape{
	{"e-mail addresses", isEmail},
	{"web addresses", isURL},
	{"account numbers (IBAN)", isIBAN},
	{"UUIDs", isUUID},
	{"IP addresses", isIP},
	{"version numbers", isVersion},
	{"file names", isFileName},
	{"hashes", isHash},
	{"phone numbers", isPhone},
}

// shapeShare is the share of the cells that decides on a shape.
const shapeShare = 0.9

// shapeOf returns the shape of the texts of a column with their counts, "" where there is none.
func shapeOf(all map[string]int) string {
	total := 0
	for _, k := range all {
		total += k
	}
	for _, s := range shapes {
		bad := 0
		for text, k := range all {
			if !s.is(text) {
				if bad += k; float64(bad) > (1-shapeShare)*float64(total) {
					break
				}
			}
		}
		if float64(bad) <= (1-shapeShare)*float64(total) {
			return s.name
		}
	}
	return ""
}

func isEmail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.IndexByte(host, '.') > 0 && !strings.ContainsAny(s, " ,;") && !strings.HasSuffix(host, ".")
}

func isURL(s string) bool {
	l := strings.ToLower(s)
	return !strings.ContainsAny(s, " ") && (strings.HasPrefix(l, "http://") || strings.HasPrefix(l, "https://") || strings.HasPrefix(l, "ftp://") || strings.HasPrefix(l, "www.") && strings.Count(l, ".") > 1)
}

// isIBAN reports whether s has the form of an IBAN (ISO 13616); test data often has wrong check
// digits, so these are not required.
func isIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 15 || len(s) > 34 || !upper(s[0]) || !upper(s[1]) || !allDigits(s[2:4]) {
		return false
	}
	digits := 0
	for i := 4; i < len(s); i++ {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			digits++
		case !upper(s[i]):
			return false
		}
	}
	return digits >= 8
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !(s[i] >= '0' && s[i] <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return s != ""
}

func isUUID(s string) bool {
	s = strings.Trim(s, "{}")
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHex(strings.ReplaceAll(s, "-", ""))
}

func isHash(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return len(s) >= 12 && isHex(s) && strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToLower(s), "abcdef")
}

func isIP(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return strings.Count(s, ":") >= 4 && isHex(strings.ReplaceAll(s, ":", ""))
	}
	for _, p := range parts {
		if !allDigits(p) || len(p) > 3 || number(p, 3) > 255 {
			return false
		}
	}
	return true
}

// isVersion reports whether s is a version such as 2.10.3 or v1.2-rc1: three numbers, or two
// after a v.
func isVersion(s string) bool {
	rest := strings.TrimLeft(s, "vV")
	marked := len(s)-len(rest) == 1
	rest, _, _ = strings.Cut(rest, "-")
	rest, _, _ = strings.Cut(rest, "+")
	parts := strings.Split(rest, ".")
	if len(parts) < 2 || len(parts) < 3 && !marked || len(parts) > 4 || len(s) > 24 {
		return false
	}
	for _, p := range parts {
		if !allDigits(p) || len(p) > 4 {
			return false
		}
	}
	// 31.12.2024 is a date.
	_, _, date := parseDate(s, true)
	return !date
}

func isFileName(s string) bool {
	if strings.ContainsAny(s, "@ ") && !strings.ContainsAny(s, "/\\") {
		return false
	}
	dot := strings.LastIndexByte(s, '.')
	if dot <= 0 || len(s)-dot < 3 || len(s)-dot > 6 {
		return false
	}
	switch strings.ToLower(s[dot+1:]) {
	case "jpg", "jpeg", "png", "gif", "tif", "tiff", "bmp", "svg", "pdf", "doc", "docx", "xls", "xlsx", "csv", "tsv", "txt", "json", "jsonl", "xml", "html", "htm", "zip", "gz", "tar", "parquet", "npy", "wav", "mp3", "mp4", "mov", "avi", "log", "dat", "py", "go", "js", "fasta", "fastq", "bam", "vcf", "nii", "dcm":
		return true
	}
	return false
}

// isPhone reports whether s has the signs of a phone number: a plus or a leading zero, or dashes and
// parentheses between groups, and 7 to 15 digits.
func isPhone(s string) bool {
	digits, signs, groups := 0, 0, 0
	inside := false
	for at, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
			if !inside {
				groups++
			}
			inside = true
			continue
		case r == '+' && at == 0:
			signs++
		case r == '(' || r == ')' || r == '-' || r == '/':
			signs++
		case r == ' ' || r == '.' || r == '\u00a0':
		default:
			return false
		}
		inside = false
	}
	if _, _, date := parseDate(s, true); date || digits < 7 || digits > 15 {
		return false
	}
	return signs > 0 && (s[0] == '+' || groups > 2) || s[0] == '0' && groups > 1
}

// looksLikeID reports whether s is one word with a digit in it, as ids are.
func looksLikeID(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, " ,") && utf8.RuneCountInString(s) <= 40
}

// isAddress reports whether s looks like a street with a number before or after it.
func isAddress(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) < 2 || len(words) > 8 || strings.ContainsAny(s, ":%") {
		return false
	}
	capitals := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			capitals++
		}
	}
	first, last := words[0], words[len(words)-1]
	if year := number(last, 4); len(last) == 4 && year >= 1900 && year < 2100 && !startsWithDigit(first) { // a name and a year
		return false
	}
	house := first[0] >= '0' && first[0] <= '9' && len(first) <= 5 || last[0] >= '0' && last[0] <= '9' && len(last) <= 5
	return house && 2*capitals >= len(words)-1
}
