package terminal

import (
	"strconv"
	"strings"
	"unicode"
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

func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
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
