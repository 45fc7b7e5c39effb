package sidebyside

import (
	"strings"
	"unicode"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
)

// A Style is how wide the lines are, and whether they are in colours.
type Style struct {
	Width  int
	Colour bool
}

// wide are the letters that take two columns of a terminal.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0xa4cf, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// width is how many columns of a terminal a text takes.
func width(text string) (n int) {
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// clip makes a text printable and cuts it to most columns.
func clip(text string, most int) string {
	text = terminal.Printable(text)
	if width(text) <= most {
		return text
	}
	head, _ := cut(text, max(0, most-1))
	return head + "…"
}

// cut returns the beginning of a text that takes at most n columns, and the rest.
func cut(text string, n int) (head, rest string) {
	for i, r := range text {
		if n -= runeWidth(r); n < 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// wrap breaks a text into at most lines lines of n columns, at spaces where there are any.
func wrap(text string, n, lines int) (out []string) {
	for width(text) > n {
		if len(out) == lines-1 {
			return append(out, clip(text, n))
		}
		head, rest := cut(text, n)
		if head == "" { // not even one letter fits
			return append(out, "…")
		}
		if at := strings.LastIndexByte(head, ' '); at > 0 && rest[0] != ' ' {
			head, rest = head[:at], head[at:]+rest
		}
		out, text = append(out, strings.TrimRight(head, " ")), strings.TrimLeft(rest, " ")
	}
	return append(out, text)
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func padRight(text string, n int) string { return text + strings.Repeat(" ", max(0, n-width(text))) }

func padLeft(text string, n int) string { return strings.Repeat(" ", max(0, n-width(text))) + text }

func (s Style) paint(sequence, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return sequence + text + "\x1b[0m"
}

func (s Style) mark(text string) string { return s.paint("\x1b[1;33m", text) }
func (s Style) bold(text string) string { return s.paint("\x1b[1m", text) }

// Lines breaks a text into lines that fit.
func (s Style) Lines(text string) []string {
	return wrap(terminal.Printable(text), s.Width-1, len(text)+1)
}

// Heading paints a line that is the subject of those below it.
func (s Style) Heading(text string) string { return s.bold(text) }

// Soft paints a line that matters less than those around it.
func (s Style) Soft(text string) string { return s.soft(text) }

func (s Style) soft(text string) string { return s.paint("\x1b[2m", text) }
