package table

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// parseChunk parses a chunk up to its end or its first bad row.
func (t *jsonTable) parseChunk(text []byte) *block {
	b := t.spare.get()
	keepLines, size := t.hasRole(idRole) || t.opt.Mixed, len(text)
	seen := make([]int, len(t.Names)) // number of the last row that had the key
	for len(text) > 0 {
		row, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole || len(row) > t.max {
			b.err = scan.LineTooLong(t.max)
		} else if !scan.IsBlank(bytes.TrimRight(row, "\r")) {
			b.rows++
			b.err = t.parseRow(b, &jsonLine{b: row}, seen)
			if keepLines {
				b.at = append(b.at, b.lines)
			}
			if b.err == nil && b.noValue > 1<<22 && b.noValue/16 > size {
				b.err = &source.Error{Msg: "nearly all values are missing", Hint: "name the keys to keep with {columns}"}
			}
		}
		if b.err != nil {
			b.err.File, b.err.Line = t.name, b.lines
			return b
		}
		b.lines++
		text = rest
	}
	return b
}

// parseRow parses the line as row number b.rows, counted from 1.
func (t *jsonTable) parseRow(b *block, l *jsonLine, seen []int) *source.Error {
	opening, closing := byte('{'), byte('}')
	if t.arrays {
		opening, closing = '[', ']'
	}
	from := len(b.x)
	if t.nested() {
		b.x = append(b.x, make([]float64, t.total)...)
		if err := t.parsePaths(b, l, "", 1, seen, b.x[from:]); err != nil {
			return err
		}
		if l.peek() != 0 {
			return l.refuseAt(l.i, jsonHint, "there is more on the line after its value")
		}
		return t.fillAbsent(b, l, seen, b.x[from:])
	}
	if err := l.expect(opening); err != nil {
		return err
	}
	b.x = append(b.x, make([]float64, t.total)...)
	for n := 0; !l.takeByte(closing); n++ {
		if n > 0 {
			if err := l.expect(','); err != nil {
				return err
			}
		}
		j, err := t.columnOfNext(l, n)
		if err != nil {
			return err
		}
		if j < 0 {
			err = l.skipValue()
		} else if seen[j] == b.rows {
			err = l.refuseAt(l.i, "", fmt.Sprintf("key %q stands twice in one object", t.Names[j]))
		} else {
			seen[j] = b.rows
			err = t.parseValue(b, l, j, b.x[from:])
		}
		if err != nil {
			if err.Hint == columnHint {
				err.Hint = notNumbersHint(append([]string{t.Names[j]}, t.similarColumns(*l, closing, n)...))
			}
			return err
		}
	}
	if l.peek() != 0 {
		return l.refuseAt(l.i, jsonHint, "there is more on the line after its value")
	}
	return t.fillAbsent(b, l, seen, b.x[from:])
}

// similarColumns returns the columns of the values of the row after number n, at which l
// is, that are not numbers either.
func (t *jsonTable) similarColumns(l jsonLine, closing byte, n int) (names []string) {
	for l.skipValue() == nil && l.takeByte(',') && !l.takeByte(closing) {
		n++
		j, err := t.columnOfNext(&l, n)
		if err != nil {
			break
		}
		if c := l.peek(); j >= 0 && t.roles[j] == feature && (c == '"' || c == '{') {
			names = append(names, t.Names[j])
		}
	}
	return names
}

// columnOfNext reads the key of value number n and returns its column, -1 for one
// that was not selected.
func (t *jsonTable) columnOfNext(l *jsonLine, n int) (int, *source.Error) {
	if t.arrays {
		if n == len(t.Names) {
			return 0, l.refuseAt(l.i, "", fmt.Sprintf("the array has more than %s, the first has %d", source.Counted(n, "value"), n))
		}
		return n, nil
	}
	l.peek()
	at := l.i
	key, err := l.readString()
	if err != nil {
		return 0, err
	}
	j, ok := n, n < len(t.Names) && string(key) == t.Names[n]
	if !ok {
		j, ok = t.key[string(key)]
	}
	if !ok {
		if len(t.opt.Columns) == 0 && t.opt.Text == "" {
			return 0, l.refuseAt(at, "name the keys to keep with {columns}", fmt.Sprintf("key %s is not in the first object", source.Clip(key)))
		}
		j = -1
	}
	return j, l.expect(':')
}

// parseValue reads the value of column j into b, or into its place in row.
func (t *jsonTable) parseValue(b *block, l *jsonLine, j int, row []float64) *source.Error {
	c := l.peek()
	switch t.roles[j] {
	case ignored:
		return l.skipValue()
	case feature:
		if t.width[j] >= 0 {
			return t.parseArray(b, l, j, row[t.offset[j]:][:t.width[j]])
		}
		return t.parseNumber(b, l, j, &row[t.offset[j]])
	}
	at := l.i
	var s []byte
	var err *source.Error
	switch {
	case c == '"':
		s, err = l.readString()
	case c == '[' || c == '{':
		err = l.refuseAt(at, "", fmt.Sprintf("key %q: %s must be a string or a number", t.Names[j], t.roles[j].purpose()))
	default:
		s = l.readToken()
		if _, missing, msg, _ := parseJSONNumber(s); missing {
			s = nil
		} else if msg != "" {
			err = l.refuseAt(at, "", fmt.Sprintf("key %q: %s", t.Names[j], msg))
		}
	}
	if err == nil && !b.addCell(t.roles[j], s) {
		err = l.refuseAt(at, "", fmt.Sprintf("key %q: the row has no id", t.Names[j]))
	}
	return err
}

