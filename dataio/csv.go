package dataio

import (
	"bytes"
	"io"

	"github.com/inklinghq/inkling/hint"
)

// readCSV reads a table of comma- or otherwise separated values; readTSV one
// whose delimiter is the tab.
func readCSV(r io.Reader, name string, opt Options) (*Dataset, error) {
	return readTable(newSplitter(r, true), name, 0, opt)
}

func readTSV(r io.Reader, name string, opt Options) (*Dataset, error) {
	return readTable(newSplitter(r, true), name, '\t', opt)
}

// A table knows how to parse chunks of one file; delim 0 is to be found out.
type table struct {
	layout
	dialect
	name  string
	opt   Options
	spare blocks
	blank map[int]bool // columns that the header leaves without a name
	comma bool         // numbers have commas for points
}

func readTable(s *splitter, name string, delim byte, opt Options) (*Dataset, error) {
	t := &table{name: name, opt: opt, dialect: dialect{delim, s.longest}}
	line, err := t.start(s)
	if err != nil {
		return nil, err
	}
	d, err := newCollector(&t.layout, t.features(), name, line, opt).collect(s, t.parse, &t.spare)
	if err != nil {
		return nil, err
	}
	d.Notes = append(t.notes(), d.Notes...)
	if s.latin {
		d.Notes = append(d.Notes, "some of it "+latin)
	}
	return d, nil
}

func (t *table) notes() []hint.Hint {
	notes := []hint.Hint{"no header"}
	if t.header {
		notes[0] = "header"
	}
	for j, name := range t.names {
		if t.blank[j] && t.roles[j] == feature {
			notes = append(notes, hint.Sprintf("no name for column %s, taken for a feature ({id=%s}: it names the rows; {drop=%s}: leave it out)", name, name, name))
			break // once is enough
		}
	}
	if t.delim != ',' && t.delim != '\t' {
		notes = append(notes, hint.Sprintf("delimiter %q", t.delim))
	}
	if t.comma {
		notes = append(notes, "decimal commas")
	}
	return notes
}

// start reads the first record and makes the layout of it. It returns the
// line on which the next chunk starts.
func (t *table) start(s *splitter) (line int, err error) {
	line = 1
	for {
		text, err := s.next()
		if err == io.EOF {
			return 0, &Error{File: t.name, Msg: "there is nothing in it"}
		}
		if err != nil {
			return 0, asError(err, t.name)
		}
		i := 0
		if line == 1 {
			i = len(text) - len(bytes.TrimPrefix(text, utf8BOM))
		}
		for k := t.emptyLine(text, i); k > 0; k = t.emptyLine(text, i) {
			i += k
			line++
		}
		if i == len(text) {
			continue
		}
		if t.delim == 0 {
			t.delim = sniffDelimiter(text[i:])
		}
		return t.first(s, text, i, line)
	}
}

func (t *table) first(s *splitter, text []byte, i, line int) (int, error) {
	at := Error{File: t.name, Line: line}
	cells, next, lines, bad := t.split(text, i, nil)
	if bad != nil {
		bad.File, bad.Line = t.name, bad.Line+line
		return 0, bad
	}
	if k := bytes.IndexByte(text[i:next], '\r'); lines == 1 && k >= 0 && k < next-i-2 {
		at.Col, at.Msg = k+1, "lines end in a carriage return alone"
		at.Hint = "save the file with ordinary line ends"
		return 0, &at
	}
	names := make([]string, len(cells))
	header := false
	for j, c := range cells {
		b := c.of(text)
		if !isNumber(b) && !t.commaCell(b) {
			header = true
		}
		names[j] = string(b)
	}
	defaults := defaultNames(len(cells))
	for j := range names {
		if header && names[j] == "" {
			if t.blank == nil {
				t.blank = map[int]bool{}
			}
			t.blank[j] = true
		}
		if !header || names[j] == "" {
			names[j] = defaults[j]
		}
	}
	l, err := newLayout(names, header, t.opt, at)
	if err != nil {
		return 0, err
	}
	t.layout = *l
	if header {
		t.comma = t.decimalCommas(text[next:])
		s.unread(text[next:])
		return line + lines, nil
	}
	t.comma = t.decimalCommas(text[i:])
	s.unread(text[i:])
	return line, nil
}

// sniffDelimiter returns the one of , ; tab | that stands most often in the
// first line, outside quotes; but not the comma where it stands within numbers
// that another one divides.
func sniffDelimiter(text []byte) byte {
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
	for k := 1; k < len(among) && best == 0; k++ {
		if count[k] > 0 && allNumbers(text, among[k]) {
			best = k
		}
	}
	return among[best]
}

// allNumbers tells whether the first line is numbers, with points or commas,
// with delim between them.
func allNumbers(text []byte, delim byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	for _, s := range bytes.Split(line, []byte{delim}) {
		s = bytes.TrimSpace(s)
		if _, ok, _ := commaNumber(s); !ok && !isNumber(s) {
			return false
		}
	}
	return true
}
