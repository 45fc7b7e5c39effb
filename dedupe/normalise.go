package dedupe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on what is kept of one cell.
const (
	maxTokens     = 24 // of a cell
	maxTokenRunes = 40
	mostCounted   = 3 // digits of a number that counts something: a volume, a size
	mostUnit      = 3 // letters of what it counts
)

// missingWords are cells, normalised, that other programs write where there is no value.
var missingWords = map[string]bool{"na": true, "n a": true, "nan": true, "null": true, "none": true, "nil": true, "unknown": true, "missing": true, "tbd": true}

// folded has letters with accents and ligatures, in lower case, and what they become.
var folded = foldings(
	"a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặ", "b", "ḃ", "c", "çćĉċč", "d", "ďđðḍ", "e", "èéêëēĕėęěẹẻẽếềểễệ", "f", "ƒ", "g", "ĝğġģǧ",
	"h", "ĥħḥ", "i", "ìíîïĩīĭįıǐịỉ", "j", "ĵ", "k", "ķĸǩ", "l", "ĺļľŀłḷ", "n", "ñńņňŉŋṇ", "o", "òóôõöøōŏőǒọỏốồổỗộớờởỡợơ",
	"r", "ŕŗřṛ", "s", "śŝşšșṣ", "t", "ţťŧțṭ", "u", "ùúûüũūŭůűųǔụủứừửữựư", "w", "ŵẁẃẅ", "y", "ýÿŷỳỵỷỹ", "z", "źżžẓ",
	"ss", "ß", "ae", "æ", "oe", "œ", "th", "þ",
	// Cyrillic and Greek letters as they are commonly written in Latin ones.
	"a", "аαά", "b", "б", "v", "вβ", "g", "гґγ", "d", "дδ", "e", "еэєεέ", "zh", "ж", "z", "зζ", "i", "иіїηήιίϊ", "j", "й", "k", "кκ", "l", "лλ", "m", "мμ", "n", "нν",
	"o", "оοόωώ", "p", "пπ", "r", "рρ", "s", "сσς", "t", "тτ", "u", "уύ", "f", "фφ", "kh", "х", "ch", "чχ", "ts", "ц", "sh", "ш", "shch", "щ", "y", "ыυ", "yu", "ю", "ya", "я",
	"yo", "ё", "x", "ξ", "ps", "ψ", "th", "θ", "", "ьъ",
)

func foldings(pairs ...string) map[rune]string {
	m := map[rune]string{}
	for i := 0; i < len(pairs); i += 2 {
		for _, r := range pairs[i+1] {
			m[r] = pairs[i]
		}
	}
	return m
}

// umlauts are two ways to write one sound: after folding, ü is u and ue becomes it.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// normalised is a cell as it is compared: its tokens; digits says that it is one
// number, such as a phone number, whatever stands between its digits.
type normalised struct {
	tokens []string
	digits bool
	prose  bool    // of a field of texts
	kind   kind    // date or number where the cell was read as one, else what the field is
	value  float64 // of a number, and of a date as yyyymmdd
}

// Normalise returns the tokens by which a cell is compared, separated by blanks; "" for
// a missing one. Case, accents and punctuation do not count, nor does how a
// phone number is grouped.
func Normalise(cell string) string { return strings.Join(normalise(cell, text).tokens, " ") }

// normalise returns a cell of a field of kind k as it is compared. What does not look like its
// kind is a text.
func normalise(cell string, k kind) normalised {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return normalised{}
	}
	if k != number && k != date && k != code {
		if digits, ok := phoneDigits(cell); ok {
			return normalised{tokens: []string{digits}, digits: true}
		}
	}
	mail := strings.Count(cell, "@") == 1 && !strings.ContainsAny(cell, " \t")
	if mail {
		if at := strings.IndexByte(cell, '@'); at > 0 { // anna+shop@ is the mailbox of anna@
			if plus := strings.IndexByte(cell[:at], '+'); plus > 0 {
				cell = cell[:plus] + cell[at:]
			}
		}
	}
	n := normalised{tokens: tokensOf(cell)}
	if missingWords[strings.Join(n.tokens, " ")] {
		return normalised{}
	}
	switch k {
	case text:
		n.tokens = plainCounts(n.tokens)
	case address:
		for i, t := range n.tokens {
			if short, ok := streetWords[t]; ok {
				n.tokens[i] = short
			}
		}
	case code:
		if joined := strings.Join(n.tokens, ""); len(joined) <= maxTokenRunes && len(n.tokens) <= 6 {
			n.tokens = []string{joined}
		}
	}
	return n
}

