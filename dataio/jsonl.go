package dataio

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A jsonTable knows how to parse lines of JSON: objects whose keys are those
// of the first, or arrays of numbers.
type jsonTable struct {
	layout       // by key, or by place in the arrays
	arrays bool  // rows are arrays
	width  []int // of a key whose values are arrays of numbers, else -1
	offset []int // of a key's features in a row
	total  int   // features in a row
	key    map[string]int
	name   string
	opt    Options
	max    int // bytes of a line
	spare  blocks
}

// readJSONL reads one JSON object or array a line.
func readJSONL(r io.Reader, name string, opt Options) (*Dataset, error) {
	return readJSONLines(newSplitter(r, false), name, opt)
}

func readJSONLines(s *splitter, name string, opt Options) (*Dataset, error) {
	t := &jsonTable{name: name, opt: opt, max: s.longest, key: map[string]int{}}
	line, err := t.start(s)
	if err != nil {
		return nil, err
	}
	d, err := newCollector(&t.layout, t.columns(), name, line, opt).collect(s, t.parse, &t.spare)
	if err == nil && s.latin {
		d.Notes = append(d.Notes, "some of it "+latin)
	}
	return d, err
}

// start makes the layout of the first line, which stays to be read as a row.
func (t *jsonTable) start(s *splitter) (int, error) {
	line := 1
	for {
		text, err := s.next()
		if err == io.EOF {
			return 0, &Error{File: t.name, Msg: "there is nothing in it"}
		}
		if err != nil {
			return 0, asError(err, t.name)
		}
		if line == 1 {
			text = bytes.TrimPrefix(text, utf8BOM)
		}
		for len(text) > 0 {
			row, rest, whole := bytes.Cut(text, []byte{'\n'})
			if !whole || len(row) > t.max {
				e := tooLong(t.max)
				e.File, e.Line = t.name, line
				return 0, e
			}
			if !blank(bytes.TrimRight(row, "\r")) {
				s.unread(text)
				return line, t.first(row, line)
			}
			text = rest
			line++
		}
	}
}

// first makes the layout of the first row.
func (t *jsonTable) first(row []byte, line int) error {
	at := Error{File: t.name, Line: line}
	names, bad := t.shape(&jsonLine{b: row})
	if bad != nil {
		bad.File, bad.Line = t.name, line
		return bad
	}
	if t.arrays {
		names = defaultNames(len(t.width))
	}
	l, err := newLayout(names, !t.arrays, t.opt, at)
	if err != nil {
		return err
	}
	t.layout = *l
	t.offset = make([]int, len(names))
	for j, name := range names {
		t.key[name] = j
		t.offset[j] = t.total
		if t.roles[j] == feature {
			t.total += max(t.width[j], 1)
			if t.width[j] == 0 {
				t.total--
			}
		}
	}
	if t.total == 0 && t.opt.Text == "" {
		at.Msg = "no column of numbers is left"
		return &at
	}
	return nil
}

