package table

import (
	"bytes"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// SniffDelimiter returns the one of , ; tab | that stands most often in the
// first line, outside quotes; but not the comma where it stands within numbers
// that another one divides. Where none does and blanks divide the lines into cells, it returns the blank.
func SniffDelimiter(text []byte) byte {
	const among = ",;\t|"
	var count [len(among)]int
	open := false
	for _, c := range text {
		if c == '"' {
			open = !open
		}
		if open {
			continue
		}
		if c == '\n' {
			break
		}
		for k := range among {
			if c == among[k] {
				count[k]++
			}
		}
	}
	best := 0
	for k := range count {
		if count[k] > count[best] {
			best = k
		}
	}
	if count[best] == 0 && ByBlanks(text, 0.25) {
		return Blank
	}
	for k := 1; k < len(among) && best == 0; k++ {
		if count[k] > 0 && allNumbers(text, among[k]) {
			best = k
		}
	}
	return among[best]
}

// Blank is the delimiter of tables in which any number of blanks and tabs divides cells.
const Blank = ' '

// A table divided by blanks shows it in its first lines: those below the first have the same number of cells, two at
// least, some of them numbers, and the first has as many, or one less where rows have names, as R writes it.
const (
	blankLines = 20 // looked at
	leastLines = 3
)

// ByBlanks reports whether blanks divide the lines of a text into the cells of a table, of which numbers are at least a share.
func ByBlanks(text []byte, share float64) bool {
	whole := text
	if at := bytes.LastIndexByte(text, '\n'); at >= 0 && bytes.Count(text, []byte{'\n'}) > leastLines {
		whole = text[:at] // the last line may be cut off
	}
	if len(whole) > 0 && whole[len(whole)-1] != '\n' {
		whole = append(bytes.Clone(whole), '\n')
	}
	d := Dialect{Delim: Blank, Longest: len(whole)}
	first, width, lines, all, numbers := 0, 0, 0, 0, 0
	var cells []Cell
	for i := 0; i < len(whole) && lines < blankLines; {
		if k := d.EmptyLine(whole, i); k > 0 {
			i += k
			continue
		}
		var bad *source.Error
		start := i
		if cells, i, _, bad = d.SplitRecord(whole, i, cells[:0]); bad != nil {
			return false
		}
		if whole[start] == '#' {
			continue
		}
		if lines++; lines == 1 {
			first = len(cells)
		} else if width == 0 {
			width = len(cells)
		}
		for _, c := range cells {
			text := c.TextIn(whole)
			if bytes.ContainsAny(text, ",;|") && whole[max(0, c.lo-1)] != '"' {
				return false
			}
			if lines > 1 {
				if all++; isNumber(text) {
					numbers++
				}
			}
		}
		if lines > 1 && len(cells) != width {
			return false
		}
	}
	return lines >= leastLines && width >= 2 && (first == width || first == width-1 && first > 1) && float64(numbers) >= share*float64(all)
}

// allNumbers reports whether the first line is numbers, with points or commas,
// with delim between them.
func allNumbers(text []byte, delim byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	for _, s := range bytes.Split(line, []byte{delim}) {
		s = bytes.TrimSpace(s)
		if _, ok, _ := ParseDecimalComma(s); !ok && !isNumber(s) {
			return false
		}
	}
	return true
}
