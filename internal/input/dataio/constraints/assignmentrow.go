package constraints

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// An assignTable parses chunks of a table with ids and labels.
type assignTable struct {
	table.Table
	id, label int // columns
	blocks    sync.Pool
}

// readHeader reads the header.
func (t *assignTable) readHeader(s *scan.Chunks) (line int, err error) {
	if line, err = t.Table.ReadHeader(s); err != nil {
		return 0, err
	}
	const advice = "the first line names the columns, as in id,label or id,cluster"
	if !t.HasHeader {
		return 0, &source.Error{File: t.Name, Line: 1, Msg: "there is no header", Hint: advice}
	}
	t.id, t.label = -1, -1
	for j, name := range t.Names {
		switch strings.ToLower(name) {
		case "id":
			t.id = j
		case "label", "cluster", "entity":
			if t.label >= 0 {
				return 0, &source.Error{File: t.Name, Line: 1, Msg: fmt.Sprintf("columns %q and %q could both be the label", t.Names[t.label], name),
					Hint: "leave one of them"}
			}
			t.label = j
		}
	}
	if t.label < 0 && t.id >= 0 && len(t.Names) == 2 {
		t.label = 1 - t.id
	}
	if t.id < 0 || t.label < 0 {
		return 0, &source.Error{File: t.Name, Line: 1, Msg: "the columns are " + source.Listed(t.Names), Hint: advice}
	}
	return line, nil
}

// An assignBlock is what one chunk holds.
type assignBlock struct {
	nums   []int64    // ids, as long as all are whole numbers
	id     scan.Arena // ids from the first on that is not
	isText bool
	codes  []int32
	names  []string
	code   map[string]int32
	at     []int
	lines  int
	cells  []table.Cell
	err    *source.Error

	unlabelled int           // rows that are left out
	noLabel    *source.Error // the first of them
}

func (b *assignBlock) reset() {
	b.nums, b.isText, b.codes, b.names = b.nums[:0], false, b.codes[:0], b.names[:0]
	b.id.Reset()
	clear(b.code)
	b.at, b.lines, b.err = b.at[:0], 0, nil
	b.unlabelled, b.noLabel = 0, nil
}

func (t *assignTable) parseChunk(text []byte) *assignBlock {
	b, _ := t.blocks.Get().(*assignBlock)
	if b == nil {
		b = &assignBlock{code: map[string]int32{}}
	}
	b.reset()
	quotes := bytes.IndexByte(text, '"') >= 0
	for i := 0; i < len(text); {
		if k := t.EmptyLine(text, i); k > 0 {
			i += k
			b.lines++
			continue
		}
		next, lines := 0, 1
		if !quotes {
			next = t.plainRow(b, text, i)
		}
		if next == 0 {
			if next, lines, b.err = t.parseRow(b, text, i); b.err != nil {
				b.err.File, b.err.Line = t.Name, b.err.Line+b.lines
				return b
			}
		}
		if len(b.at) < len(b.codes) {
			b.at = append(b.at, b.lines)
		}
		b.lines += lines
		i = next
	}
	return b
}

// plainRow parses a row without quotes and returns the place after it; 0,
// with nothing changed, where the row wants a closer look.
func (t *assignTable) plainRow(b *assignBlock, text []byte, i int) int {
	start := i
	var id, label []byte
	for j := range t.Names {
		lo := i
		for i < len(text) && text[i] != t.Delim && text[i] != '\n' {
			i++
		}
		if i == len(text) || (text[i] == '\n') != (j == len(t.Names)-1) {
			return 0
		}
		switch j {
		case t.id:
			id = text[lo:table.TrimEnd(text, lo, i)]
		case t.label:
			label = text[lo:table.TrimEnd(text, lo, i)]
		}
		i++
	}
	if i-1-start > t.Longest || len(id) == 0 || id[0] <= ' ' || table.IsUnknownLabel(label) || label[0] <= ' ' {
		return 0
	}
	b.addRow(id, label)
	return i
}

func (t *assignTable) parseRow(b *assignBlock, text []byte, i int) (next, lines int, err *source.Error) {
	cells, next, lines, err := t.SplitRecord(text, i, b.cells[:0])
	if err != nil {
		return 0, 0, err
	}
	b.cells = cells
	if len(cells) != len(t.Names) {
		return 0, 0, t.RaggedRow(cells)
	}
	id, label := cells[t.id].TextIn(text), cells[t.label].TextIn(text)
	refuse := func(j int, advice hint.Hint, msg string) (int, int, *source.Error) {
		return 0, 0, &source.Error{Line: cells[j].Line, Col: cells[j].Col, Msg: fmt.Sprintf("column %q: %s", t.Names[j], msg), Hint: advice}
	}
	if len(id) == 0 {
		return refuse(t.id, "", "the row has no id")
	}
	if table.IsUnknownLabel(label) {
		if b.unlabelled++; b.noLabel == nil {
			_, _, b.noLabel = refuse(t.label, "{common} leaves such rows out", "the row has no label")
			b.noLabel.Line += b.lines
		}
		return next, lines, nil
	}
	b.addRow(id, label)
	return next, lines, nil
}

// addRow appends a row.
func (b *assignBlock) addRow(id, label []byte) {
	if !b.isText {
		y, ok := wholeNumber(id)
		if ok {
			b.nums = append(b.nums, y)
		} else {
			b.spellNumbers()
		}
	}
	if b.isText {
		b.id.AddText(id)
	}
	c, ok := b.code[string(label)]
	if !ok {
		c = int32(len(b.names))
		name := string(label)
		b.code[name] = c
		b.names = append(b.names, name)
	}
	b.codes = append(b.codes, c)
}

// spellNumbers turns the ids so far into text.
func (b *assignBlock) spellNumbers() {
	for _, y := range b.nums {
		b.id.AddNumber(y)
	}
	b.isText = true
}
