package table

import (
	"bytes"
	"slices"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// skipComments returns the length of the lines of comments that text starts with, and how many they are. A line
// that begins with # is the header where the line after it has as many cells, one of them a number.
func (t *Table) skipComments(text []byte) (length, lines int) {
	for length < len(text) {
		rest := text[length:]
		if rest[0] == '#' {
			line, after, more := bytes.Cut(rest, []byte{'\n'})
			if len(line) > t.Longest {
				return length, lines // refused as any line that is too long
			}
			delim := t.Delim
			if delim == 0 {
				delim = SniffDelimiter(after)
			}
			next, _, _ := bytes.Cut(after, []byte{'\n'})
			if n := bytes.Count(line, []byte{delim}); !more || n > 0 && n == bytes.Count(next, []byte{delim}) && hasNumber(next, delim) {
				return length, lines
			}
			length += len(line) + 1
			lines++
			continue
		}
		k := t.EmptyLine(text, length)
		if lines == 0 || k == 0 {
			return length, lines
		}
		length += k
		lines++
	}
	return length, lines
}

func hasNumber(line []byte, delim byte) bool {
	return slices.ContainsFunc(bytes.Split(line, []byte{delim}), func(s []byte) bool { return isNumber(bytes.TrimSpace(s)) })
}

// rowsAreLonger reports whether the first rows of text, two at least, have one cell more than the header: so R writes tables with
// names of rows.
func (t *Table) rowsAreLonger(text []byte, header int) bool {
	var cells []Cell
	rows := 0
	for i := 0; i < len(text) && rows < 10; {
		if k := t.EmptyLine(text, i); k > 0 {
			i += k
			continue
		}
		var bad *source.Error
		if cells, i, _, bad = t.SplitRecord(text, i, cells[:0]); bad != nil {
			break
		}
		if len(cells) != header+1 {
			return false
		}
		rows++
	}
	return rows > 1
}

// rowNames returns a name for the column of names of rows that no other column has.
func rowNames(names []string) string {
	for _, name := range []string{"id", "row", "row_name"} {
		if !slices.Contains(names, name) {
			return name
		}
	}
	return "row names"
}