// plainCounts writes numbers that count something in one way: 16l is 16 l, 2nd is 2 nd, III is 3.
func plainCounts(tokens []string) (out []string) {
	for _, t := range tokens {
		if n, ok := romans[t]; ok {
			t = n
		}
		digits := len(t) - len(strings.TrimLeft(t, "0123456789"))
		letters := len(t) - digits
		if digits < 1 || digits > mostCounted || letters < 1 || letters > mostUnit || strings.ContainsAny(t[digits:], "0123456789") {
			out = append(out, t)
			continue
		}
		out = append(out, strings.TrimLeft(t[:digits-1], "0")+t[digits-1:digits], t[digits:])
	}
	return out[:min(len(out), maxTokens)]
}

// romans are the numbers of volumes and sequels that are no initials.
var romans = map[string]string{"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12"}

// isCount reports whether a token is a number that counts something. Longer ones are codes or years.
func isCount(t string) bool { return len(t) <= mostCounted && isDigits(t) }

// streetWords are words of addresses, normalised, and how they are shortened.
var streetWords = map[string]string{"street": "st", "str": "st", "strasse": "st", "road": "rd", "avenue": "ave", "av": "ave", "boulevard": "blvd", "bd": "blvd",
	"lane": "ln", "drive": "dr", "place": "pl", "platz": "pl", "square": "sq", "court": "ct", "saint": "st", "apartment": "apt", "floor": "fl",
	"north": "n", "south": "s", "east": "e", "west": "w", "highway": "hwy", "parkway": "pkwy", "calle": "c", "piazza": "p"}

// tokensOf splits a cell at everything but letters and digits, folded.
func tokensOf(cell string) (tokens []string) {
	var b strings.Builder
	runes := 0
	flush := func() {
		if b.Len() == 0 {
			return
		}
		t := umlauts.Replace(b.String())
		if trimmed := strings.TrimLeft(t, "0"); trimmed != "" && isDigits(t) { // 03 of a date is 3
			t = trimmed
		}
		tokens = append(tokens, t)
		b.Reset()
		runes = 0
	}
	for _, r := range cell {
		if len(tokens) == maxTokens {
			break
		}
		switch {
		case r == utf8.RuneError || r == '\'' || r == '’' || r == '`' || unicode.Is(unicode.Mn, r): // O'Neil is one token
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if runes == maxTokenRunes {
				continue
			}
			runes++
			r = unicode.ToLower(r)
			if s, ok := folded[r]; ok {
				b.WriteString(s)
			} else {
				b.WriteRune(r)
			}
		default:
			flush()
		}
	}
	flush()
	if len(tokens) > maxTokens {
		tokens = tokens[:maxTokens]
	}
	return tokens
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// phoneDigits returns the digits of a cell that is made of at least six digits and what
// stands between those of a phone number. A date is not one.
func phoneDigits(cell string) (string, bool) {
	count, groups, inGroup := 0, 0, false
	dateMarks := true // nothing but - / . between digits
	for _, r := range cell {
		switch {
		case r >= '0' && r <= '9':
			count++
			if !inGroup {
				groups++
			}
			inGroup = true
			continue
		case strings.ContainsRune("-/.", r):
		case strings.ContainsRune(" +()\t\u00a0", r):
			dateMarks = false
		default:
			return "", false
		}
		inGroup = false
	}
	if count < 6 || groups == 3 && dateMarks && count <= 8 {
		return "", false
	}
	var b strings.Builder
	for _, r := range cell {
		if r >= '0' && r <= '9' && b.Len() < maxTokenRunes {
			b.WriteRune(r)
		}
	}
	digits := strings.TrimLeft(b.String(), "0")
	if digits == "" {
		return "0", true
	}
	return digits, true
}
