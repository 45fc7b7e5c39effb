package dataio

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/inklinghq/inkling/hint"
)

// An Assignment gives every one of its rows an id and a label. Ids that just
// count the rows cost no memory, other whole numbers eight bytes each.
type Assignment struct {
	Name  string
	Codes []int32  // of the rows: Names[Codes[i]] is the label of row i
	Names []string // the labels in the order of their first rows
	ids   ids

	Unlabelled int    // rows that were left out because their label is empty, ? or NA
	NoLabel    *Error // what is to be said of the first of them, nil if there is none
}

// Len returns the number of rows.
func (a *Assignment) Len() int { return len(a.Codes) }

// ID returns the id of row i.
func (a *Assignment) ID(i int) string { return a.ids.at(i) }

// Label returns the label of row i.
func (a *Assignment) Label(i int) string { return a.Names[a.Codes[i]] }

// OpenAssignment reads the file at path; "-" is standard input.
func OpenAssignment(path string, workers int) (*Assignment, error) {
	return openWith(path, func(r io.Reader, name string) (*Assignment, error) { return ReadAssignment(r, name, workers) })
}

// ReadAssignment reads a table whose first line names its columns: id, and
// label or cluster; of two columns the one that is not id is the label,
// whatever its name. Every row needs an id, and every id is there once; rows
// without a label are left out and counted. Below 1 worker there is one per
// processor.
func ReadAssignment(r io.Reader, name string, workers int) (*Assignment, error) {
	s, delim, err := openTable(r, name)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return readAssignment(newSplitter(s, true), name, delim, workers)
}

func readAssignment(s *splitter, name string, delim byte, workers int) (*Assignment, error) {
	t := &assignTable{table: table{name: name, dialect: dialect{delim, s.longest}}}
	line, err := t.start(s)
	if err != nil {
		return nil, err
	}
	a := &Assignment{Name: name}
	code := map[string]int32{}
	var at lineMap
	err = inOrder(s, workers, t.parse, func(b *assignBlock, done float64) error {
		defer t.blocks.Put(b)
		if b.err != nil {
			b.err.Line += line
			return b.err
		}
		for i, l := range b.at {
			at.add(a.Len()+i, line+l)
		}
		if b.noLabel != nil && a.NoLabel == nil {
			a.NoLabel = b.noLabel
			a.NoLabel.File, a.NoLabel.Line = name, a.NoLabel.Line+line
		}
		a.Unlabelled += b.unlabelled
		line += b.lines
		a.add(b, code, done)
		if a.Len() > maxRows {
			return &Error{File: name, Msg: fmt.Sprintf("there are more than %d rows", maxRows)}
		}
		return nil
	})
	if err != nil {
		if src, ok := s.r.(*stream); ok {
			return nil, src.refusal(err)
		}
		return nil, asError(err, name)
	}
	if a.Len() == 0 && a.NoLabel != nil {
		return nil, &Error{File: name, Msg: "no row has a label"}
	}
	if a.Len() == 0 {
		return nil, &Error{File: name, Msg: "there are no rows"}
	}
	if i, j, ok := a.ids.duplicate(); ok {
		return nil, &Error{File: name, Line: at.of(j), Msg: fmt.Sprintf("id %s is already on line %d", clip([]byte(a.ID(j))), at.of(i)),
			Hint: "every row needs its own id"}
	}
	return a, nil
}

// add appends the rows of a block, its codes changed to those of the file.
func (a *Assignment) add(b *assignBlock, code map[string]int32, done float64) {
	to := make([]int32, len(b.names))
	for k, name := range b.names {
		c, ok := code[name]
		if !ok {
			c = int32(len(a.Names))
			code[name] = c
			a.Names = append(a.Names, name)
		}
		to[k] = c
	}
	a.Codes = grow(a.Codes, len(b.codes), done)
	for _, k := range b.codes {
		a.Codes = append(a.Codes, to[k])
	}
	if b.isText {
		a.ids.addText(&b.id, done)
	} else {
		a.ids.addNums(b.nums, done)
	}
}

// Match pairs the rows of two assignments by id, in a's order: truth[p] is
// the code of a's label and pred[p] of b's for the p-th common id. onlyA and
// onlyB are the rows of ids that the other lacks. It may index b, so b must
// not be in use elsewhere meanwhile.
func Match(a, b *Assignment) (truth, pred []int, onlyA, onlyB []int) {
	if a.ids.equal(&b.ids) {
		return widen(a.Codes), widen(b.Codes), nil, nil
	}
	b.ids.ready()
	n := min(a.Len(), b.Len())
	truth, pred = make([]int, 0, n), make([]int, 0, n)
	taken := make([]bool, b.Len())
	for i := range a.Len() {
		j := a.ids.in(&b.ids, i)
		if j < 0 {
			onlyA = append(onlyA, i)
			continue
		}
		taken[j] = true
		truth = append(truth, int(a.Codes[i]))
		pred = append(pred, int(b.Codes[j]))
	}
	for j, ok := range taken {
		if !ok {
			onlyB = append(onlyB, j)
		}
	}
	return truth, pred, onlyA, onlyB
}

