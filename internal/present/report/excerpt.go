package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a piece of a text; a marked one is a telling word of its cluster.
type Span struct {
	Text   string
	Marked bool
}

// How a text is shown.
const (
	excerptLength = 260 // runes
	wordsMarked   = 40  // of each cluster
)

// excerpt returns the beginning of a text, blanks made single, with the telling
// words marked: single words, and pairs of words in the form "first second".
func excerpt(text string, telling map[string]bool) (out []Span) {
	text = beginning(text)
	var plain strings.Builder
	var last, between string // the word before, and what stands after it
	flush := func() {
		if plain.Len() > 0 {
			out = append(out, Span{Text: plain.String()})
			plain.Reset()
		}
	}
	for len(text) > 0 {
		word, rest := cutWord(text)
		if word == "" {
			_, size := utf8.DecodeRuneInString(text)
			plain.WriteString(text[:size])
			between += text[:size]
			text = text[size:]
			continue
		}
		lower := strings.ToLower(strings.ReplaceAll(word, "’", "'"))
		switch paired := telling[last+" "+lower]; {
		case paired && len(out) > 0 && out[len(out)-1].Marked && plain.String() == between: // the first of the pair is marked
			out[len(out)-1].Text += between + word
			plain.Reset()
		case paired && strings.HasSuffix(strings.ToLower(plain.String()), last+between):
			before := plain.String()
			first := before[len(before)-len(last)-len(between):]
			plain.Reset()
			plain.WriteString(before[:len(before)-len(first)])
			flush()
			out = append(out, Span{first + word, true})
		case telling[lower]:
			flush()
			out = append(out, Span{word, true})
		default:
			plain.WriteString(word)
		}
		last, between, text = lower, "", rest
	}
	flush()
	return out
}

// beginning returns the first runes of a text, cut between words.
func beginning(text string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			blank = b.Len() > 0
			continue
		}
		if n >= excerptLength && blank || n >= excerptLength+40 {
			return b.String() + " …"
		}
		if blank {
			b.WriteByte(' ')
			n++
		}
		b.WriteRune(r)
		n, blank = n+1, false
	}
	return b.String()
}

// cutWord returns the word that text begins with, "" where it does not begin with
// one, and the rest.
func cutWord(text string) (word, rest string) {
	end := 0
	for at, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsNumber(r) || end > 0 && unicode.IsMark(r)
		if !inside && (end == 0 || r != '\'' && r != '’') {
			break
		}
		if inside {
			end = at + utf8.RuneLen(r)
		} else if next, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):]); !unicode.IsLetter(next) {
			break
		}
	}
	return text[:end], text[end:]
}
