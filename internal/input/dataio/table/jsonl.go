package table

import (
	"bytes"
	"io"
	"strconv"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// A jsonTable knows how to parse lines of JSON: objects whose keys are those
// of the first, or arrays of numbers.
type jsonTable struct {
	layout                 // by key, or by place in the arrays
	arrays bool            // rows are arrays
	width  []int           // of a key whose values are arrays of numbers, else -1
	offset []int           // of a key's features in a row
	total  int             // features in a row
	parent map[string]bool // paths of objects, whose keys are columns such as device.os
	looked int             // rows that paths were looked for in
	key    map[string]int
	name   string
	opt    source.Options
	max    int // bytes of a line
	spare  blockPool
}

// ReadJSONL reads one JSON object or array a line, or one array of all of them.
func ReadJSONL(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	rows, r := rowsOfArray(r, name)
	if rows == nil {
		return readJSONLines(scan.NewChunks(r, false), name, opt)
	}
	d, err := readJSONLines(scan.NewChunks(rows, false), name, opt)
	if err != nil {
		return nil, rows.replace(err)
	}
	if lines := d.Lines; lines != nil {
		d.Lines = func(row int) int {
			line, _ := rows.place(lines(row), 1)
			return line
		}
	}
	return d, nil
}

func readJSONLines(s *scan.Chunks, name string, opt source.Options) (*source.Dataset, error) {
	opt = opt.ForTable()
	t := &jsonTable{name: name, opt: opt, max: s.Longest, key: map[string]int{}}
	line, err := t.readStart(s)
	if err != nil {
		return nil, err
	}
	d, err := newCollector(&t.layout, t.featureColumns(), name, line, opt).collectAll(s, t.parseChunk, &t.spare)
	if err == nil && s.Latin1 {
		d.Notes = append(d.Notes, "some of it "+source.ReadAsLatin1)
	}
	return d, err
}

// readStart makes the layout of the first line, which stays to be read as a row.
func (t *jsonTable) readStart(s *scan.Chunks) (int, error) {
	line := 1
	for {
		text, err := s.NextChunk()
		if err == io.EOF {
			return 0, &source.Error{File: t.name, Msg: "the file is empty"}
		}
		if err != nil {
			return 0, source.AsError(err, t.name)
		}
		if line == 1 {
			text = bytes.TrimPrefix(text, source.UTF8BOM)
		}
		for len(text) > 0 {
			row, rest, whole := bytes.Cut(text, []byte{'\n'})
			if !whole || len(row) > t.max {
				e := scan.LineTooLong(t.max)
				e.File, e.Line = t.name, line
				return 0, e
			}
			if !scan.IsBlank(bytes.TrimRight(row, "\r")) {
				s.Unread(text)
				return line, t.readFirst(row, text, line)
			}
			text = rest
			line++
		}
	}
}

// readFirst makes the layout of the first row; where it has objects in it, of the first rows.
func (t *jsonTable) readFirst(row, rows []byte, line int) error {
	at := source.Error{File: t.name, Line: line}
	names, bad := t.readShape(&jsonLine{b: row})
	if bad == nil && t.opt.Mixed && !t.arrays && t.parent != nil {
		names, bad = t.readPaths(rows)
	}
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
	if t.total == 0 && t.opt.Text == "" && !t.opt.Any {
		at.Msg = "no column of numbers is left"
		return &at
	}
	return nil
}

// readShape finds the keys of the first row and the widths of their values.
func (t *jsonTable) readShape(l *jsonLine) (names []string, err *source.Error) {
	closing := byte('}')
	switch l.peek() {
	case '{':
	case '[':
		t.arrays, closing = true, ']'
	default:
		return nil, l.refuseAt(l.i, jsonHint, "this is neither an object nor an array")
	}
	l.i++
	for !l.takeByte(closing) {
		if len(t.width) > 0 {
			if err := l.expect(','); err != nil {
				return nil, err
			}
		}
		if !t.arrays {
			key, err := l.readString()
			if err != nil {
				return nil, err
			}
			names = append(names, string(key))
			if err := l.expect(':'); err != nil {
				return nil, err
			}
		}
		n := -1
		if l.peek() == '[' && !t.arrays && (!t.opt.Mixed || !listsTexts(*l)) {
			n = elements(*l)
		}
		if (l.peek() == '{' || n == 0 && t.opt.Mixed) && !t.arrays { // the next rows say what it is
			t.parent = map[string]bool{}
		}
		t.width = append(t.width, n)
		if err := l.skipValue(); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// elements counts the values of the array at l.
func elements(l jsonLine) (n int) {
	l.i++
	for !l.takeByte(']') {
		if n > 0 && l.expect(',') != nil || l.skipValue() != nil {
			return n
		}
		n++
	}
	return n
}

// featureColumns returns the names of the features: key, or key.0, key.1, … where
// its values are arrays.
func (t *jsonTable) featureColumns() []string {
	names := make([]string, 0, t.total)
	for j, name := range t.Names {
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
