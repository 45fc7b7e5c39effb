package door

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/format"
)

// The formats of files, what they are used as, and what to do about missing cells.
type (
	Format  = dataio.Format
	As      = dataio.As
	Missing = prepare.Missing
)

// A Source says how a file is read. The zero value decides by its name and
// content, takes every column for a feature and numbers the rows from 0.
type Source struct {
	Format      Format   // csv, tsv, jsonl, npy, parquet, svm, mtx, edges, metis, text or image; "": by name and content
	As          As       // vectors, graph, kernel, text or image; "": by format
	ID          string   // the column with the ids of the rows; "none": row numbers from 0
	LabelColumn string   // the column of known labels; empty, ? and NA are unknown
	Text        string   // the column of texts, compared by TF-IDF beside the other columns
	Drop        []string // columns to leave out
	Columns     []string // columns to keep; empty: all
	// Columns of tables that are numbers, categories or dates, whatever they look
	// like; package columns says how the others are recognised, Table.Plan what was decided.
	Number, Category, Date []string
	Log                    []string // numbers whose logarithm is taken; "auto" alone, or none: those with a heavy tail; "none": of none
	DateParts              bool     // month, weekday and hour of dates are features too
	Profile                []string // columns that describe clusters in the report but do not make them
	// Transpose reads CSV or TSV that has rows where others have columns: its header line holds the
	// ids, its first column the names of the columns.
	Transpose bool
	IDs       string // a file with the id of each row, one a line, for formats without columns
	// Embeddings is a file with the numbers of each picture of a folder, in the order of their names or by IDs.
	Embeddings string
	// Missing cells: "" or auto fills in those of tables from similar rows
	// and refuses NaN in arrays, error refuses them, drop leaves out their rows, mean
	// fills in the column's mean, keep is for CheckConstraints alone.
	Missing Missing
	Workers int // goroutines; below 1: one per processor. The result does not depend on it
	// Watch, if not nil, is called before the file is read with a function that returns
	// the share of it that has been read, from 0 to 1, on any goroutine.
	Watch func(share func() float64) `json:"-"`

	// Named are ids by which constraints name rows (ConstraintFiles.IDs). Where no column of ids is named, the
	// column that holds all of them is it.
	Named []string `json:"-"`

	// Edits are what a plan says of columns beside roles and logarithms.
	Edits map[string]columns.Edit `json:",omitempty"`

	planned bool // a model says what the columns are for
}

func (s Source) options() dataio.Options {
	if s.ID == NoColumn {
		s.ID = ""
	}
	refuse := s.Missing == "" || s.Missing == prepare.Fill || s.Missing == refuseMissing
	return dataio.Options{Transpose: s.Transpose, Format: s.Format, As: s.As, ID: s.ID, Label: s.LabelColumn, Text: s.Text, Drop: s.Drop, Columns: s.columnsToRead(),
		Missing: !refuse, TableMissing: s.Missing != refuseMissing, Mixed: true, Any: s.Missing == keepMissing, IDs: s.IDs, Embeddings: s.Embeddings, Workers: s.Workers}
}

// named is the source with the column of ids that transposing makes, unless another is named.
func (s Source) named() Source {
	if s.Transpose && s.ID == "" {
		s.ID = "id"
	}
	return s
}

