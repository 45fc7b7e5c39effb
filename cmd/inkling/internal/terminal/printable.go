package terminal

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a line with what could move the cursor, change colours or
// turn the text around written out, as \n or \x1b: names come from files that
// anybody may have made.
func Printable(line string) string {
	if strings.IndexFunc(line, unprintable) < 0 {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if unprintable(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable holds for control characters, for those that turn the direction of text
// around or have no width (category Cf), and for line breaks of Unicode.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// printableText is Printable for a text whose line breaks and tabs stay.
func printableText(text string) string {
	inside := func(r rune) bool { return r != '\n' && r != '\t' && unprintable(r) }
	if strings.IndexFunc(text, inside) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if inside(r) {
			b.WriteString(Printable(string(r)))
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// incomplete returns how many bytes at the end are the beginning of a letter.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if b < utf8.RuneSelf || utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Clip cuts a name that is longer than most letters.
func Clip(name string, most int) string {
	if len(name) <= most {
		return name
	}
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// PrintableLines is Printable for each line of a text.
func PrintableLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(Printable(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}
