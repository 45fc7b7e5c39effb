package constraints

import (
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A firstLine is the first line of a file where none of its cells is a name that columns of such
// files have: it may be a header or a row.
type firstLine struct {
	cells   []string
	line    int
	refusal *source.Error // of the line as a header; nil where it can be one
}

// mayBeRow keeps the first line where it may be a row. Its columns are then those of the form, by
// place.
func (k *csvReader) mayBeRow(want headerForms, names []string, refusal *source.Error) bool {
	places := want.headers[0]
	if len(names) < len(places) || want.recognised(names, k.id) > len(places)-2 {
		return false
	}
	k.first = &firstLine{line: k.scanner.Line, refusal: refusal}
	for j := range names {
		k.first.cells = append(k.first.cells, k.scanner.CellText(j))
	}
	if refusal != nil {
		k.column = map[string]int{}
		for j, name := range places {
			k.column[name] = j
		}
	}
	return true
}

// recognised counts the cells of a first line that columns of the form are called. A kind of link
// counts for nothing: a row has one too. Of links one more is not enough, since rows may be called a
// or b.
func (f headerForms) recognised(names []string, id string) (n int) {
	for _, name := range names {
		is := slices.ContainsFunc(f.columns, func(c headerColumn) bool { return name == c.name || slices.Contains(c.aliases, name) })
		if (is || name != "" && name == id) && kindOfLink(name) == "" {
			n++
		}
	}
	return n
}

// asRow decides whether the first line is a row, and refuses what is neither that nor a header.
func (k *csvReader) asRow(isRow bool, want headerForms) (bool, error) {
	switch {
	case k.first == nil:
		return false, nil
	case !isRow && k.first.refusal != nil:
		return false, k.first.refusal
	case isRow && len(k.first.cells) > len(want.headers[0]):
		return false, &source.Error{File: k.scanner.Name, Line: k.first.line, Msg: "the first line is a row, and more columns than can be recognised without a header follow",
			Hint: hint.Hint("the first line must be " + want.expected)}
	}
	return isRow, nil
}

// firstLabel returns the first line as a row, where it is one: it names a row of the data, or its
// label is among those of the others.
func (k *csvReader) firstLabel(rows []LabelRow, known func(id string) bool) (row LabelRow, ok bool, err error) {
	if k.first == nil {
		return row, false, nil
	}
	row = LabelRow{ID: k.first.cells[0], Label: k.first.cells[1], Weight: 1, File: k.scanner.Name, Line: k.first.line}
	isRow := known != nil && known(row.ID) || slices.ContainsFunc(rows, func(r LabelRow) bool { return r.Label == row.Label })
	isRow, err = k.asRow(isRow, labelForms)
	if isRow && err == nil && row.ID == "" {
		err = &source.Error{File: row.File, Line: row.Line, Col: 1, Msg: "the id is missing"}
	}
	return row, isRow && !table.IsUnknownLabel([]byte(row.Label)), err
}

// firstLink is firstLabel for links: both ids are of the data, or the third cell is a kind of link.
func (k *csvReader) firstLink(known func(id string) bool) (row LinkRow, ok bool, err error) {
	if k.first == nil {
		return row, false, nil
	}
	kind := kindOfLink(k.first.cells[2])
	row = LinkRow{A: k.first.cells[0], B: k.first.cells[1], Kind: kind, Weight: 1, File: k.scanner.Name, Line: k.first.line}
	isRow := kind != "" && (known == nil || known(row.A) || known(row.B) || k.first.refusal != nil)
	isRow, err = k.asRow(isRow, linkForms)
	if isRow && err == nil && (row.A == "" || row.B == "") {
		err = &source.Error{File: row.File, Line: row.Line, Msg: "the id is missing"}
	}
	return row, isRow, err
}

// kindOfLink returns the kind that a cell stands for, "" where it is not one.
func kindOfLink(cell string) string {
	switch strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(cell)) {
	case Must, "must-link", "mustlink", "ml", "1", "+1", "same", "together", "true", "yes":
		return Must
	case Cannot, "cannot-link", "cannotlink", "cl", "-1", "0", "different", "apart", "false", "no":
		return Cannot
	}
	return ""
}
