package door

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// ConstraintFiles name the files that constraints are read from.
type ConstraintFiles struct {
	Labels []string // files of id,label[,weight]
	Links  []string // files of a,b,kind[,weight], kind must or cannot, or of a,b,belief
	// IgnoreUnknown leaves out constraints on ids that the table does not have, with a
	// warning that counts them.
	IgnoreUnknown bool
}

// IDs returns the ids by which the files name rows, as far as they can be read: what is wrong with a file is
// said by ReadConstraints. What can be read only once is not read here.
func (files ConstraintFiles) IDs() (ids []string) {
	for _, file := range files.Labels {
		if readableTwice(file) {
			rows, _ := readRows(file, dataio.ReadLabels, func(path string) ([]dataio.LabelRow, error) { return dataio.OpenLabelsOf(path, "", nil) })
			for _, r := range rows {
				ids = append(ids, r.ID)
			}
		}
	}
	for _, file := range files.Links {
		if readableTwice(file) {
			rows, _ := readRows(file, dataio.ReadLinks, dataio.OpenLinks)
			for _, r := range rows {
				ids = append(ids, r.A, r.B)
			}
		}
	}
	return ids
}

// readableTwice reports whether a file is built in or a regular file.
func readableTwice(path string) bool {
	_, found, err := Builtin(path)
	return found && err == nil || !found && dataio.IsRegular(path)
}

// ReadConstraints reads constraints on the rows of t from files, built-in ones
// (example:NAME) too, and from its label column. A file that cannot be read is an
// *InputError; an id that t does not have is reported by Constraints.Err.
func ReadConstraints(ctx context.Context, t *Table, files ConstraintFiles) (*Constraints, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	if t == nil {
		return nil, &InputError{File: "data", Msg: "there is no table"}
	}
	c := &Constraints{t: t, class: map[string]int{}}
	hasRow := func(id string) bool { _, ok := t.Row(id); return ok }
	for _, file := range files.Labels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, err := readRows(file, dataio.ReadLabels, func(path string) ([]dataio.LabelRow, error) { return dataio.OpenLabelsOf(path, t.id, hasRow) })
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 && rows[0].Line == 1 {
			c.notes.say("%s: the first line, %s,%s, is a row, not a header", file, rows[0].ID, rows[0].Label)
		}
		if len(rows) == 0 {
			c.notes.warn("%s: no labels found; empty cells, ? and NA count as unknown", file)
		}
		for _, r := range rows {
			c.label(r.ID, r.Label, r.Weight, Place{file, r.Line})
		}
	}
	c.merge(NewConstraints(t))
	for _, file := range files.Links {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, err := readRows(file, dataio.ReadLinks, func(path string) ([]dataio.LinkRow, error) { return dataio.OpenLinksOf(path, hasRow) })
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 && rows[0].Line == 1 {
			c.notes.say("%s: the first line, %s,%s,%s, is a row, not a header", file, rows[0].A, rows[0].B, rows[0].Kind)
		}
		if len(rows) == 0 {
			c.notes.warn("%s: no links found", file)
		}
		for _, r := range rows {
			c.link(Link{A: r.A, B: r.B, Kind: LinkKind(r.Kind)}, r.Weight, Place{file, r.Line})
		}
	}
	if files.IgnoreUnknown {
		c.ignoreUnknown()
	}
	for _, pair := range suggest.Alike(c.classes) {
		c.notes.warn("the labels %q and %q differ only by case or blanks, but are two classes", pair[0], pair[1])
	}
	for _, name := range c.classes {
		if slices.Contains(placeholders, strings.ToLower(name)) {
			c.notes.warn("the label %q counts as a class like any other; only empty cells, ? and NA are unknown", name)
		}
	}
	return c, nil
}

// ignoreUnknown leaves out the constraints on ids that the table does not have.
func (c *Constraints) ignoreUnknown() {
	lines := map[Place]bool{}
	for _, f := range c.unknown {
		if f.Kind == FaultUnknownID {
			lines[Place{f.File, f.Line}] = true
		}
	}
	if len(lines) > 0 {
		c.unknown = slices.DeleteFunc(c.unknown, func(f Fault) bool { return f.Kind == FaultUnknownID })
		c.notes.warn("ignored %s on ids that %s does not have", format.Count(len(lines), "constraint"), c.t.Name())
	}
}

// merge adds the labels of another set of constraints on the same table.
func (c *Constraints) merge(other *Constraints) {
	c.notes.list = append(c.notes.list, other.notes.list...)
	for _, e := range other.entries {
		c.addLabel(e.i, other.classes[e.j], e.weight, e.place)
	}
}

// placeholders are labels, in lower case, that other programs write where there
// is none.
var placeholders = []string{"-1", "na", "n/a", "nan", "null", "none", "unknown", "unlabelled", "unlabeled"}

// readRows reads a built-in file or one on disk.
func readRows[Row any](path string, read func(r io.Reader, name string) ([]Row, error), open func(path string) ([]Row, error)) ([]Row, error) {
	if b, found, err := Builtin(path); found {
		if err != nil {
			return nil, err
		}
		return read(bytes.NewReader(b), path)
	}
	rows, err := open(path)
	return rows, suggestBuiltin(path, err)
}