// shape finds the keys of the first row and the widths of their values.
func (t *jsonTable) shape(l *jsonLine) (names []string, err *Error) {
	closing := byte('}')
	switch l.peek() {
	case '{':
	case '[':
		t.arrays, closing = true, ']'
	default:
		return nil, l.bad(l.i, jsonHint, "this is neither an object nor an array")
	}
	l.i++
	if c := l.peek(); t.arrays && (c == '{' || c == 0) {
		return nil, l.bad(l.i-1, jsonHint+"; jq -c '.[]' makes that of it", "this is one array for all rows")
	}
	for !l.take(closing) {
		if len(t.width) > 0 {
			if err := l.want(','); err != nil {
				return nil, err
			}
		}
		if !t.arrays {
			key, err := l.text()
			if err != nil {
				return nil, err
			}
			names = append(names, string(key))
			if err := l.want(':'); err != nil {
				return nil, err
			}
		}
		n := -1
		if l.peek() == '[' && !t.arrays {
			n = elements(*l)
		}
		t.width = append(t.width, n)
		if err := l.skip(); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// elements counts the values of the array at l.
func elements(l jsonLine) (n int) {
	l.i++
	for !l.take(']') {
		if n > 0 && l.want(',') != nil || l.skip() != nil {
			return n
		}
		n++
	}
	return n
}

// columns returns the names of the features: key, or key.0, key.1, … where
// its values are arrays.
func (t *jsonTable) columns() []string {
	names := make([]string, 0, t.total)
	for j, name := range t.names {
		if t.roles[j] != feature {
			continue
		}
		if t.width[j] < 0 {
			names = append(names, name)
		}
		for k := range t.width[j] {
			names = append(names, name+"."+strconv.Itoa(k))
		}
	}
	return names
}

// parse parses a chunk up to its end or its first bad row.
func (t *jsonTable) parse(text []byte) *block {
	b := t.spare.get()
	keepLines, size := t.has(idRole), len(text)
	seen := make([]int, len(t.names)) // number of the last row that had the key
	for len(text) > 0 {
		row, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole || len(row) > t.max {
			b.err = tooLong(t.max)
		} else if !blank(bytes.TrimRight(row, "\r")) {
			b.rows++
			b.err = t.row(b, &jsonLine{b: row}, seen)
			if keepLines {
				b.at = append(b.at, b.lines)
			}
			if b.err == nil && b.noValue > 1<<22 && b.noValue/16 > size {
				b.err = &Error{Msg: "nearly all values are missing", Hint: "name the keys to keep with {columns}"}
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

// row parses the line as row number b.rows, counted from 1.
func (t *jsonTable) row(b *block, l *jsonLine, seen []int) *Error {
	opening, closing := byte('{'), byte('}')
	if t.arrays {
		opening, closing = '[', ']'
	}
	if err := l.want(opening); err != nil {
		return err
	}
	from := len(b.x)
	b.x = append(b.x, make([]float64, t.total)...)
	for n := 0; !l.take(closing); n++ {
		if n > 0 {
			if err := l.want(','); err != nil {
				return err
			}
		}
		j, err := t.place(l, n)
		if err != nil {
			return err
		}
		if j < 0 {
			err = l.skip()
		} else if seen[j] == b.rows {
			err = l.bad(l.i, "", fmt.Sprintf("key %q stands twice in one object", t.names[j]))
		} else {
			seen[j] = b.rows
			err = t.value(b, l, j, b.x[from:])
		}
		if err != nil {
			if err.Hint == columnHint {
				err.Hint = notNumbers(append([]string{t.names[j]}, t.alike(*l, closing, n)...))
			}
			return err
		}
	}
	if l.peek() != 0 {
		return l.bad(l.i, jsonHint, "there is more on the line after its value")
	}
	return t.absent(b, l, seen, b.x[from:])
}

// alike returns the columns of the values of the row after number n, at which l
// is, that are no numbers either.
func (t *jsonTable) alike(l jsonLine, closing byte, n int) (names []string) {
	for l.skip() == nil && l.take(',') && !l.take(closing) {
		n++
		j, err := t.place(&l, n)
		if err != nil {
			break
		}
		if c := l.peek(); j >= 0 && t.roles[j] == feature && (c == '"' || c == '{') {
			names = append(names, t.names[j])
		}
	}
	return names
}

// place reads the key of value number n and returns its column, -1 for one
// that nobody asked for.
func (t *jsonTable) place(l *jsonLine, n int) (int, *Error) {
	if t.arrays {
		if n == len(t.names) {
			return 0, l.bad(l.i, "", fmt.Sprintf("the array has more than %s, the first has %d", counted(n, "value"), n))
		}
		return n, nil
	}
	l.peek()
	at := l.i
	key, err := l.text()
	if err != nil {
		return 0, err
	}
	j, ok := n, n < len(t.names) && string(key) == t.names[n]
	if !ok {
		j, ok = t.key[string(key)]
	}
	if !ok {
		if len(t.opt.Columns) == 0 && t.opt.Text == "" {
			return 0, l.bad(at, "name the keys to keep with {columns}", fmt.Sprintf("key %s is not in the first object", clip(key)))
		}
		j = -1
	}
	return j, l.want(':')
}

// value reads the value of column j into b, or into its place in row.
func (t *jsonTable) value(b *block, l *jsonLine, j int, row []float64) *Error {
	c := l.peek()
	switch t.roles[j] {
	case ignored:
		return l.skip()
	case feature:
		if t.width[j] >= 0 {
			return t.array(b, l, j, row[t.offset[j]:][:t.width[j]])
		}
		return t.number(b, l, j, &row[t.offset[j]])
	}
	at := l.i
	var s []byte
	var err *Error
	switch {
	case c == '"':
		s, err = l.text()
	case c == '[' || c == '{':
		err = l.bad(at, "", fmt.Sprintf("key %q: %s must be a string or a number", t.names[j], t.roles[j].use()))
	default:
		s = l.word()
		if _, missing, msg, _ := jsonNumber(s); missing {
			s = nil
		} else if msg != "" {
			err = l.bad(at, "", fmt.Sprintf("key %q: %s", t.names[j], msg))
		}
	}
	if err == nil && !b.addCell(t.roles[j], s) {
		err = l.bad(at, "", fmt.Sprintf("key %q: the row has no id", t.names[j]))
	}
	return err
}

func (t *jsonTable) number(b *block, l *jsonLine, j int, v *float64) *Error {
	c, at := l.peek(), l.i
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
		return l.bad(at, columnHint, fmt.Sprintf("key %q: %s is not a number", t.names[j], kind))
	}
	y, missing, msg, advice := jsonNumber(l.word())
	if msg != "" {
		return l.bad(at, advice, fmt.Sprintf("key %q: %s", t.names[j], msg))
	}
	*v = y
	if missing {
		return t.missing(b, l, at, j, v)
	}
	return nil
}

func (t *jsonTable) missing(b *block, l *jsonLine, at, j int, v *float64) *Error {
	if !t.opt.Missing {
		return l.bad(at, missingHint, fmt.Sprintf("key %q: the value is missing", t.names[j]))
	}
	*v = nan
	b.noValue++
	return nil
}

func (t *jsonTable) array(b *block, l *jsonLine, j int, row []float64) *Error {
	at := l.i
	if l.peek() == 'n' && string(l.word()) == "null" {
		for k := range row {
			if err := t.missing(b, l, at, j, &row[k]); err != nil {
				return err
			}
		}
		return nil
	}
	l.i = at
	if err := l.want('['); err != nil {
		return err
	}
	n := 0
	for ; !l.take(']'); n++ {
		if n > 0 {
			if err := l.want(','); err != nil {
				return err
			}
		}
		if n == len(row) {
			n++
			break
		}
		if err := t.number(b, l, j, &row[n]); err != nil {
			return err
		}
	}
	if n != len(row) {
		more := ""
		if n > len(row) {
			more = "more than "
		}
		return l.bad(at, "", fmt.Sprintf("key %q: the array has %s%s, the first has %d", t.names[j], more, counted(min(n, len(row)), "value"), len(row)))
	}
	return nil
}

// absent deals with the columns that the row does not have.
func (t *jsonTable) absent(b *block, l *jsonLine, seen []int, row []float64) *Error {
	if !slices.ContainsFunc(seen, func(r int) bool { return r != b.rows }) {
		return nil
	}
	for j, r := range seen {
		if r == b.rows {
			continue
		}
		if t.arrays {
			return l.bad(-1, "", fmt.Sprintf("the array has %s, the first has %d", counted(j, "value"), len(seen)))
		}
		switch t.roles[j] {
		case feature:
			for k := range max(t.width[j], -t.width[j]) {
				if err := t.missing(b, l, -1, j, &row[t.offset[j]+k]); err != nil {
					return err
				}
			}
		default:
			if !b.addCell(t.roles[j], nil) {
				return l.bad(-1, "", fmt.Sprintf("key %q: the row has no id", t.names[j]))
			}
		}
	}
	return nil
}
