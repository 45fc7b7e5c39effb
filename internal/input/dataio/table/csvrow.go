package table

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// parseChunk parses a chunk up to its end or its first bad row.
func (t *Table) parseChunk(text []byte) *block {
	b := t.spare.get()
	keepLines := t.hasRole(idRole) || t.opt.Mixed
	for i := 0; i < len(text); {
		if k := t.EmptyLine(text, i); k > 0 {
			i += k
			b.lines++
			continue
		}
		lines := 1
		next := 0
		if !t.comma {
			next = t.plainRow(b, text, i)
		}
		if next == 0 {
			var err *source.Error
			if next, lines, err = t.parseRow(b, text, i); err != nil {
				err.File, err.Line = t.Name, err.Line+b.lines
				b.err = err
				return b
			}
		}
		if keepLines {
			b.at = append(b.at, b.lines)
		}
		i = next
		b.lines += lines
		b.rows++
	}
	return b
}

// plainRow parses a row whose numbers are numbers and in which there are no
// quotes, and returns the place after it; 0, with nothing changed, where the
// row is not like that.
func (t *Table) plainRow(b *block, text []byte, i int) int {
	start, last := i, len(t.roles)-1
	old := b.currentMark()
	for j, r := range t.roles {
		if i < len(text) && text[i] <= ' ' {
			i = t.skipSpace(text, i, len(text))
		}
		if r == feature {
			v, next := scan.ScanFloat(text, i)
			if next < 0 || t.opt.Mixed && !isPlain(text[i:next]) {
				break
			}
			b.x = append(b.x, v)
			i = next
		} else {
			lo := i
			for i < len(text) && text[i] != t.Delim && text[i] != '\n' && text[i] != '"' {
				i++
			}
			if !b.addCell(r, text[lo:TrimEnd(text, lo, i)]) {
				break
			}
		}
		if i >= len(text) {
			break
		}
		if j < last {
			if text[i] != t.Delim {
				break
			}
			i++
			continue
		}
		if text[i] == '\r' && i+1 < len(text) {
			i++
		}
		if text[i] != '\n' || i-start > t.Longest {
			break
		}
		return i + 1
	}
	b.rewind(old)
	return 0
}

// parseRow parses any row.
func (t *Table) parseRow(b *block, text []byte, i int) (next, lines int, err *source.Error) {
	cells, next, lines, err := t.SplitRecord(text, i, b.cells[:0])
	if err != nil {
		return 0, 0, err
	}
	b.cells = cells
	if len(cells) != len(t.roles) {
		return 0, 0, t.RaggedRow(cells)
	}
	f := 0 // features so far
	for j, c := range cells {
		switch t.roles[j] {
		case feature:
			f++
			if s := c.TextIn(text); t.opt.Mixed && !isMissing(s) {
				if msg := notFinite(s); msg != "" {
					return 0, 0, &source.Error{Line: c.Line, Col: c.Col, Msg: fmt.Sprintf("column %q: %s", t.Names[j], msg)}
				}
				b.x = append(b.x, t.mixedNumber(b, f-1, s, c))
				continue
			}
			v, err := t.parseNumber(b, c, j, text)
			if err != nil {
				t.addSimilarColumns(err, cells, j, text)
				return 0, 0, err
			}
			b.x = append(b.x, v)
		default:
			if !b.addCell(t.roles[j], c.TextIn(text)) {
				return 0, 0, &source.Error{Line: c.Line, Col: c.Col, Msg: fmt.Sprintf("column %q: the row has no id", t.Names[j])}
			}
		}
	}
	return next, lines, nil
}

// mixedNumber returns a cell of a mixed table as a number: NaN, with its text kept,
// where it is not a plain one.
func (t *Table) mixedNumber(b *block, feature int, s []byte, c Cell) float64 {
	plain := s
	if t.comma {
		if p, ok, _ := ParseDecimalComma(s); ok {
			plain = p
		}
	}
	if v, next := scan.ScanFloat(plain, 0); next == len(plain) && next > 0 && isPlain(s) {
		return v
	}
	b.addOdd(b.rows, feature, s, c.Line, c.Col)
	return nan
}

// RaggedRow refuses a row that does not have as many cells as the header.
func (t *Table) RaggedRow(cells []Cell) *source.Error {
	of := "the header"
	if !t.HasHeader {
		of = "the first line"
	}
	e := &source.Error{Msg: fmt.Sprintf("the line has %s, %s has %d", source.Counted(len(cells), "cell"), of, len(t.roles))}
	if len(cells) > len(t.roles) {
		c := cells[len(t.roles)]
		e.Line, e.Col = c.Line, c.Col
		e.Hint = "a cell that holds the delimiter must stand in quotes"
	}
	return e
}

// addSimilarColumns adds to the error of a cell that is not a number the other
// columns that hold no numbers in this row: these have to be dropped too.
func (t *Table) addSimilarColumns(e *source.Error, cells []Cell, from int, text []byte) {
	if e.Hint != columnHint {
		return
	}
	names := []string{t.Names[from]}
	for j := from + 1; j < len(cells); j++ {
		if s := cells[j].TextIn(text); t.roles[j] == feature && !isMissing(s) {
			if _, _, advice := ParseCell(s); advice == columnHint {
				names = append(names, t.Names[j])
			}
		}
	}
	e.Hint = notNumbersHint(names)
}

func (t *Table) parseNumber(b *block, c Cell, j int, text []byte) (float64, *source.Error) {
	s := c.TextIn(text)
	if isMissing(s) {
		if t.opt.Missing {
			b.noValue++
			return nan, nil
		}
		e := &source.Error{Line: c.Line, Col: c.Col, Msg: fmt.Sprintf("column %q: the value is missing", t.Names[j]), Hint: missingHint}
		if t.blank[j] {
			e.Hint = hint.Sprintf("the header does not name this column; leave it out with {drop=%s}, or %s", t.Names[j], missingHint)
		}
		return 0, e
	}
	if t.comma {
		plain, ok, _ := ParseDecimalComma(s)
		if !ok && isNumber(s) {
			return 0, &source.Error{Line: c.Line, Col: c.Col, Msg: fmt.Sprintf("column %q: %s has a decimal point, where others have a comma", t.Names[j], source.Clip(s)),
				Hint: "write all numbers in one way"}
		}
		if ok {
			s = plain
		}
	}
	v, msg, advice := ParseCell(s)
	if msg != "" {
		return 0, &source.Error{Line: c.Line, Col: c.Col, Msg: fmt.Sprintf("column %q: %s", t.Names[j], msg), Hint: advice}
	}
	return v, nil
}
