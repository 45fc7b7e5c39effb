// Package constraints reads what is given about rows by their ids, files of labels
// and of links, and reads, writes and matches assignments of rows to clusters.
package constraints

import (
	"io"
	"strings"

	"github.com/inklinghq/inkling/dataio/source"
	"github.com/inklinghq/inkling/dataio/table"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
)

// A LabelRow says that the row called ID has a label, with a weight that is 1
// where the file gives none.
type LabelRow struct {
	ID, Label string
	Weight    float64
	File      string
	Line      int
}

// The kinds of a LinkRow.
const (
	Must   = "must"
	Cannot = "cannot"
	Belief = "belief"
)

// A LinkRow says something of the rows called A and B: that they must or
// cannot be together, with a weight that is 1 where the file gives none; or a
// belief, which is then the weight, from -1 (apart) to 1 (together).
type LinkRow struct {
	A, B   string
	Kind   string
	Weight float64
	File   string
	Line   int
}

var (
	labelForms = headerForms{"labels", "id,label or id,label,weight", [][]string{{"id", "label"}, {"id", "label", "weight"}}}
	linkForms  = headerForms{"links", "a,b,kind or a,b,kind,weight or a,b,belief",
		[][]string{{"a", "b", "kind"}, {"a", "b", "kind", "weight"}, {"a", "b", "belief"}}}
)

// ReadLabels reads a table with the columns id, label (or cluster) and perhaps
// weight, in any order, named in its first line. Rows whose label is empty, ? or NA say
// nothing and are left out. One id may have several rows.
func ReadLabels(r io.Reader, name string) ([]LabelRow, error) {
	k, err := openConstraintFile(r, name, labelForms, linkForms)
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
	return rows, k.firstError()
}

// ReadLinks reads a table with the columns a, b, kind and perhaps weight, or
// a, b and belief, in any order, named in its first line.
func ReadLinks(r io.Reader, name string) ([]LinkRow, error) {
	k, err := openConstraintFile(r, name, linkForms, labelForms)
	if err != nil {
		return nil, err
	}
	defer k.stream.Close()
	var rows []LinkRow
	for k.nextRow() {
		row := LinkRow{A: k.idIn("a"), B: k.idIn("b"), File: name, Line: k.scanner.Line}
		if _, ok := k.column["belief"]; ok {
			row.Kind, row.Weight = Belief, k.numberIn("belief", -1, 1)
		} else {
			row.Kind, row.Weight = k.linkKind(), k.rowWeight()
		}
		rows = append(rows, row)
	}
	return rows, k.firstError()
}

// OpenLabels reads the labels in the file at path; "-" is standard input.
func OpenLabels(path string) ([]LabelRow, error) { return source.OpenWith(path, ReadLabels) }

// OpenLinks reads the links in the file at path; "-" is standard input.
func OpenLinks(path string) ([]LinkRow, error) { return source.OpenWith(path, ReadLinks) }

func (k *constraintFile) linkKind() string {
	s := strings.ToLower(k.cellText("kind"))
	if s != Must && s != Cannot {
		advice := hint.Hint(suggest.DidYouMean(s, []string{Must, Cannot}))
		if advice == "" {
			advice = "a link is must or cannot"
		}
		k.refuseCell("kind", advice, source.Clip([]byte(s))+" is not a kind of link")
	}
	return s
}