func (t *jsonTable) parseNumber(b *block, l *jsonLine, j int, v *float64) *source.Error {
	c, at := l.peek(), l.i
	if done, err := t.parseMixed(b, l, j, v); done || err != nil {
		return err
	}
	var kind string
	switch c {
	case '"':
		kind = "a string"
	case '[':
		kind = "an array"
	case '{':
		kind = "an object"
	case 0, ',', '}', ']':
		kind = "nothing"
	}
	if kind != "" {
		return l.refuseAt(at, columnHint, fmt.Sprintf("key %q: %s is not a number", t.Names[j], kind))
	}
	y, missing, msg, advice := parseJSONNumber(l.readToken())
	if msg != "" {
		return l.refuseAt(at, advice, fmt.Sprintf("key %q: %s", t.Names[j], msg))
	}
	*v = y
	if missing {
		return t.setMissing(b, l, at, j, v)
	}
	return nil
}

// parseMixed takes a string or a truth value of a mixed table; false is for others
// to read.
func (t *jsonTable) parseMixed(b *block, l *jsonLine, j int, v *float64) (bool, *source.Error) {
	c, at := l.peek(), l.i
	if !t.opt.Mixed || t.width[j] >= 0 {
		return false, nil
	}
	var s []byte
	var err *source.Error
	switch c {
	case '"':
		if s, err = l.readString(); err != nil {
			return false, err
		}
	case 't', 'f':
		if s = l.readToken(); string(s) != "true" && string(s) != "false" {
			l.i = at
			return false, nil
		}
	case '[', '{': // a list of texts, or an object within one
		if err := l.skipValue(); err != nil {
			return false, err
		}
		s = l.b[at:l.i]
	default:
		return false, nil
	}
	if s = bytes.TrimSpace(s); isMissing(s) {
		return true, t.setMissing(b, l, at, j, v)
	}
	if y, next := scan.ScanFloat(s, 0); next == len(s) && next > 0 && isPlain(s) {
		*v = y
		return true, nil
	}
	*v = nan
	b.addOdd(b.rows-1, t.offset[j], s, 0, at+1)
	return true, nil
}

func (t *jsonTable) setMissing(b *block, l *jsonLine, at, j int, v *float64) *source.Error {
	if !t.opt.Missing {
		return l.refuseAt(at, missingHint, fmt.Sprintf("key %q: the value is missing", t.Names[j]))
	}
	*v = nan
	b.noValue++
	return nil
}

func (t *jsonTable) parseArray(b *block, l *jsonLine, j int, row []float64) *source.Error {
	at := l.i
	if l.peek() == 'n' && string(l.readToken()) == "null" || t.opt.Mixed && l.takeEmptyList(at) {
		for k := range row {
			if err := t.setMissing(b, l, at, j, &row[k]); err != nil {
				return err
			}
		}
		return nil
	}
	l.i = at
	if err := l.expect('['); err != nil {
		return err
	}
	n := 0
	for ; !l.takeByte(']'); n++ {
		if n > 0 {
			if err := l.expect(','); err != nil {
				return err
			}
		}
		if n == len(row) {
			n++
			break
		}
		if err := t.parseNumber(b, l, j, &row[n]); err != nil {
			return err
		}
	}
	if n != len(row) {
		more := ""
		if n > len(row) {
			more = "more than "
		}
		return l.refuseAt(at, hint.Sprintf("correct the array, or leave out the key: {drop=%s}", t.Names[j]),
			fmt.Sprintf("key %q: the array has %s%s, the first has %d", t.Names[j], more, source.Counted(min(n, len(row)), "value"), len(row)))
	}
	return nil
}

// fillAbsent deals with the columns that the row does not have.
func (t *jsonTable) fillAbsent(b *block, l *jsonLine, seen []int, row []float64) *source.Error {
	if !slices.ContainsFunc(seen, func(r int) bool { return r != b.rows }) {
		return nil
	}
	for j, r := range seen {
		if r == b.rows {
			continue
		}
		if t.arrays {
			return l.refuseAt(-1, "", fmt.Sprintf("the array has %s, the first has %d", source.Counted(j, "value"), len(seen)))
		}
		switch t.roles[j] {
		case feature:
			for k := range max(t.width[j], -t.width[j]) {
				if err := t.setMissing(b, l, -1, j, &row[t.offset[j]+k]); err != nil {
					return err
				}
			}
		default:
			if !b.addCell(t.roles[j], nil) {
				return l.refuseAt(-1, "", fmt.Sprintf("key %q: the row has no id", t.Names[j]))
			}
		}
	}
	return nil
}
