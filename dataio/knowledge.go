package dataio

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

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

// forms are the headers that a kind of knowledge may have.
type forms struct {
	option   string // that names such files
	expected string // the headers in words
	headers  [][]string
}

var (
	labelForms = forms{"labels", "id,label or id,label,weight", [][]string{{"id", "label"}, {"id", "label", "weight"}}}
	linkForms  = forms{"links", "a,b,kind or a,b,kind,weight or a,b,belief",
		[][]string{{"a", "b", "kind"}, {"a", "b", "kind", "weight"}, {"a", "b", "belief"}}}
)

// has tells whether names, sorted, are one of the headers in any order.
func (f forms) has(names []string) bool {
	return slices.ContainsFunc(f.headers, func(h []string) bool {
		return slices.Equal(names, slices.Sorted(slices.Values(h)))
	})
}

// ReadLabels reads a table with the columns id, label (or cluster) and perhaps
// weight, in any order, named in its first line. Rows whose label is empty, ? or NA say
// nothing and are left out. One id may have several rows.
func ReadLabels(r io.Reader, name string) ([]LabelRow, error) {
	k, err := newKnowledge(r, name, labelForms, linkForms)
	if err != nil {
		return nil, err
	}
	defer k.s.close()
	var rows []LabelRow
	for k.next() {
		if unknownLabel([]byte(k.text("label"))) {
			continue
		}
		row := LabelRow{ID: k.id("id"), Label: k.text("label"), Weight: k.weight(), File: name, Line: k.t.Line}
		rows = append(rows, row)
	}
	return rows, k.refusal()
}

// ReadLinks reads a table with the columns a, b, kind and perhaps weight, or
// a, b and belief, in any order, named in its first line.
func ReadLinks(r io.Reader, name string) ([]LinkRow, error) {
	k, err := newKnowledge(r, name, linkForms, labelForms)
	if err != nil {
		return nil, err
	}
	defer k.s.close()
	var rows []LinkRow
	for k.next() {
		row := LinkRow{A: k.id("a"), B: k.id("b"), File: name, Line: k.t.Line}
		if _, ok := k.column["belief"]; ok {
			row.Kind, row.Weight = Belief, k.number("belief", -1, 1)
		} else {
			row.Kind, row.Weight = k.kind(), k.weight()
		}
		rows = append(rows, row)
	}
	return rows, k.refusal()
}

// OpenLabels reads the labels in the file at path; "-" is standard input.
func OpenLabels(path string) ([]LabelRow, error) { return openWith(path, ReadLabels) }

// OpenLinks reads the links in the file at path; "-" is standard input.
func OpenLinks(path string) ([]LinkRow, error) { return openWith(path, ReadLinks) }

