package constraints

import (
	"io"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

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

// ReadLinks reads a table with the columns a, b, kind and perhaps weight, or
// a, b and belief, in any order, named in its first line.
func ReadLinks(r io.Reader, name string) ([]LinkRow, error) { return ReadLinksOf(r, name, nil) }

// ReadLinksOf is ReadLinks for data of which known reports whether it has a row of an id; nil: this
// is not known. A first line that is a row, not a header, is read as one.
func ReadLinksOf(r io.Reader, name string, known func(id string) bool) ([]LinkRow, error) {
	k, err := openCSV(r, name, "", linkForms, labelForms)
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
	if err := k.firstError(); err != nil {
		return rows, err
	}
	if row, ok, err := k.firstLink(known); err != nil {
		return nil, err
	} else if ok {
		rows = append([]LinkRow{row}, rows...)
	}
	return rows, nil
}

// OpenLinks reads the links in the file at path; "-" is standard input.
func OpenLinks(path string) ([]LinkRow, error) { return source.OpenWith(path, ReadLinks) }

func (k *csvReader) linkKind() string {
	s := strings.ToLower(k.cellText("kind"))
	kind := kindOfLink(s)
	if kind == "" {
		advice := hint.Hint(suggest.DidYouMean(s, []string{Must, Cannot}))
		if advice == "" {
			advice = "a link is must (must-link, ML, 1, same) or cannot (cannot-link, CL, -1, 0, different)"
		}
		k.refuseCell("kind", advice, source.Clip([]byte(s))+" is not a kind of link")
		return s
	}
	return kind
}
