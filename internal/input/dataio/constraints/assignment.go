package constraints

import (
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
)

// An Assignment gives every one of its rows an id and a label. Ids that just
// count the rows cost no memory, other whole numbers eight bytes each.
type Assignment struct {
	Name  string
	Codes []int32  // of the rows: Names[Codes[i]] is the label of row i
	Names []string // the labels in the order of their first rows
	ids   rowIDs

	Unlabelled int           // rows that were left out because their label is empty, ? or NA
	NoLabel    *source.Error // refuses the first of them; nil if every row has a label
}

// Len returns the number of rows.
func (a *Assignment) Len() int { return len(a.Codes) }

// ID returns the id of row i.
func (a *Assignment) ID(i int) string { return a.ids.idAt(i) }

// Label returns the label of row i.
func (a *Assignment) Label(i int) string { return a.Names[a.Codes[i]] }

// OpenAssignment reads the file at path; "-" is standard input.
func OpenAssignment(path string, workers int) (*Assignment, error) {
	return source.OpenWith(path, func(r io.Reader, name string) (*Assignment, error) { return ReadAssignment(r, name, workers) })
}

// ReadAssignment reads a table whose first line names its columns: id, and
// label, cluster or entity; of two columns the one that is not id is the label,
// whatever its name. Every row needs an id, and every id is there once; rows
// without a label are left out and counted. Below 1 worker there is one per
// processor.
func ReadAssignment(r io.Reader, name string, workers int) (*Assignment, error) {
	s, delim, err := table.OpenTable(r, name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	a, err := readAssignment(scan.NewChunks(s, true), name, delim, workers)
	if err != nil {
		return nil, s.RefusalOf(err)
	}
	return a, nil
}

func readAssignment(s *scan.Chunks, name string, delim byte, workers int) (*Assignment, error) {
	t := &assignTable{Table: table.Table{Name: name, Dialect: table.Dialect{Delim: delim, Longest: s.Longest}}}
	line, err := t.readHeader(s)
	if err != nil {
		return nil, err
	}
	a := &Assignment{Name: name}
	code := map[string]int32{}
	var at scan.LineMap
	err = scan.InOrder(s, workers, t.parseChunk, func(b *assignBlock, done float64) error {
		defer t.blocks.Put(b)
		if b.err != nil {
			b.err.Line += line
			return b.err
		}
		for i, l := range b.at {
			at.AddLine(a.Len()+i, line+l)
		}
		if b.noLabel != nil && a.NoLabel == nil {
			a.NoLabel = b.noLabel
			a.NoLabel.File, a.NoLabel.Line = name, a.NoLabel.Line+line
		}
		a.Unlabelled += b.unlabelled
		line += b.lines
		a.addBlock(b, code, done)
		s.SetAhead(scan.Ahead(a.Codes) + a.ids.ahead())
		if a.Len() > maxRows {
			return &source.Error{File: name, Msg: fmt.Sprintf("there are more than %d rows", maxRows)}
		}
		return nil
	})
	if err != nil {
		return nil, source.AsError(err, name)
	}
	if a.Len() == 0 && a.NoLabel != nil {
		return nil, &source.Error{File: name, Msg: "no row has a label"}
	}
	if a.Len() == 0 {
		return nil, &source.Error{File: name, Msg: "there are no rows"}
	}
	if i, j, ok := a.ids.firstDuplicate(); ok {
		return nil, &source.Error{File: name, Line: at.LineOf(j), Msg: fmt.Sprintf("id %s is already on line %d", source.Clip([]byte(a.ID(j))), at.LineOf(i)),
			Hint: "every row needs its own id"}
	}
	return a, nil
}

// addBlock appends the rows of a block, its codes changed to those of the file.
func (a *Assignment) addBlock(b *assignBlock, code map[string]int32, done float64) {
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
	a.Codes = scan.Grow(a.Codes, len(b.codes), done)
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
	if a.ids.equals(&b.ids) {
		return widen(a.Codes), widen(b.Codes), nil, nil
	}
	b.ids.ensureIndex()
	n := min(a.Len(), b.Len())
	truth, pred = make([]int, 0, n), make([]int, 0, n)
	taken := make([]bool, b.Len())
	for i := range a.Len() {
		j := a.ids.rowOfID(&b.ids, i)
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