// columnsToRead are the columns to keep, and with them those that describe clusters; nil: all.
func (s *Source) columnsToRead() []string {
	if len(s.Columns) == 0 {
		return nil
	}
	list := slices.Clone(s.Columns)
	for _, name := range s.Profile {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// A Table is what is clustered: rows of numbers, texts, a graph or a kernel
// matrix, each row or node with an id. Make one with Open, Read or one of the
// From functions; the zero value holds nothing.
type Table struct {
	ds      *dataio.Dataset
	id      string // the column of ids, where one was named
	text    string // the column of texts, where one was named
	missing Missing
	plan    *Plan     // nil where there are no columns with names
	weight  []float64 // of the rows; nil: 1 each

	transposed bool

	// beside is the same table with the columns beside a text that is clustered alone; nil: there are none.
	beside func() (*Table, error)

	index    func() map[string]int // rows by id; nil map where ids are row numbers
	pictures func() *dataio.Pictures
}

func newTable(ds *dataio.Dataset) *Table {
	t := &Table{ds: ds, pictures: sync.OnceValue(func() *dataio.Pictures { return dataio.NamesPictures(ds) })}
	t.index = sync.OnceValue(func() map[string]int {
		if ds.IDs == nil {
			return nil
		}
		rows := make(map[string]int, len(ds.IDs))
		for i, id := range ds.IDs {
			rows[id] = i
		}
		return rows
	})
	return t
}

// Open reads a table from the file at path: a file, compressed or not, a folder
// of text files or pictures, - for standard input, or a built-in file, example:iris.csv. What
// is wrong with the file is an *InputError.
func Open(ctx context.Context, path string, s Source) (*Table, error) {
	if err := checkSource(s); err != nil {
		return nil, err
	}
	s = s.named()
	opt := s.options()
	opt.Watch = s.Watch
	return open(ctx, path, s, opt)
}

func open(ctx context.Context, path string, s Source, opt dataio.Options) (*Table, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	opt.Ended = ctx.Err
	var ds *dataio.Dataset
	b, found, err := Builtin(path)
	switch {
	case found && err == nil:
		ds, err = dataio.Read(bytes.NewReader(b), path, opt)
	case !found:
		ds, err = dataio.Open(path, opt)
		err = suggestBuiltin(path, err)
	}
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, err
	}
	if s.planned {
		if err := columns.DivideAs(ds, opt.Features); err != nil {
			return nil, err
		}
	}
	return read(ds, s, ctx.Err())
}

// Read reads a table from r. Its name stands in messages, and where it ends in
// an extension helps to recognise the format.
func Read(ctx context.Context, r io.Reader, name string, s Source) (*Table, error) {
	if r == nil {
		return nil, &InputError{File: name, Msg: "the reader must not be nil"}
	}
	if err := checkSource(s); err != nil {
		return nil, err
	}
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	s = s.named()
	opt := s.options()
	opt.Ended = ctx.Err
	ds, err := dataio.Read(r, name, opt)
	if err != nil {
		return nil, err
	}
	return read(ds, s, ctx.Err())
}

// read makes a table of what was read, and gives its columns their roles.
func read(ds *dataio.Dataset, s Source, err error) (*Table, error) {
	if err != nil {
		return nil, err
	}
	if s.ID == dataio.NoID && !slices.Contains(ds.Names, dataio.NoID) {
		if s.ID = NoColumn; s.planned {
			s.ID = ""
		}
	}
	t := newTable(ds)
	t.id, t.text, t.missing, t.transposed = s.ID, s.Text, s.Missing, s.Transpose
	if s.planned || !slices.Contains([]Format{"csv", "tsv", "jsonl", "parquet"}, ds.Format) {
		if len(s.Profile) > 0 {
			err = optionError("profile", "leave out {profile}", "profile names columns of a table, and %s has none", ds.Name)
		}
		return t, err
	}
	rules := columns.Rules{ID: s.ID, NoID: s.ID == NoColumn, Named: s.Named, Label: s.LabelColumn, Text: s.Text, Number: s.Number, Category: s.Category,
		Date: s.Date, Drop: s.Drop, Log: s.Log, Profile: s.Profile, DateParts: s.DateParts, Edits: s.Edits, Any: s.Missing == keepMissing}
	whole := *ds // what is decided about a text alone takes the other columns out of ds
	t.plan, err = columns.Decide(ds, rules)
	if err != nil {
		return nil, err
	}
	if t.plan != nil && t.plan.TextAlone && !rules.Any {
		t.beside = sync.OnceValues(func() (*Table, error) { return tableBeside(&whole, rules, t) })
	}
	if t.plan != nil {
		t.id = t.plan.IDColumn()
		if i := slices.IndexFunc(t.plan.Columns, func(c PlannedColumn) bool { return c.Role == columns.Text && c.Used }); i >= 0 {
			t.text = t.plan.Columns[i].Name
		}
		ds.Notes = append(ds.Notes, t.plan.Notes()...)
	}
	return t, nil
}

// A Plan is the role of every column of a table.
type Plan = columns.Plan

// A PlannedColumn is a line of a plan.
type PlannedColumn = columns.Column

// Plan returns what the columns of the table are for; nil where they have no names.
func (t *Table) Plan() *Plan { return t.plan }

// Names are what is said about rows that are in memory. Everything may be left
// out.
type Names struct {
	Name    string   // of the table, for messages; "": data
	IDs     []string // of the rows, each once; nil: row numbers from 0
	Columns []string // of the features
	Labels  []string // the known label of each row; "" is unknown
	Missing Missing  // what to do about NaN, which is a missing value: "" refuses it, drop leaves out the row, mean fills in the column's mean
}

// inMemory is the format of tables that were not read from a file.
const inMemory Format = "memory"

func (n Names) table(ds *dataio.Dataset) (*Table, error) {
	if len(n.IDs) == 0 {
		n.IDs = nil
	}
	if len(n.Labels) == 0 {
		n.Labels = nil
	}
	ds.Name, ds.Format, ds.IDs, ds.Columns, ds.Labels = n.Name, inMemory, slices.Clone(n.IDs), slices.Clone(n.Columns), slices.Clone(n.Labels)
	if ds.Name == "" {
		ds.Name = "data"
	}
	rows := ds.Len()
	for _, list := range []struct {
		what string
		n    int
		want int
	}{{"ids", len(n.IDs), rows}, {"labels", len(n.Labels), rows}} {
		if list.n != 0 && list.n != list.want {
			return nil, &InputError{File: ds.Name, Msg: strconv.Itoa(list.n) + " " + list.what + " for " + format.Count(list.want, "row")}
		}
	}
	if ds.X != nil && n.Columns != nil && len(n.Columns) != ds.X.Dim() {
		return nil, &InputError{File: ds.Name, Msg: strconv.Itoa(len(n.Columns)) + " column names for " + format.Count(ds.X.Dim(), "column")}
	}
	for what, names := range map[string][]string{"id": n.IDs, "column": n.Columns} {
		if name, twice := repeated(names); twice {
			return nil, &InputError{File: ds.Name, Msg: fmt.Sprintf("the %s %q occurs twice", what, name)}
		}
	}
	if err := oneOf("missing", string(n.Missing), n.Missing.Values()...); err != nil {
		return nil, err
	}
	t := newTable(ds)
	t.missing = n.Missing
	return t, nil
}

// repeated returns the first name that occurs twice.
func repeated(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// FromRows makes a table of rows of numbers, which it copies.
func FromRows(rows [][]float64, n Names) (*Table, error) {
	x, err := data.FromRows(rows)
	if err != nil {
		return nil, &InputError{File: "data", Msg: err.Error(), Err: err}
	}
	return FromMatrix(x, n)
}

// FromMatrix makes a table of a matrix (data.Dense, data.Dense32 or data.Sparse),
// which it keeps: do not change it afterwards.
func FromMatrix(x data.Rows, n Names) (*Table, error) {
	if x == nil {
		return nil, &InputError{File: "data", Msg: "there are no rows"}
	}
	return n.table(&dataio.Dataset{X: x})
}

// FromGraph makes a table of an undirected weighted graph, which it keeps.
func FromGraph(g *data.Graph, n Names) (*Table, error) {
	if g == nil {
		return nil, &InputError{File: "data", Msg: "there is no graph"}
	}
	return n.table(&dataio.Dataset{Graph: g})
}

// FromKernel makes a table of a square, symmetric matrix of similarities, which
// it keeps.
func FromKernel(k *data.Dense, n Names) (*Table, error) {
	if k == nil {
		return nil, &InputError{File: "data", Msg: "there is no matrix"}
	}
	return n.table(&dataio.Dataset{Kernel: k})
}

// FromTexts makes a table of texts, which are compared by TF-IDF.
func FromTexts(texts []string, n Names) (*Table, error) {
	return n.table(&dataio.Dataset{Docs: texts})
}

// Name returns where the table came from.
func (t *Table) Name() string { return t.ds.Name }

// Format returns how the table was written, memory where it was not read from a file.
func (t *Table) Format() Format { return t.ds.Format }

// Len returns the number of rows.
func (t *Table) Len() int { return t.ds.Len() }

// ID returns the id of row i, from 0.
func (t *Table) ID(i int) string { return t.ds.ID(i) }

// NameRows gives the rows of t ids of their own, before anything names one.
func NameRows(t *Table, ids []string) error {
	if len(ids) != t.Len() {
		return &InputError{File: t.Name(), Msg: fmt.Sprintf("%d ids for %s", len(ids), format.Count(t.Len(), "row"))}
	}
	if id, twice := repeated(ids); twice {
		return &InputError{File: t.Name(), Msg: fmt.Sprintf("the id %q occurs twice", id)}
	}
	t.ds.IDs = slices.Clone(ids)
	return nil
}

// Row returns the row with this id. A whole number may be written with a decimal 0 or without.
func (t *Table) Row(id string) (i int, ok bool) {
	if rows := t.index(); rows != nil {
		if i, ok = rows[id]; !ok {
			i, ok = rows[columns.OtherForm(id)]
		}
		return i, ok
	}
	i, err := strconv.Atoi(id)
	return i, err == nil && i >= 0 && i < t.Len() && strconv.Itoa(i) == id
}

// Columns returns the names of the features, nil where they have none.
func (t *Table) Columns() []string { return slices.Clone(t.ds.Columns) }

// Notes return what was decided while the table was read.
func (t *Table) Notes() []Note {
	out := make([]Note, len(t.ds.Notes))
	for i, text := range t.ds.Notes {
		out[i] = Note{Text: text}
	}
	return out
}

// Input returns the form that the table has for a method: rows (texts and images
// too), a graph or a kernel.
func (t *Table) Input() cluster.Input {
	switch {
	case t.ds.Graph != nil:
		return cluster.InputGraph
	case t.ds.Kernel != nil:
		return cluster.InputKernel
	}
	return cluster.InputRows
}

// point is what a row is called in messages.
func (t *Table) point() string {
	if t.ds.Graph != nil {
		return "node"
	}
	return "row"
}

// Weigh gives the rows weights, which it keeps: a row of weight 2 counts as two such rows.
func (t *Table) Weigh(weight []float64) { t.weight = weight }

// HasTexts reports whether the rows of the table are texts.
func (t *Table) HasTexts() bool { return t.ds.Docs != nil }

// HasPictures reports whether rows are pictures, which Picture returns.
func (t *Table) HasPictures() bool { return t.pictures() != nil }

// Picture decodes the picture of a row. It is never one outside of the folder of the data.
func (t *Table) Picture(row int) (image.Image, error) {
	p := t.pictures()
	if p == nil {
		return nil, &InputError{File: t.Name(), Msg: "the rows are not pictures"}
	}
	return dataio.OpenPicture(p, t.ID(row))
}

// Contents returns what shows rows as people read them.
func (t *Table) Contents() *contents.Reader { return contents.NewReader(t.ds, t.plan) }

// checkSource refuses a source that no file can have.
func checkSource(s Source) error {
	return cmp.Or(oneOf("format", string(s.Format), s.Format.Values()...), oneOf("as", string(s.As), s.As.Values()...),
		oneOf("missing", string(s.Missing), append(s.Missing.Values(), string(keepMissing))...))
}

// keepMissing reads missing cells for a check of constraints, which does not
// look at them.
const keepMissing Missing = "keep"

// refuseMissing refuses missing cells.
const refuseMissing Missing = "error"

// prepareMissing returns what preparation does about missing cells.
func (t *Table) prepareMissing() Missing {
	switch {
	case t.missing == keepMissing, t.missing == refuseMissing:
		return prepare.Refuse
	case t.missing == "" && t.plan != nil:
		return prepare.Fill
	}
	return t.missing
}