func openWith[T any](path string, read func(io.Reader, string) (T, error)) (none T, err error) {
	if path == "-" {
		return read(os.Stdin, "stdin")
	}
	f, err := os.Open(path)
	if err != nil {
		return none, pathFault(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return none, &Error{File: path, Msg: "this is a folder", Hint: "name a file"}
	}
	return read(f, path)
}

// openTable undoes the compression of r, refuses what is no text, and finds
// the delimiter.
func openTable(r io.Reader, name string) (*stream, byte, error) {
	s, err := newStream(r, name)
	if err != nil {
		return nil, 0, err
	}
	head, err := s.head()
	if err == nil && len(head) == 0 {
		err = &Error{File: name, Msg: "there is nothing in it"}
	}
	if err == nil {
		err = checkMagic("a table", head, name)
	}
	if err != nil {
		s.close()
		return nil, 0, err
	}
	return s, sniffDelimiter(skipBlank(head)), nil
}

// A knowledge file is read row by row; the first thing wrong with a row stays.
type knowledge struct {
	s      *stream
	t      *tableScanner
	column map[string]int
	n      int // columns
	bad    *Error
}

// newKnowledge reads the header, which must be one of want; one of other is
// pointed to its own option.
func newKnowledge(r io.Reader, name string, want, other forms) (*knowledge, error) {
	s, delim, err := openTable(r, name)
	if err != nil {
		return nil, err
	}
	k := &knowledge{s: s, t: newTableScanner(s, name, delim), column: map[string]int{}}
	if !k.t.next() {
		err = k.refusal()
		if err == nil {
			err = &Error{File: name, Msg: "there is nothing in it", Hint: hint.Hint("the first line names the columns: " + want.expected)}
		}
	} else {
		err = k.header(want, other)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return k, nil
}

func (k *knowledge) header(want, other forms) error {
	k.n = len(k.t.cells)
	names := make([]string, k.n)
	for j := range names {
		names[j] = strings.ToLower(k.t.cell(j))
		if names[j] == "cluster" {
			names[j] = "label" // what was found before can be known now
		}
		k.column[names[j]] = j
	}
	sorted := slices.Sorted(slices.Values(names))
	if want.has(sorted) {
		return nil
	}
	e := &Error{File: k.t.name, Line: k.t.Line, Msg: "the header is " + clip([]byte(strings.Join(names, ","))),
		Hint: hint.Hint("the first line must be " + want.expected)}
	if other.has(sorted) {
		e.Hint = hint.Sprintf("such a file is for {%s}", hint.Hint(other.option))
	}
	return e
}

// next moves to the next row unless something was wrong.
func (k *knowledge) next() bool {
	if k.bad != nil || !k.t.next() {
		return false
	}
	if len(k.t.cells) != k.n {
		k.bad = &Error{File: k.t.name, Line: k.t.Line, Msg: fmt.Sprintf("the line has %s, the header has %d", counted(len(k.t.cells), "cell"), k.n)}
		return false
	}
	return true
}

// refusal returns the first thing that was wrong, or nil.
func (k *knowledge) refusal() error {
	switch {
	case k.bad != nil:
		return k.bad
	case k.t.err != nil:
		return k.s.refusal(k.t.err)
	}
	return nil
}

func (k *knowledge) refuse(column string, advice hint.Hint, msg string) {
	if k.bad == nil {
		k.bad = k.t.bad(k.column[column], advice, fmt.Sprintf("column %q: %s", column, msg))
	}
}

func (k *knowledge) text(column string) string { return k.t.cell(k.column[column]) }

func (k *knowledge) id(column string) string {
	s := k.text(column)
	if s == "" {
		k.refuse(column, "", "the id is missing")
	}
	return s
}

func (k *knowledge) kind() string {
	s := strings.ToLower(k.text("kind"))
	if s != Must && s != Cannot {
		advice := hint.Hint(suggest.DidYouMean(s, []string{Must, Cannot}))
		if advice == "" {
			advice = "a link is must or cannot"
		}
		k.refuse("kind", advice, clip([]byte(s))+" is no kind of link")
	}
	return s
}

// weight returns the weight of the row: 1 where there is no such column, or
// nothing in it.
func (k *knowledge) weight() float64 {
	if _, ok := k.column["weight"]; !ok || k.text("weight") == "" {
		return 1
	}
	w := k.number("weight", 0, math.MaxFloat64)
	if w == 0 {
		k.refuse("weight", "leave out what counts for nothing", "0 is not above 0")
	}
	return w
}

func (k *knowledge) number(column string, least, most float64) float64 {
	s := []byte(k.text(column))
	if plain, _, sure := commaNumber(s); sure && k.t.d.delim != ',' {
		s = plain
	}
	v, msg, _ := asNumber(s)
	switch {
	case msg != "":
		k.refuse(column, "", msg)
	case v < least && least == 0:
		k.refuse(column, "", fmt.Sprintf("%v is negative", v))
	case v < least || v > most:
		k.refuse(column, "", fmt.Sprintf("%v is not from %v to %v", v, least, most))
	}
	return v
}
