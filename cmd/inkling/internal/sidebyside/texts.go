package sidebyside

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/input/contents"
)

// minWord is the length of the shortest word that is marked: shorter ones are in every
// text.
const minWord = 4

// textLines is how many lines of a text are shown.
const textLines = 12

// texts writes two texts in columns. Where they have most of their words in common the
// others are marked, else those in common.
func (s Style) texts(out *strings.Builder, a, b string, both *contents.Both[string]) {
	half := (s.Width - 1 - 3) / 2
	x, y := newWords(both.A), newWords(both.B)
	shared, all := 0, 0
	for w := range x.set {
		all++
		if y.set[w] {
			shared++
		}
	}
	for w := range y.set {
		if !x.set[w] {
			all++
		}
	}
	markShared := 2*shared < all
	isMarked := func(w string) bool { return (x.set[w] && y.set[w]) == markShared }
	left, right := s.column(x.list, half, isMarked), s.column(y.list, half, isMarked)
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	fmt.Fprintf(out, "%s | %s\n", s.bold(padRight(clip(a, half), half)), s.bold(clip(b, half)))
	for i := range max(len(left), len(right)) {
		var l, r textLine
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		fmt.Fprintln(out, strings.TrimRight(l.text+strings.Repeat(" ", half-l.width)+" | "+r.text, " "))
	}
	switch {
	case all == 0:
	case shared == 0:
		fmt.Fprintln(out, s.soft("no word is in both texts"))
	case markShared:
		fmt.Fprintln(out, s.soft(fmt.Sprintf("%d of %d words are in both texts; those are marked", shared, all)))
	case shared < all:
		fmt.Fprintln(out, s.soft(fmt.Sprintf("%d of %d words are in both texts; the others are marked", shared, all)))
	default:
		fmt.Fprintln(out, s.soft("both texts have the same words"))
	}
}

// words are those of a text: as they stand there, and as a set of those that can be marked.
type words struct {
	list []string
	set  map[string]bool
}

func newWords(text string) words {
	w := words{set: map[string]bool{}}
	for _, word := range strings.Fields(text) {
		w.list = append(w.list, terminal.Printable(word))
		if key := wordKey(word); key != "" {
			w.set[key] = true
		}
	}
	return w
}

// wordKey is a word without the signs around it, in lower case; "" for one that is never
// marked.
func wordKey(word string) string {
	word = strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }))
	if len([]rune(word)) < minWord {
		return ""
	}
	return word
}

// A textLine is text with marks, and how wide it is without them.
type textLine struct {
	text  string
	width int
}

// column breaks words into lines of at most half columns.
func (s Style) column(list []string, half int, isMarked func(string) bool) (lines []textLine) {
	var line textLine
	for i, word := range list {
		word = clip(word, half-2)
		key, shown := wordKey(word), word
		if key != "" && isMarked(key) {
			if shown = s.mark(word); !s.Colour {
				shown = "*" + word + "*"
				word = shown
			}
		}
		if line.width > 0 && line.width+1+width(word) > half {
			if lines = append(lines, line); len(lines) == textLines {
				rest := fmt.Sprintf("… %d more words", len(list)-i)
				return append(lines, textLine{s.soft(rest), width(rest)})
			}
			line = textLine{}
		}
		if line.width > 0 {
			line.text += " "
			line.width++
		}
		line.text += shown
		line.width += width(word)
	}
	return append(lines, line)
}