func widen(codes []int32) []int {
	wide := make([]int, len(codes))
	for i, c := range codes {
		wide[i] = int(c)
	}
	return wide
}

// An assignTable parses chunks of a table with ids and labels.
type assignTable struct {
	table
	id, label int // columns
	blocks    sync.Pool
}

// start reads the header.
func (t *assignTable) start(s *splitter) (line int, err error) {
	if line, err = t.table.start(s); err != nil {
		return 0, err
	}
	const advice = "the first line names the columns, as in id,label or id,cluster"
	if !t.header {
		return 0, &Error{File: t.name, Line: 1, Msg: "there is no header", Hint: advice}
	}
	t.id, t.label = -1, -1
	for j, name := range t.names {
		switch strings.ToLower(name) {
		case "id":
			t.id = j
		case "label", "cluster":
			if t.label >= 0 {
				return 0, &Error{File: t.name, Line: 1, Msg: fmt.Sprintf("columns %q and %q could both be the label", t.names[t.label], name),
					Hint: "leave one of them"}
			}
			t.label = j
		}
	}
	if t.label < 0 && t.id >= 0 && len(t.names) == 2 {
		t.label = 1 - t.id
	}
	if t.id < 0 || t.label < 0 {
		return 0, &Error{File: t.name, Line: 1, Msg: "the columns are " + listed(t.names), Hint: advice}
	}
	return line, nil
}

// An assignBlock is what one chunk holds.
type assignBlock struct {
	nums   []int64 // ids, as long as all are whole numbers
	id     arena   // ids from the first on that is not
	isText bool
	codes  []int32
	names  []string
	code   map[string]int32
	at     []int
	lines  int
	cells  []cell
	err    *Error

	unlabelled int    // rows that are left out
	noLabel    *Error // the first of them
}

func (b *assignBlock) reset() {
	b.nums, b.isText, b.codes, b.names = b.nums[:0], false, b.codes[:0], b.names[:0]
	b.id.reset()
	clear(b.code)
	b.at, b.lines, b.err = b.at[:0], 0, nil
	b.unlabelled, b.noLabel = 0, nil
}

func (t *assignTable) parse(text []byte) *assignBlock {
	b, _ := t.blocks.Get().(*assignBlock)
	if b == nil {
		b = &assignBlock{code: map[string]int32{}}
	}
	b.reset()
	quotes := bytes.IndexByte(text, '"') >= 0
	for i := 0; i < len(text); {
		if k := t.emptyLine(text, i); k > 0 {
			i += k
			b.lines++
			continue
		}
		next, lines := 0, 1
		if !quotes {
			next = t.plainRow(b, text, i)
		}
		if next == 0 {
			if next, lines, b.err = t.row(b, text, i); b.err != nil {
				b.err.File, b.err.Line = t.name, b.err.Line+b.lines
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
	for j := range t.names {
		lo := i
		for i < len(text) && text[i] != t.delim && text[i] != '\n' {
			i++
		}
		if i == len(text) || (text[i] == '\n') != (j == len(t.names)-1) {
			return 0
		}
		switch j {
		case t.id:
			id = text[lo:trimEnd(text, lo, i)]
		case t.label:
			label = text[lo:trimEnd(text, lo, i)]
		}
		i++
	}
	if i-1-start > t.longest || len(id) == 0 || id[0] <= ' ' || unknownLabel(label) || label[0] <= ' ' {
		return 0
	}
	b.add(id, label)
	return i
}

func (t *assignTable) row(b *assignBlock, text []byte, i int) (next, lines int, err *Error) {
	cells, next, lines, err := t.split(text, i, b.cells[:0])
	if err != nil {
		return 0, 0, err
	}
	b.cells = cells
	if len(cells) != len(t.names) {
		return 0, 0, t.ragged(cells)
	}
	id, label := cells[t.id].of(text), cells[t.label].of(text)
	refuse := func(j int, advice hint.Hint, msg string) (int, int, *Error) {
		return 0, 0, &Error{Line: cells[j].line, Col: cells[j].col, Msg: fmt.Sprintf("column %q: %s", t.names[j], msg), Hint: advice}
	}
	if len(id) == 0 {
		return refuse(t.id, "", "the row has no id")
	}
	if unknownLabel(label) {
		if b.unlabelled++; b.noLabel == nil {
			_, _, b.noLabel = refuse(t.label, "{common} leaves such rows out", "the row has no label")
			b.noLabel.Line += b.lines
		}
		return next, lines, nil
	}
	b.add(id, label)
	return next, lines, nil
}

// add appends a row.
func (b *assignBlock) add(id, label []byte) {
	if !b.isText {
		y, ok := wholeNumber(id)
		if ok {
			b.nums = append(b.nums, y)
		} else {
			b.spell()
		}
	}
	if b.isText {
		b.id.add(id)
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

// spell turns the ids so far into text.
func (b *assignBlock) spell() {
	for _, y := range b.nums {
		b.id.addNum(y)
	}
	b.isText = true
}
