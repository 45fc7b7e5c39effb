package table

import "bytes"

// Reports and exports have lines above the header: a title, a date, with one or two cells filled of as many as the table has columns. The header
// is the first line below them in which nearly all cells are filled, none with a number.
const (
	titleLooked  = 30 // lines that are looked at
	titleWidth   = 3  // columns of a table below a title, at least
	titlePairs   = 5  // columns from which on a line of a title may have two cells
	titleFilled  = 0.8
	rowsOfHeader = 2 // lines as wide as the header that stand below it
)

// skipTitle returns the length of the lines above the header that text starts with, how many they are, and what divides the cells below them.
func (t *Table) skipTitle(text []byte) (length, lines int, delim byte) {
	lengths, records := firstLines(text)
	candidates := []byte(",;\t|")
	if t.Delim != 0 {
		candidates = []byte{t.Delim}
	}
	for _, delim := range candidates {
		if at := headerBelowTitle(records, delim); at > 0 {
			for _, k := range lengths[:at] {
				length += k
			}
			return length, at, delim
		}
	}
	return 0, 0, 0
}

// separatorLine returns the length of a first line such as sep=; by which spreadsheets say what divides cells, and that sign.
func separatorLine(text []byte) (length int, delim byte) {
	line, _, more := bytes.Cut(text, []byte{'\n'})
	word := bytes.ToLower(bytes.Trim(line, "\"\r "))
	if sign, found := bytes.CutPrefix(word, []byte("sep=")); more && found && len(sign) == 1 && bytes.IndexByte([]byte(",;\t|"), sign[0]) >= 0 {
		return len(line) + 1, sign[0]
	}
	return 0, 0
}

// firstLines returns the first lines of text, up to one in which a cell goes on in the next line, and their lengths.
func firstLines(text []byte) (lengths []int, lines [][]byte) {
	for len(text) > 0 && len(lines) < titleLooked {
		line, rest, more := bytes.Cut(text, []byte{'\n'})
		if !more || bytes.Count(line, []byte{'"'})%2 == 1 {
			break
		}
		lengths, lines = append(lengths, len(line)+1), append(lines, bytes.TrimRight(line, "\r"))
		text = rest
	}
	return lengths, lines
}

// headerBelowTitle returns which of the lines is the header below a title; 0 where there is no title.
func headerBelowTitle(lines [][]byte, delim byte) int {
	cells := make([][][]byte, len(lines))
	for i, line := range lines {
		cells[i] = cellsOf(line, delim)
	}
	for at, header := range cells {
		width := len(header)
		filled := countFilled(header)
		if width >= titleWidth && float64(filled) >= titleFilled*float64(width) {
			if at == 0 || at+rowsOfHeader >= len(cells) {
				return 0
			}
			for _, c := range header {
				if isNumber(c) {
					return 0
				}
			}
			for _, row := range cells[at+1 : at+1+rowsOfHeader] {
				if len(row) != width || !hasNumber(bytes.Join(row, []byte{delim}), delim) {
					return 0
				}
			}
			for _, title := range cells[:at] {
				if k := countFilled(title); len(title) > width || k > 2 || k == 2 && width < titlePairs {
					return 0
				}
			}
			return at
		}
	}
	return 0
}

// cellsOf divides a line at a sign outside of quotes.
func cellsOf(line []byte, delim byte) (cells [][]byte) {
	inside, start := false, 0
	for i, c := range line {
		switch {
		case c == '"':
			inside = !inside
		case c == delim && !inside:
			cells, start = append(cells, bytes.Trim(line[start:i], "\" ")), i+1
		}
	}
	return append(cells, bytes.Trim(line[start:], "\" "))
}

func countFilled(cells [][]byte) (filled int) {
	for _, c := range cells {
		if len(c) > 0 {
			filled++
		}
	}
	return filled
}
