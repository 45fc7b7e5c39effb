// Package constraints reads files of labels and of links between rows, which are
// named by their ids, and reads, writes and matches assignments of rows to clusters.
package constraints

import (
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
)

// A LabelRow says that the row called ID has a label, with a weight that is 1
// where the file gives none.
type LabelRow struct {
	ID, Label string
	Weight    float64
	File      string
	Line      int
}

// ReadLabels reads a table with the columns id, label (or cluster) and perhaps
// weight, in any order, named in its first line. Rows whose label is empty, ? or NA say
// nothing and are left out. One id may have several rows.
func ReadLabels(r io.Reader, name string) ([]LabelRow, error) { return ReadLabelsOf(r, name, "", nil) }

// ReadLabelsOf is ReadLabels for data whose column of ids has this name, and of which known
// reports whether it has a row of an id; nil: this is not known. Where the
// header has other names, the ids are in the column of that name or the first,
// the labels in one called class, segment or the like or the second. A first line that is a row,
// not a header, is read as one.
func ReadLabelsOf(r io.Reader, name, id string, known func(id string) bool) ([]LabelRow, error) {
	k, err := openCSV(r, name, id, labelForms, linkForms)
	if err != nil {
		return nil, err
	}
	defer k.stream.Close()
	var rows []LabelRow
	for k.nextRow() {
		if table.IsUnknownLabel([]byte(k.cellText("label"))) {
			continue
		}
		row := LabelRow{ID: k.idIn("id"), Label: k.cellText("label"), Weight: k.rowWeight(), File: name, Line: k.scanner.Line}
		rows = append(rows, row)
	}
	if err := k.firstError(); err != nil {
		return rows, err
	}
	if row, ok, err := k.firstLabel(rows, known); err != nil {
		return nil, err
	} else if ok {
		rows = append([]LabelRow{row}, rows...)
	}
	return rows, nil
}

// OpenLabels reads the labels in the file at path; "-" is standard input.
func OpenLabels(path string) ([]LabelRow, error) { return source.OpenWith(path, ReadLabels) }
