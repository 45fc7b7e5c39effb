package table

import (
	"bytes"
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A Table knows how to parse chunks of one file; delim 0 is to be found out.
type Table struct {
	layout
	Dialect
	Name  string
	opt   source.Options
	spare blockPool
	blank map[int]bool // columns that the header leaves without a name
	comma bool         // numbers have commas for points

	comments int  // lines before the header
	title    int  // lines of a title before the header
	units    int  // lines below the header that hold units
	short    bool // the header does not name the first column, as R writes it
}

func (t *Table) headerNotes() []hint.Hint {
	notes := []hint.Hint{"no header"}
	if t.HasHeader {
		notes[0] = "header"
	}
	if t.comments > 0 {
		notes = append(notes, hint.Hint(source.Counted(t.comments, "line")+" of comments before it"))
	}
	if t.title > 0 {
		notes = append(notes, hint.Hint(source.Counted(t.title, "line")+" of a title before it"))
	}
	if t.units > 0 {
		notes = append(notes, hint.Hint(source.Counted(t.units, "line")+" of units below it, not read as rows"))
	}
	if t.short {
		notes = append(notes, hint.Sprintf("the header has one cell fewer than the rows, so the first column is called %s", t.Names[0]))
	}
	for j, name := range t.Names {
		if t.blank[j] && t.roles[j] == feature {
			notes = append(notes, hint.Sprintf("no name for column %s, taken for a feature ({id=%s}: it names the rows; {drop=%s}: leave it out)", name, name, name))
			break // once is enough
		}
	}
	switch t.Delim {
	case ',', '\t':
	case Blank:
		notes = append(notes, "blanks between cells")
	default:
		notes = append(notes, hint.Sprintf("delimiter %q", t.Delim))
	}
	if t.comma {
		notes = append(notes, "decimal commas")
	}
	return notes
}

// ReadHeader reads the first record and makes the layout of it. It returns the
// line on which the next chunk starts.
func (t *Table) ReadHeader(s *scan.Chunks) (line int, err error) {
	line = 1
	for {
		text, err := s.NextChunk()
		if err == io.EOF {
			return 0, &source.Error{File: t.Name, Msg: "the file is empty"}
		}
		if err != nil {
			return 0, source.AsError(err, t.Name)
		}
		i := 0
		if line == 1 {
			i = len(text) - len(bytes.TrimPrefix(text, source.UTF8BOM))
		}
		for k := t.EmptyLine(text, i); k > 0; k = t.EmptyLine(text, i) {
			i += k
			line++
		}
		if k, lines := t.skipComments(text[i:]); k > 0 {
			i += k
			line += lines
			t.comments = lines
		}
		if i == len(text) {
			continue
		}
		if t.opt.Mixed {
			if k, delim := separatorLine(text[i:]); k > 0 && line == 1 {
				t.Delim = delim
				i += k
				line++
			}
			k, lines, delim := t.skipTitle(text[i:])
			if k > 0 {
				t.Delim, t.title = delim, lines
			}
			i += k
			line += lines
		}
		if t.Delim == 0 {
			t.Delim = SniffDelimiter(text[i:])
		}
		return t.readFirst(s, text, i, line)
	}
}

func (t *Table) readFirst(s *scan.Chunks, text []byte, i, line int) (int, error) {
	at := source.Error{File: t.Name, Line: line}
	cells, next, lines, bad := t.SplitRecord(text, i, nil)
	if bad != nil {
		bad.File, bad.Line = t.Name, bad.Line+line
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
		b := c.TextIn(text)
		if !isNumber(b) && !t.commaCell(b) {
			header = true
		}
		names[j] = string(b)
	}
	if header && t.opt.Mixed && t.rowsAreLonger(text[next:], len(cells)) {
		names, t.short = append([]string{rowNames(names)}, names...), true
		cells = append(cells, Cell{})
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
		if t.opt.Mixed && !t.short {
			k, below := t.unitLines(text[next:], len(cells))
			next, lines, t.units = next+k, lines+below, below
		}
		t.comma = t.decimalCommas(text[next:])
		s.Unread(text[next:])
		return line + lines, nil
	}
	t.comma = t.decimalCommas(text[i:])
	s.Unread(text[i:])
	return line, nil
}
