// Package sidebyside writes two rows beside each other for people at a terminal, with
// what differs marked: by a star, and in colour where the terminal has it.
package sidebyside

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/support/format"
)

// shownFields is how many columns of a table are shown, cellLines how many lines of a cell.
const (
	shownFields = 14
	cellLines   = 3
)

// Pair returns rows a and b as lines.
func (s Style) Pair(a, b string, p contents.Pair) string {
	var out strings.Builder
	if p.Colours != nil {
		p.Fields = append(p.Fields, contents.Field{Column: "colour", A: hex(p.Colours.A), B: hex(p.Colours.B)})
	}
	if len(p.Fields) > 0 {
		s.fields(&out, a, b, p)
	}
	if p.Texts != nil {
		s.texts(&out, a, b, p.Texts)
	}
	if p.Neighbours != nil {
		s.neighbours(&out, a, b, p)
	}
	return out.String()
}

// fields writes a table: a line for each column, the rows beside each other.
func (s Style) fields(out *strings.Builder, a, b string, p contents.Pair) {
	shown := contents.MostDifferent(p.Fields, shownFields)
	name, value, numbers := 0, max(width(a), width(b)), true
	for _, f := range shown {
		name = max(name, width(f.Column))
		value = max(value, width(f.A), width(f.B))
		numbers = numbers && isNumber(f.A) && isNumber(f.B)
	}
	room := s.Width - 1 - len(margin) - 2*len(gap) // of a line, without its last column
	value = max(value, 8)
	name = min(name, max(8, room/3, room-2*value))
	value = min(value, (room-name)/2)
	cell := padRight
	if numbers {
		cell = padLeft
	}
	fmt.Fprintf(out, "%s%s%s%s%s%s\n", margin, padRight("", name), gap, s.bold(cell(clip(a, value), value)), gap, s.bold(strings.TrimRight(cell(clip(b, value), value), " ")))
	for _, f := range shown {
		x, y := wrap(shownCell(f.A), value, cellLines), wrap(shownCell(f.B), value, cellLines)
		for i := range max(len(x), len(y)) {
			column, mark := "", margin
			if i == 0 {
				column = clip(f.Column, name)
				if f.Differs {
					mark = marked
				}
			}
			line := padRight(column, name) + gap + cell(lineAt(x, i), value) + gap + strings.TrimRight(cell(lineAt(y, i), value), " ")
			if f.Differs {
				line = s.mark(line)
			}
			fmt.Fprintf(out, "%s%s%s\n", mark, line, s.swatches(f, p))
		}
	}
	if more := len(p.Fields) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s%s\n", margin, s.soft(clip(format.Count(more, "column")+" more, in which they differ less", s.Width-1-len(margin))))
	}
}

const (
	margin = "    "
	marked = "  * "
	gap    = "  "
)

// swatches shows two colours.
func (s Style) swatches(f contents.Field, p contents.Pair) string {
	if !s.Colour || p.Colours == nil || f.Column != "colour" {
		return ""
	}
	square := func(c [3]uint8) string { return fmt.Sprintf("\x1b[48;2;%d;%d;%dm    \x1b[0m", c[0], c[1], c[2]) }
	return gap + square(p.Colours.A) + " " + square(p.Colours.B)
}

func hex(c [3]uint8) string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

func isNumber(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil || cell == ""
}

// shownCell is a cell for a terminal; missing ones are dashes.
func shownCell(text string) string {
	if text == "" {
		return "–"
	}
	return terminal.Printable(text)
}

// neighbours writes two lists, those in common marked.
func (s Style) neighbours(out *strings.Builder, a, b string, p contents.Pair) {
	half := (s.Width - 1 - len(gap)) / 2
	list := func(n contents.Neighbours) (lines []string, common []bool) {
		lines = append(lines, margin+fmt.Sprintf("%s, %d in common", format.Count(n.Count, "neighbour"), n.Common))
		common = append(common, false)
		for _, m := range n.List {
			mark := margin
			if m.Common {
				mark = marked
			}
			weight := ""
			if m.Weight != 1 {
				weight = " (" + format.Number(m.Weight) + ")"
			}
			lines, common = append(lines, mark+clip(m.ID, half-len(mark)-len(weight))+weight), append(common, m.Common)
		}
		if more := n.Count - len(n.List); more > 0 {
			lines, common = append(lines, margin+fmt.Sprintf("and %d more", more)), append(common, false)
		}
		return lines, common
	}
	x, commonX := list(p.Neighbours.A)
	y, commonY := list(p.Neighbours.B)
	fmt.Fprintf(out, "%s%s%s\n", s.bold(padRight(margin+clip(a, half-len(margin)), half)), gap, s.bold(margin+clip(b, half-len(margin))))
	for i := range max(len(x), len(y)) {
		left, right := padRight(lineAt(x, i), half), lineAt(y, i)
		if i < len(x) && commonX[i] {
			left = s.mark(left)
		}
		if i < len(y) && commonY[i] {
			right = s.mark(right)
		}
		fmt.Fprintln(out, strings.TrimRight(left+gap+right, " "))
	}
	fmt.Fprintf(out, "%s%s\n", margin, s.soft(joinedBy(p)))
}

func joinedBy(p contents.Pair) string {
	text := "no edge joins them"
	if p.Joined != nil {
		text = "joined with weight " + format.Number(*p.Joined)
	}
	if p.Neighbours.A.Common > 0 {
		text += "; neighbours of both are marked"
	}
	return text
}
